// preparation_test.cpp - compiling before it is needed: progress, stages, destroying a device meanwhile, the same
// results, and caches that are saved and loaded, damaged, cut, or of another device.
#include <atomic>
#include <thread>

#include "support/scene.h"

using namespace clothc_test;

namespace preparation_test {
namespace {

class Preparing : public OnEveryBackend {
 protected:
  void SetUp() override { ASSERT_OK(clothc_device_create(&desc_, &device_)); }
  void TearDown() override {
    if (device_ != nullptr) {
      EXPECT_OK(clothc_device_destroy(device_));
    }
  }
  bool compiles() const { return GetParam() != CLOTHC_BACKEND_CPU; }
  std::vector<uint8_t> save() const {
    uint64_t size = 0;
    EXPECT_OK(clothc_device_save_cache(device_, nullptr, &size));
    std::vector<uint8_t> cache(size);
    EXPECT_OK(clothc_device_save_cache(device_, cache.data(), &size));
    EXPECT_EQ(size, cache.size());
    return cache;
  }
  clothc_result load(const std::vector<uint8_t>& cache) const {
    return clothc_device_load_cache(device_, cache.data(), cache.size());
  }

  static clothc_device_desc described(clothc_backend backend) {
    clothc_device_desc desc = initialised<clothc_device_desc>();
    desc.backend = backend;
    desc.hang_timeout_ms = longest_work / 1'000'000;
    return desc;
  }
  clothc_device_desc desc_ = described(GetParam());
  clothc_device device_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(Backend, Preparing, testing::ValuesIn(available_backends()), backend_name);

constexpr uint32_t few = 1u << CLOTHC_STAGE_INTEGRATION, more = few | 1u << CLOTHC_STAGE_PHASES;

// The hash of some updates on a device.
uint64_t hash_on(clothc_backend backend, clothc_device device) {
  SceneOptions options(backend);
  options.given_device = device;
  Scene scene(options);
  scene.step(3);
  uint64_t hash = 0;
  EXPECT_OK(clothc_solver_state_hash(scene.solver, &hash));
  return hash;
}

TEST_P(Preparing, tells_how_far_it_has_come_and_counts_nothing_twice) {
  uint32_t done = 7, total = 7;
  EXPECT_OK(clothc_device_wait(device_, 0, &done, &total));
  EXPECT_EQ(done, 0u);
  EXPECT_EQ(total, 0u);
  ASSERT_OK(clothc_device_prepare(device_, few));
  uint32_t last = 0;
  for (clothc_result result = CLOTHC_TIMEOUT; result == CLOTHC_TIMEOUT;) {
    result = clothc_device_wait(device_, 1'000'000, &done, &total);
    ASSERT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_TIMEOUT) << clothc_last_error_message();
    EXPECT_GE(done, last);
    EXPECT_EQ(result == CLOTHC_SUCCESS, done == total);
    last = done;
  }
  EXPECT_EQ(total > 0, compiles());
  const uint32_t of_few = total;
  ASSERT_OK(clothc_device_prepare(device_, few));
  EXPECT_OK(clothc_device_wait(device_, longest_work, nullptr, &total));
  EXPECT_EQ(total, of_few);
  ASSERT_OK(clothc_device_prepare(device_, more));
  EXPECT_OK(clothc_device_wait(device_, longest_work, &done, &total));
  EXPECT_EQ(total > of_few, compiles());
  EXPECT_EQ(done, total);
}

TEST_P(Preparing, changes_no_results_and_takes_updates_meanwhile) {
  const uint64_t expected = hash_on(GetParam(), nullptr);
  ASSERT_OK(clothc_device_prepare(device_, more));
  EXPECT_EQ(hash_on(GetParam(), device_), expected);
  EXPECT_OK(clothc_device_wait(device_, longest_work, nullptr, nullptr));
  EXPECT_EQ(hash_on(GetParam(), device_), expected);
}

TEST_P(Preparing, ends_when_the_device_is_destroyed) {
  std::atomic<clothc_result> result{CLOTHC_SUCCESS};
  std::atomic<bool> is_waiting{false};
  ASSERT_OK(clothc_device_prepare(device_, more));
  std::thread waiting([&] {
    is_waiting = true;
    result = clothc_device_wait(device_, CLOTHC_WAIT_FOREVER, nullptr, nullptr);
  });
  while (!is_waiting) std::this_thread::yield();
  EXPECT_OK(clothc_device_destroy(device_));
  waiting.join();
  device_ = nullptr;
  EXPECT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_INVALID_HANDLE) << clothc_result_name(result);
}

TEST_P(Preparing, refuses_what_is_no_stage_and_no_device) {
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_prepare(device_, 1u << 31), "stages is 0x80000000",
               "CLOTHC_STAGE_");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_device_prepare(nullptr, 0), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_device_wait(nullptr, 0, nullptr, nullptr), "null");
  uint64_t size = 0;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_device_save_cache(nullptr, nullptr, &size), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_device_load_cache(nullptr, &size, 8), "null");
}

TEST_P(Preparing, a_cache_is_saved_and_loaded) {
  ASSERT_OK(clothc_device_prepare(device_, few));
  ASSERT_OK(clothc_device_wait(device_, longest_work, nullptr, nullptr));
  const std::vector<uint8_t> cache = save();
  EXPECT_OK(load(cache));
  EXPECT_OK(clothc_device_destroy(device_));
  ASSERT_OK(clothc_device_create(&desc_, &device_));
  EXPECT_OK(load(cache));
  EXPECT_EQ(hash_on(GetParam(), device_), hash_on(GetParam(), nullptr));
  // What was loaded is saved again.
  EXPECT_GE(save().size(), cache.size());
}

TEST_P(Preparing, caches_refuse_bad_arguments) {
  const std::vector<uint8_t> cache = save();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_save_cache(device_, nullptr, nullptr), "size", "null");
  std::vector<uint8_t> short_one(cache.size() - 1, 42);
  uint64_t size = short_one.size();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_save_cache(device_, short_one.data(), &size), "size is",
               std::to_string(cache.size()).c_str());
  EXPECT_EQ(short_one, std::vector<uint8_t>(cache.size() - 1, 42));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_load_cache(device_, nullptr, 8), "null");
}

TEST_P(Preparing, a_damaged_cache_is_ignored_with_a_message) {
  const std::vector<uint8_t> cache = save();
  for (size_t size = 0; size < cache.size(); ++size) {
    const std::vector<uint8_t> cut(cache.begin(), cache.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(load(cut), CLOTHC_ERROR_INVALID_ARGUMENT) << size;
  }
  for (size_t k = 0; k < cache.size(); ++k) {
    std::vector<uint8_t> damaged = cache;
    damaged[k] ^= 0x10;
    const clothc_result result = load(damaged);
    EXPECT_TRUE(result == CLOTHC_ERROR_INVALID_ARGUMENT || result == CLOTHC_ERROR_UNSUPPORTED) << k;
    EXPECT_NE(std::string(clothc_last_error_message()).find("ignored"), std::string::npos)
        << clothc_last_error_message();
  }
  std::vector<uint8_t> longer = cache;
  longer.resize(cache.size() + 4);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, load(longer), "cut or joined", "ignored");
  EXPECT_EQ(hash_on(GetParam(), device_), hash_on(GetParam(), nullptr));
}

TEST_P(Preparing, a_cache_of_another_device_is_ignored_with_a_message) {
  const std::vector<uint8_t> cache = save();
  bool found = false;
  for (const clothc_backend other : available_backends()) {
    if (other == GetParam()) continue;
    found = true;
    clothc_device_desc desc = described(other);
    clothc_device device = nullptr;
    ASSERT_OK(clothc_device_create(&desc, &device));
    clothc_device_info info = initialised<clothc_device_info>();
    EXPECT_OK(clothc_device_get_info(device, &info));
    EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_device_load_cache(device, cache.data(), cache.size()), info.name,
                 "ignored");
    EXPECT_OK(clothc_device_destroy(device));
  }
  if (!found) GTEST_SKIP() << "only one backend works here";
}

}  // namespace
}  // namespace preparation_test
