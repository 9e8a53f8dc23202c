// division_test.cpp - on Vulkan, division and square root give the bits of the scalar code wherever operands and result
// are normal numbers, even on a device whose own results are up to two units in the last place off. Subnormal numbers
// are not tested, and neither is the least normal number, to which some of them are rounded: devices may treat them as
// they like, and the library keeps them out of its state.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "parity/dialect/arenas.h"
#include "parity/dialect/vulkan_runner.h"

namespace clothc::probes::division_test {
namespace {

// Each particle holds two pairs of operands.
constexpr uint32_t particle_count = 1u << 20;
constexpr uint32_t seed_count = 2;

struct Pair {
  float a, b;
};

struct Random {
  uint64_t state;
  uint32_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 33) * 2 + static_cast<uint32_t>(state >> 32 & 1);
  }
  int between(int low, int high) { return low + static_cast<int>(next() % static_cast<uint32_t>(high - low + 1)); }
};

// Makes a number from a significand of 24 bits and the exponent of its first bit.
float number(uint64_t significand, int exponent) { return std::ldexp(static_cast<float>(significand), exponent - 23); }

uint64_t any_significand(Random& random) { return (1u << 23) | (random.next() & 0x7fffff); }

// Returns a significand that is a power of two, all ones, or within a few units of either.
uint64_t edge_significand(Random& random) {
  const uint64_t near = random.next() % 4;
  return random.next() & 1 ? (1u << 23) + near : (1u << 24) - 1 - near;
}

// Makes operands whose quotient lies close to the middle between two neighbouring numbers.
Pair near_tie(Random& random, int exponent, int other_exponent) {
  const uint64_t divisor = any_significand(random);
  const uint64_t middle = 2 * any_significand(random) + 1;
  uint64_t dividend = middle * divisor;
  while (dividend >> 24) dividend >>= 1;
  return {number(dividend + (random.next() & 1), exponent), number(divisor, other_exponent)};
}

// Makes a number whose root lies close to a number or to the middle between two neighbouring numbers.
float near_square(Random& random, int exponent) {
  const uint64_t root = any_significand(random);
  const uint64_t square = random.next() & 1 ? root * root : root * root + root;
  const int shift = square >> 47 ? 24 : 23;
  const uint64_t rounded = (square >> shift) + (random.next() & 1);
  return number(rounded >> 24 ? (1u << 24) - 1 : rounded, 2 * (exponent / 2) + shift - 23);
}

Pair pair_of(Random& random, uint32_t kind) {
  const int e = random.between(-100, 100), f = random.between(-100, 100);
  switch (kind % 8) {
    case 0:
      return {number(any_significand(random), e), number(any_significand(random), f)};
    case 1:
      return {number(edge_significand(random), e), number(edge_significand(random), f)};
    case 2:
      return {number(any_significand(random), e), number(edge_significand(random), f)};
    case 3:
      return near_tie(random, e, f);
    case 4:
      return {near_square(random, e), number(edge_significand(random), e)};
    // Exact quotients, including those of small integers.
    case 5: {
      const auto quotient = static_cast<float>(1 + random.next() % 4096),
                 b = static_cast<float>(1 + random.next() % 4096);
      return {std::ldexp(quotient * b, e / 2), std::ldexp(b, f / 2)};
    }
    // Quotients near the smallest and the largest normal number.
    case 6: {
      const bool tiny = random.next() & 1;
      const int divisor = tiny ? random.between(1, 100) : random.between(-100, -1);
      const int quotient = tiny ? random.between(-127, -125) : random.between(126, 128);
      return {number(any_significand(random), divisor + quotient), number(any_significand(random), divisor)};
    }
    // All normal numbers.
    default:
      return {number(any_significand(random), random.between(-126, 127)),
              number(any_significand(random), random.between(-126, 127))};
  }
}

Arenas pairs(uint64_t seed) {
  Arenas arenas;
  arenas.particles.resize(2 * 4 * size_t(particle_count));
  arenas.frame.previous = particle_count;
  arenas.records.resize(1);
  arenas.topology.resize(1);
  arenas.tables.resize(1);
  Random random{seed};
  for (uint32_t k = 0; k < 2 * particle_count; ++k) {
    const Pair pair = pair_of(random, k);
    const bool negative = random.next() & 1;
    arenas.particles[2 * size_t(k)] = negative ? -pair.a : pair.a;
    arenas.particles[2 * size_t(k) + 1] = random.next() & 1 ? -pair.b : pair.b;
  }
  return arenas;
}

struct Comparison {
  size_t compared = 0;
  size_t different = 0;
  std::string first;
};

Comparison compare(const Arenas& expected, const Arenas& found) {
  Comparison result;
  for (uint32_t k = 0; k < particle_count; ++k) {
    const float* p = element(expected, 0, k);
    const float* v = element(expected, particle_count, k);
    const float* w = element(found, particle_count, k);
    for (size_t j = 0; j < 4; ++j) {
      if (std::fabs(v[j]) <= std::numeric_limits<float>::min() || !std::isfinite(v[j])) continue;
      ++result.compared;
      if (bits_of(v[j]) == bits_of(w[j])) continue;
      if (result.different++ == 0) {
        char text[160];
        std::snprintf(text, sizeof text, "of (%a, %a, %a, %a), result %zu: %a and %a", p[0], p[1], p[2], p[3], j, v[j],
                      w[j]);
        result.first = text;
      }
    }
  }
  return result;
}

TEST(Division, strict_results_are_the_scalar_ones_whatever_the_device_gives) {
  const Job job = {number_of(Probe::divide_and_root), 0, 0, particle_count, 0};
  for (uint32_t seed = 1; seed <= seed_count; ++seed) {
    const Arenas operands = pairs(seed);
    Arenas expected = operands;
    run({&cpu::scalar_kernels, scalar_functions}, expected, {job});
    for (const Arithmetic arithmetic : {Arithmetic{true, false}, Arithmetic{true, true}, Arithmetic{false, true}}) {
      std::string reason;
      const std::unique_ptr<VulkanRunner> vulkan = VulkanRunner::create(CLOTHC_SHADER_FOLDER, arithmetic, reason);
      if (!vulkan) GTEST_SKIP() << reason;
      Arenas found = operands;
      vulkan->run(found, {job});
      const Comparison result = compare(expected, found);
      EXPECT_GT(result.compared, 3 * size_t(particle_count));
      if (arithmetic.strict) {
        EXPECT_EQ(result.different, 0u) << (arithmetic.wrong ? "wrong device " : "device ") << result.first;
      } else {
        EXPECT_GT(result.different, result.compared / 2) << "the wrong device is not wrong";
      }
    }
  }
}

}  // namespace
}  // namespace clothc::probes::division_test
