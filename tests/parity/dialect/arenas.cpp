// arenas.cpp - runs jobs on the CPU and compares results bit by bit.
#include "parity/dialect/arenas.h"

#include <cstdio>
#include <cstring>

namespace clothc::probes {

void run(const InstructionSet& set, Arenas& arenas, const std::vector<Job>& jobs) {
  cpu::KernelContext context;
  context.particles = arenas.particles.data();
  context.topology = arenas.topology.data();
  context.tables = arenas.tables.data();
  context.records = arenas.records.data();
  context.frame = arenas.frame;
  for (const Job& job : jobs) {
    cpu::KernelFunction function = nullptr;
    if (job.kernel < kernel_count) {
      function = set.kernels->functions[job.kernel];
      if (!function) function = cpu::scalar_kernels.functions[job.kernel];
    } else {
      function = set.probes[job.kernel - kernel_count];
    }
    function(context, job);
  }
}

static std::string first_difference(const char* name, const void* a, const void* b, size_t size) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  for (size_t k = 0; k + 4 <= size; k += 4) {
    uint32_t u, v;
    std::memcpy(&u, left + k, 4);
    std::memcpy(&v, right + k, 4);
    if (u == v) continue;
    char text[120];
    std::snprintf(text, sizeof text, "%s word %zu: 0x%08x and 0x%08x", name, k / 4, u, v);
    return text;
  }
  return "";
}

template <typename T>
static std::string first_difference(const char* name, const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return std::string(name) + " differ in size";
  return first_difference(name, a.data(), b.data(), a.size() * sizeof(T));
}

std::string first_difference(const Arenas& a, const Arenas& b) {
  std::string difference = first_difference("particles", a.particles, b.particles);
  if (difference.empty()) difference = first_difference("tables", a.tables, b.tables);
  if (difference.empty()) difference = first_difference("records", a.records, b.records);
  return difference;
}

uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

}  // namespace clothc::probes
