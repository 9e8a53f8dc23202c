// counting.h - counts what one launch executes and accesses.
#pragma once

#include "cuda/device/ptx/counts.h"
#include "cuda/device/ptx/places.h"

namespace ptx {

class Counting {
 public:
  Counting(const Launch& launch, Counts& total);
  // Adds what was counted to the total.
  void finish();

  // The lanes are those for which the instruction has an effect.
  void execute(size_t instruction, uint32_t lanes) {
    InstructionCounts& counts = counts_.instructions[instruction];
    ++counts.warps;
    counts.lanes += static_cast<uint32_t>(__builtin_popcount(lanes));
  }
  // Counts the access of an instruction. The places are those of the active lanes.
  void access(const Instruction& instruction, const Warp& warp, AccessKind kind, const Places& places);

 private:
  const Code& code_;
  Counts& total_;
  Counts counts_;
  Footprint footprint_;
};

}  // namespace ptx
