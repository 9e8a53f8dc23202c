// block.h - runs the blocks of a grid one after the other, and the warps of a block in turn.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cuda/device/ptx/warp.h"

namespace ptx {

// The numbers below count in an order.
std::vector<uint32_t> sequence(uint32_t count, Order order, uint32_t seed);

// Runs the blocks of a kernel. The memory for registers is kept from block to block.
class BlockRunner {
 public:
  // counting may be null.
  BlockRunner(const Launch& launch, Checker::State& memory, Counting* counting);

  // Returns the number of instructions executed.
  uint64_t run(uint32_t number);
  // Makes the delayed stores of all blocks visible, in the order of the blocks.
  void finish();

 private:
  void begin_warp(Warp& warp, uint32_t number, uint32_t frame);
  void arrange_lanes(Warp& warp, uint32_t number) const;
  void set_special(const Warp& warp, const Code::SpecialRow& special) const;
  void run_alone(const std::vector<uint32_t>& order);
  void run_together(const std::vector<uint32_t>& order);
  bool pass_barrier(std::vector<Warp>& warps);

  const Launch& launch_;
  const Code& code_;
  const uint32_t warp_count_;
  Block block_;
  // The registers of as many warps as are kept at a time, and their local memory.
  std::vector<Row> rows_;
  std::vector<uint32_t> predicates_;
  std::vector<unsigned char> local_;
  std::map<uint32_t, DelayedStores> delayed_;
  uint64_t executed_ = 0;
};

}  // namespace ptx
