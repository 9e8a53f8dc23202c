// radix.h - stable sort of pairs and exclusive scan over words. Both work on integers only, so every correct
// implementation gives the same bits.
#pragma once

#include <cstdint>

namespace clothc::cpu {

// Sorts pairs by key and leaves the result in keys and values. All four arrays have count elements.
void sort_pairs(uint32_t* keys, uint32_t* values, uint32_t* scratch_keys, uint32_t* scratch_values, uint64_t count);

// Replaces each word by the sum of the words before it, modulo 2^32.
void exclusive_scan(uint32_t* words, uint64_t count);

}  // namespace clothc::cpu
