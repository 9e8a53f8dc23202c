// hash_test.cpp - the parts of the state hash: 64-bit sums made of two words, and mixing functions that depend on every
// bit.
#include <gtest/gtest.h>

#include <set>

#include "unit/kernels/scalar_functions.h"

namespace clothc::scalar_functions::hash_test {
namespace {

uint64_t value_of(Sum64 sum) { return uint64_t(sum.high) << 32 | sum.low; }
Sum64 sum_of(uint64_t value) { return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)}; }
uint64_t mix_of(uint32_t owner, int number, uint32_t word) { return value_of(add_word({0, 0}, owner, number, word)); }

TEST(Add64, carries_from_the_low_word_into_the_high_one) {
  const uint64_t numbers[] = {0,          1,          0x7fffffffull, 0x80000000ull,         0xffffffffull,
                              1ull << 32, ~0ull >> 1, ~0ull,         0x123456789abcdef0ull, 0xfedcba9876543210ull};
  for (const uint64_t a : numbers) {
    for (const uint64_t b : numbers) {
      EXPECT_EQ(value_of(add64(sum_of(a), sum_of(b).low, sum_of(b).high)), a + b) << a << " + " << b;
    }
  }
}

TEST(AddWord, does_not_depend_on_the_order) {
  const Sum64 one = add_word(add_word({5, 6}, 1, 2, 3), 7, 8, 9);
  const Sum64 other = add_word(add_word({5, 6}, 7, 8, 9), 1, 2, 3);
  EXPECT_EQ(value_of(one), value_of(other));
}

TEST(AddWord, depends_on_every_bit_of_its_arguments) {
  std::set<uint64_t> mixes = {mix_of(17, 3, 0)};
  for (int bit = 0; bit < 32; ++bit) {
    mixes.insert(mix_of(17, 3, 1u << bit));
    mixes.insert(mix_of(17 ^ 1u << bit, 3, 0));
  }
  for (int bit = 0; bit < 12; ++bit) mixes.insert(mix_of(17, 3 ^ 1 << bit, 0));
  EXPECT_EQ(mixes.size(), 1u + 32 + 32 + 12);
}

TEST(AddWord, tells_swapped_words_apart) {
  const uint64_t one = mix_of(0, 0, 5) + mix_of(0, 1, 9);
  const uint64_t other = mix_of(0, 0, 9) + mix_of(0, 1, 5);
  EXPECT_NE(one, other);
}

TEST(AddVector, adds_its_four_words_in_turn) {
  const Sum64 sum = add_vector({0, 0}, 11, 4, {1.0f, -2.0f, 0.5f, 3.0f});
  const uint64_t expected = mix_of(11, 4, as_bits(1.0f)) + mix_of(11, 5, as_bits(-2.0f)) +
                            mix_of(11, 6, as_bits(0.5f)) + mix_of(11, 7, as_bits(3.0f));
  EXPECT_EQ(value_of(sum), expected);
}

}  // namespace
}  // namespace clothc::scalar_functions::hash_test
