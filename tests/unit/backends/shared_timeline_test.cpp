// shared_timeline_test.cpp - a timeline and its semaphore advance together, whichever side signals them. The tests use
// no file descriptors, which not every driver supports.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "unit/backends/vulkan_backend.h"

namespace clothc::shared_timeline_test {
namespace {

// A timeline that remembers its value.
class Memo final : public Timeline {
 public:
  void signal(uint64_t value) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = std::max(value_, value);
    changed_.notify_all();
    if (semaphore_ != nullptr) semaphore_->signal(value);
  }
  bool call_when(Waiter& waiter) override { return value() < waiter.value; }
  bool forget(Waiter&) override { return true; }
  void abandon() override {}
  std::shared_ptr<SharedTimeline> shared() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return semaphore_;
  }
  void share(std::shared_ptr<SharedTimeline> semaphore) {
    const std::lock_guard<std::mutex> lock(mutex_);
    // The previous semaphore is destroyed after the lock is released.
    semaphore_.swap(semaphore);
  }
  uint64_t value() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return value_;
  }
  bool wait(uint64_t value) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return value_ >= value; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t value_ = 0;
  std::shared_ptr<SharedTimeline> semaphore_;
};

TEST(SharedTimelines, vulkan_moves_both_ways) {
  std::string reason;
  const std::unique_ptr<Backend> backend = open_vulkan(reason);
  if (backend == nullptr) GTEST_SKIP() << reason;
  for (int round = 0; round < 20; ++round) {
    const auto memo = std::make_shared<Memo>();
    memo->signal(3);
    memo->share(backend->share(*memo, 3));
    EXPECT_EQ(memo->shared()->value(), 3u);
    // Another API signals.
    memo->shared()->signal(5);
    EXPECT_TRUE(memo->wait(5));
    // The host signals.
    memo->signal(6);
    EXPECT_EQ(memo->shared()->value(), 6u);
    const std::shared_ptr<Stream> stream = backend->create_stream();
    const MemoryPointer memory = backend->allocate(4096, MemoryVisibility::device_only);
    const uint32_t pattern[4] = {1, 1, 1, 1};
    stream->fill(memory, 0, 4096, pattern);
    // The device signals.
    stream->signal(memo, 9);
    const uint64_t marked = stream->mark();
    EXPECT_TRUE(memo->wait(9));
    EXPECT_TRUE(stream->wait(marked, CLOTHC_WAIT_FOREVER));
    EXPECT_EQ(memo->shared()->value(), 9u);
    // The timeline has already passed this value.
    memo->shared()->signal(4);
    EXPECT_EQ(memo->shared()->value(), 9u);
    memo->share(nullptr);
  }
}

}  // namespace
}  // namespace clothc::shared_timeline_test
