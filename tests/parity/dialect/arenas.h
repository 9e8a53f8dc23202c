// arenas.h - the memory that kernels use, as a test builds it, and lists of jobs that any runner carries out in order.
// Job::kernel is a Kernel, or Kernel::count plus a Probe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parity/dialect/instruction_sets.h"

namespace clothc::probes {

struct Arenas {
  // Elements of four floats.
  std::vector<float> particles;
  std::vector<uint32_t> topology;
  std::vector<uint32_t> tables;
  std::vector<GroupRecord> records;
  FrameConstants frame{};
};

constexpr uint32_t kernel_count = static_cast<uint32_t>(Kernel::count);

constexpr uint32_t number_of(Kernel kernel) { return static_cast<uint32_t>(kernel); }
constexpr uint32_t number_of(Probe probe) { return kernel_count + static_cast<uint32_t>(probe); }

// Runs the jobs with one instruction set. Kernels that the set lacks run as scalar code.
void run(const InstructionSet& set, Arenas& arenas, const std::vector<Job>& jobs);

// Returns an empty string if all bits agree; otherwise describes the first difference.
std::string first_difference(const Arenas& a, const Arenas& b);

uint32_t bits_of(float value);

// Returns an element (four floats) of a block in the particles arena.
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

// Generates numbers in [low, high) without depending on a standard library.
struct Sequence {
  uint32_t state = 1;
  float next(float low, float high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * (static_cast<float>(state >> 8) * 0x1p-24f);
  }
};

}  // namespace clothc::probes
