// arenas.h - what kernels work on, as a test builds it, and lists of work that any runner carries out in order.
// Work::kernel is a Kernel, or Kernel::count plus a Probe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dialect/instruction_sets.h"

namespace clothc::probes {

struct Arenas {
  std::vector<float> particles;  // float4 elements
  std::vector<uint32_t> fabric;
  std::vector<uint32_t> tables;
  std::vector<ClothRecord> cloths;
  FrameConstants frame{};
};

constexpr uint32_t kernel_count = static_cast<uint32_t>(Kernel::count);

constexpr uint32_t number_of(Kernel kernel) { return static_cast<uint32_t>(kernel); }
constexpr uint32_t number_of(Probe probe) { return kernel_count + static_cast<uint32_t>(probe); }

// Runs the work with one instruction set; kernels that it lacks run as scalar code.
void run(const InstructionSet& set, Arenas& arenas, const std::vector<Work>& works);

// Empty when all bits agree, otherwise where they first differ.
std::string first_difference(const Arenas& a, const Arenas& b);

uint32_t bits_of(float value);

}  // namespace clothc::probes
