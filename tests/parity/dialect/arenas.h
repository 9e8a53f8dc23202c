// arenas.h - what kernels work on, as a test builds it, and lists of jobs that any runner carries out in order.
// Job::kernel is a Kernel, or Kernel::count plus a Probe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parity/dialect/instruction_sets.h"

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
void run(const InstructionSet& set, Arenas& arenas, const std::vector<Job>& jobs);

// Empty when all bits agree, otherwise where they first differ.
std::string first_difference(const Arenas& a, const Arenas& b);

uint32_t bits_of(float value);

// Element of a block of the particles arena: four floats.
inline float* element(Arenas& arenas, uint32_t block, uint32_t particle) {
  return &arenas.particles[4 * (size_t(block) + particle)];
}
inline const float* element(const Arenas& arenas, uint32_t block, uint32_t particle) {
  return &arenas.particles[4 * (size_t(block) + particle)];
}

inline void set(float* v, float x, float y, float z, float w) {
  v[0] = x;
  v[1] = y;
  v[2] = z;
  v[3] = w;
}

// Numbers in [low, high) that do not depend on a standard library.
struct Sequence {
  uint32_t state = 1;
  float next(float low, float high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * (static_cast<float>(state >> 8) * 0x1p-24f);
  }
};

}  // namespace clothc::probes
