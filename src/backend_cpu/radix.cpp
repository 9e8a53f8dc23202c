// radix.cpp - least significant digit radix sort with 8 bits per pass. Source: Knuth 1998, The Art of Computer
// Programming, volume 3, algorithm 5.2.5R. The number of passes, four, is even, so the result ends in the arrays in
// which it began. For that reason a pass also copies when all keys have the same digit.
#include "backend_cpu/radix.h"

#include <utility>

namespace clothc::cpu {

void sort_pairs(uint32_t* keys, uint32_t* values, uint32_t* scratch_keys, uint32_t* scratch_values, uint64_t count) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    uint64_t offsets[256] = {};
    for (uint64_t k = 0; k < count; ++k) ++offsets[keys[k] >> shift & 255u];
    uint64_t sum = 0;
    for (uint64_t& offset : offsets) sum += std::exchange(offset, sum);
    for (uint64_t k = 0; k < count; ++k) {
      const uint64_t target = offsets[keys[k] >> shift & 255u]++;
      scratch_keys[target] = keys[k];
      scratch_values[target] = values[k];
    }
    std::swap(keys, scratch_keys);
    std::swap(values, scratch_values);
  }
}

void exclusive_scan(uint32_t* words, uint64_t count) {
  uint32_t sum = 0;
  for (uint64_t k = 0; k < count; ++k) sum += std::exchange(words[k], sum);
}

}  // namespace clothc::cpu
