// radix.h - stable sort of pairs and exclusive scan over words: integers only, so every correct one gives the same bits.
#pragma once

#include <cstdint>

namespace clothc::cpu {

// Sorts by key; the scratch arrays are as long as the others. The result is in keys and values.
void sort_pairs(uint32_t* keys, uint32_t* values, uint32_t* scratch_keys, uint32_t* scratch_values, uint64_t count);

// Replaces each word by the sum of those before it, modulo 2^32.
void exclusive_scan(uint32_t* words, uint64_t count);

}  // namespace clothc::cpu
