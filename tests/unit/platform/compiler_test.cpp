// compiler_test.cpp - tests what compilers have words of their own for, whose forms for one compiler no other one sees.
#include "platform/compiler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "platform/processor.h"

namespace clothc::compiler_test {
namespace {

TEST(Compiler, first_bit_is_the_lowest_one) {
  for (int k = 0; k < 32; ++k) {
    EXPECT_EQ(platform::first_bit(1u << k), k);
    EXPECT_EQ(platform::first_bit(0xffffffffu << k), k);
  }
}

TEST(Compiler, square_roots_are_rounded_correctly) {
  for (const float a : {0.0f, 1.0f, 2.0f, 3.0f, 1e-30f, 1e30f, std::numeric_limits<float>::denorm_min()})
    EXPECT_EQ(platform::square_root(a), static_cast<float>(std::sqrt(static_cast<double>(a))));
}

TEST(Compiler, words_are_copied_as_they_are) {
  const uint32_t not_a_number = 0x7fa00001u;
  uint32_t copy = 0;
  platform::copy_word(&copy, &not_a_number);
  EXPECT_EQ(copy, not_a_number);
}

TEST(Compiler, no_addition_is_lost_among_threads) {
  constexpr uint32_t additions = 20000;
  uint32_t sum = 0;
  const auto add = [&] {
    for (uint32_t k = 0; k < additions; ++k) platform::add_atomically(&sum, 3);
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) threads.emplace_back(add);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 4 * 3 * additions);
}

// The smallest normal number halved is zero where the processor flushes to zero.
TEST(Compiler, the_float_control_decides_how_a_thread_computes) {
#if defined(CLOTHC_X86)
  constexpr platform::FloatControl flush_to_zero = 0x8000;
#elif defined(CLOTHC_ARM64)
  constexpr platform::FloatControl flush_to_zero = 1u << 24;
#else
  GTEST_SKIP() << "this processor has no float control that is known here";
#endif
  volatile float smallest = std::numeric_limits<float>::min();
  const platform::FloatControl before = platform::float_control();
  platform::set_float_control(platform::default_float_control | flush_to_zero);
  EXPECT_EQ(platform::float_control() & flush_to_zero, flush_to_zero);
  const float flushed = smallest * 0.5f;
  platform::set_float_control(platform::default_float_control);
  const float kept = smallest * 0.5f;
  platform::set_float_control(before);
  EXPECT_EQ(flushed, 0.0f);
  EXPECT_GT(kept, 0.0f);
}

TEST(Processor, tells_its_name_and_its_memory) {
  EXPECT_FALSE(platform::processor_name().empty());
  EXPECT_EQ(platform::processor_name().find('\n'), std::string::npos);
  EXPECT_GT(platform::memory_size(), uint64_t{64} << 20);
}

TEST(Processor, has_no_wide_vectors_without_narrower_ones) {
  const platform::ProcessorFeatures features = platform::processor_features();
  EXPECT_TRUE(features.sse4_1 || !features.avx2);
  EXPECT_TRUE(features.avx2 || !features.avx512);
  EXPECT_TRUE(features.avx512 || !features.avx512_vbmi2);
}

}  // namespace
}  // namespace clothc::compiler_test
