// warp.h - the state of the threads that run together. The lanes of a warp are kept in slots, whose order is the order
// in which the stores of an instruction happen: a permutation of the lanes. All masks have a bit per slot.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/device/ptx/accesses.h"
#include "cuda/device/ptx/code.h"
#include "cuda/device/ptx/delayed_stores.h"
#include "cuda/device/ptx/interpreter.h"

namespace ptx {

class Counting;

struct Block {
  const Launch& launch;
  const Code& code;
  Checker::State& memory;
  Dimensions position;
  // Position as a single number.
  uint32_t number = 0;
  uint32_t thread_count = 0;
  // The number of barriers that the block has passed.
  uint32_t epoch = 0;
  std::vector<unsigned char> shared;
  std::vector<ShadowWord> shared_shadow;
  // Null if stores are not delayed.
  DelayedStores* delayed = nullptr;
  // Null if nothing is counted.
  Counting* counting = nullptr;
};

struct Warp {
  Row* rows = nullptr;
  uint32_t* predicates = nullptr;
  // The lanes for which the current instruction is executed.
  uint32_t active = 0;
  // The lanes that run, that wait for lanes of the warp, and that wait at a barrier of the block. Others have ended.
  uint32_t running = 0, exchanging = 0, at_barrier = 0;
  // The next instruction of each lane. Those of the lanes that the scheduler runs at the moment are out of date.
  std::array<uint32_t, lane_count> next{};
  std::array<uint8_t, lane_count> lane_of_slot{}, slot_of_lane{};
  bool is_permuted = false;
  // The number of the thread of lane 0 in its block.
  uint32_t first_thread = 0;
  // local_size bytes for each slot.
  unsigned char* local = nullptr;
  Block* block = nullptr;
  uint64_t executed = 0;

  uint32_t thread_of(uint32_t slot) const { return first_thread + lane_of_slot[slot]; }
  // Translate masks.
  uint32_t lanes_of(uint32_t slots) const { return is_permuted ? permute(slots, lane_of_slot) : slots; }
  uint32_t slots_of(uint32_t lanes) const { return is_permuted ? permute(lanes, slot_of_lane) : lanes; }

  Wide* wide(uint32_t row) const { return reinterpret_cast<Wide*>(rows + row); }

 private:
  static uint32_t permute(uint32_t mask, const std::array<uint8_t, lane_count>& to);
};

// Calls a function with the number of each bit that is set, lowest first.
template <class Function>
inline void for_each_lane(uint32_t mask, Function&& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<uint32_t>(__builtin_ctz(mask)));
}

// Which handlers a mask of active lanes needs: few are up to four.
inline Density density_of(uint32_t active) {
  if (active == all_lanes) return Density::all;
  for (int k = 0; k < 4; ++k) active &= active - 1;
  return active == 0 ? Density::few : Density::some;
}

// Runs a warp until each of its threads has ended or waits at a barrier of the block.
void run_warp(Warp& warp);

// Completes the exchanges between lanes of the warp for which all named lanes have come. The candidates are lanes at
// the instruction. Returns the lanes that may go on.
uint32_t complete_exchanges(Warp& warp, const Instruction& instruction, uint32_t candidates);

// Throws an illegal_instruction fault with a message about a thread of the warp.
[[noreturn]] void fail(const Warp& warp, uint32_t slot, const Instruction& instruction, const std::string& what);
// Returns "thread (1, 0, 0) of block (0, 0, 0) of kernel name, line 12, add.f32".
std::string describe(const Warp& warp, uint32_t slot, const Instruction& instruction);

}  // namespace ptx
