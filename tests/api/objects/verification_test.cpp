// verification_test.cpp - verifying a device, and what the program is told of it: verdicts, results by kernel, caches that
// keep a verdict, the flag that demands one, and work that goes on meanwhile.
#include <cstring>
#include <set>

#include "support/scene.h"

using namespace clothc_test;

namespace verification_test {
namespace {

clothc_verification known_of(clothc_device device) {
  clothc_verification known = initialised<clothc_verification>();
  EXPECT_OK(clothc_device_get_verification(device, &known, nullptr, nullptr));
  return known;
}

std::vector<clothc_verification_row> rows_of(clothc_device device) {
  uint32_t count = 0;
  EXPECT_OK(clothc_device_get_verification(device, nullptr, nullptr, &count));
  std::vector<clothc_verification_row> rows(count, initialised<clothc_verification_row>());
  if (count == 0) return rows;
  EXPECT_OK(clothc_device_get_verification(device, nullptr, rows.data(), &count));
  return rows;
}

bool is_strict(clothc_device device) {
  clothc_device_info info = initialised<clothc_device_info>();
  EXPECT_OK(clothc_device_get_info(device, &info));
  return (info.capabilities & CLOTHC_CAPABILITY_STRICT_PARITY) != 0;
}

std::vector<uint8_t> cache_of(clothc_device device) {
  uint64_t size = 0;
  EXPECT_OK(clothc_device_save_cache(device, nullptr, &size));
  std::vector<uint8_t> cache(size);
  EXPECT_OK(clothc_device_save_cache(device, cache.data(), &size));
  return cache;
}

// Processors need not be prepared, and take a second.
class Verification : public testing::Test {
 protected:
  void SetUp() override { make(); }
  void TearDown() override { EXPECT_OK(clothc_device_destroy(device_)); }
  void make() {
    desc_.backend = CLOTHC_BACKEND_CPU;
    desc_.worker_count = 2;
    ASSERT_OK(clothc_device_create(&desc_, &device_));
  }
  clothc_device_desc desc_ = initialised<clothc_device_desc>();
  clothc_device device_ = nullptr;
};

TEST_F(Verification, finds_every_bit_of_this_processor_equal_and_a_cache_keeps_that) {
  EXPECT_EQ(known_of(device_).verdict, static_cast<uint32_t>(CLOTHC_VERDICT_LISTED));
  EXPECT_TRUE(is_strict(device_));
  EXPECT_TRUE(rows_of(device_).empty());
  ASSERT_OK(clothc_device_verify(device_, 0));
  const clothc_verification known = known_of(device_);
  EXPECT_EQ(known.verdict, static_cast<uint32_t>(CLOTHC_VERDICT_EQUAL)) << known.message;
  EXPECT_EQ(known.running, 0u);
  EXPECT_EQ(known.cached, 0u);
  EXPECT_EQ(known.different_row_count, 0u);
  EXPECT_EQ(known.different_word_count, 0u);
  EXPECT_GT(known.time_ns, 0u);
  EXPECT_TRUE(is_strict(device_));
  const std::vector<clothc_verification_row> rows = rows_of(device_);
  ASSERT_EQ(rows.size(), known.row_count);
  uint64_t words = 0;
  std::set<uint32_t> forms;
  for (const clothc_verification_row& row : rows) {
    EXPECT_EQ(row.struct_size, sizeof(clothc_verification_row));
    EXPECT_GT(row.run_count, 0u) << row.name;
    words += row.word_count;
    forms.insert(row.form);
  }
  EXPECT_EQ(words, known.word_count);
  EXPECT_EQ(forms,
            (std::set<uint32_t>{CLOTHC_FORM_PASS, CLOTHC_FORM_PROGRAM, CLOTHC_FORM_OPERATION, CLOTHC_FORM_UPDATE}));
  uint32_t few = 3;
  std::vector<clothc_verification_row> first(few, initialised<clothc_verification_row>());
  EXPECT_EQ(clothc_device_get_verification(device_, nullptr, first.data(), &few), CLOTHC_INCOMPLETE);
  EXPECT_EQ(few, 3u);
  EXPECT_STREQ(first[2].name, rows[2].name);

  const std::vector<uint8_t> cache = cache_of(device_);
  EXPECT_OK(clothc_device_destroy(device_));
  desc_.cache = cache.data();
  desc_.cache_size = cache.size();
  desc_.flags = CLOTHC_DEVICE_STRICT_PARITY;
  make();
  EXPECT_EQ(known_of(device_).verdict, static_cast<uint32_t>(CLOTHC_VERDICT_EQUAL));
  EXPECT_EQ(known_of(device_).cached, 1u);
  EXPECT_EQ(known_of(device_).row_count, 0u);
  EXPECT_STREQ(known_of(device_).driver, known.driver);
}

TEST_F(Verification, of_another_instruction_set_does_not_count) {
  std::vector<uint8_t> cache = cache_of(device_);
  EXPECT_OK(clothc_device_destroy(device_));
  desc_.isa = CLOTHC_ISA_SCALAR;
  desc_.cache = cache.data();
  desc_.cache_size = cache.size();
  make();
  EXPECT_EQ(known_of(device_).cached, 0u);
  EXPECT_EQ(known_of(device_).verdict, static_cast<uint32_t>(CLOTHC_VERDICT_LISTED));
}

TEST_F(Verification, goes_on_in_the_background_beside_updates) {
  ASSERT_OK(clothc_device_verify(device_, CLOTHC_VERIFY_IN_BACKGROUND));
  EXPECT_OK(clothc_device_verify(device_, CLOTHC_VERIFY_IN_BACKGROUND)) << "one goes on already";
  uint32_t done = 7, total = 7;
  EXPECT_EQ(clothc_device_wait(device_, 0, &done, &total), CLOTHC_TIMEOUT);
  EXPECT_EQ(done, 0u);
  EXPECT_EQ(total, 1u);
  EXPECT_EQ(known_of(device_).running, 1u);
  EXPECT_EQ(known_of(device_).verdict, static_cast<uint32_t>(CLOTHC_VERDICT_LISTED));
  SceneOptions options(CLOTHC_BACKEND_CPU);
  options.given_device = device_;
  Scene scene(options);
  scene.step(3);
  EXPECT_OK(clothc_device_wait(device_, longest_work, &done, &total));
  EXPECT_EQ(done, 1u);
  EXPECT_EQ(known_of(device_).verdict, static_cast<uint32_t>(CLOTHC_VERDICT_EQUAL)) << known_of(device_).message;
}

TEST_F(Verification, ends_when_the_device_is_destroyed) {
  ASSERT_OK(clothc_device_verify(device_, CLOTHC_VERIFY_IN_BACKGROUND));
  EXPECT_OK(clothc_device_destroy(device_));
  make();
}

TEST_F(Verification, refuses_bad_arguments) {
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_verify(device_, 2), "flags are 0x2", "CLOTHC_VERIFY_");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_device_verify(nullptr, 0), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_device_get_verification(nullptr, nullptr, nullptr, nullptr), "null");
  clothc_verification_row row = initialised<clothc_verification_row>();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_get_verification(device_, nullptr, &row, nullptr), "count");
  clothc_verification unsized{};
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_device_get_verification(device_, &unsized, nullptr, nullptr),
               "struct_size");
  clothc_device_desc desc = desc_;
  desc.cache_size = 8;
  clothc_device other = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_create(&desc, &other), "cache");
  // A cache that fits no device does no harm.
  const uint8_t rubbish[8] = {};
  desc.cache = rubbish;
  ASSERT_OK(clothc_device_create(&desc, &other));
  EXPECT_OK(clothc_device_destroy(other));
}

}  // namespace
}  // namespace verification_test
