// hang_detection_test.cpp - when work counts as hung: after a time without progress, of which a part may have been under
// a longer time-out, and not before.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>

#include "backend_gpu/watcher.h"

namespace clothc::gpu::hang_detection_test {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t ms = 1'000'000;

// A device and its only semaphore, which go by how often a thread has looked whether the work has ended: every look
// takes a while, and so many looks are under the long time-out. Progress raises the semaphore with each look, and the
// last look finds the work ended.
struct Script {
  int long_looks = 0;
  int last_look = 1000;
  bool makes_progress = false;
  uint64_t work = 1000;
};

struct Device {
  Script script;
  std::atomic<int> looks{0};
  std::atomic<bool> lost{false};

  bool is_lost() const { return lost; }
  void lose(const char*) { lost = true; }
  void require_alive() const {
    if (lost) throw std::runtime_error("lost");
  }
  uint64_t hang_timeout_ns() const { return looks <= script.long_looks ? 10'000 * ms : 100 * ms; }
};

struct Semaphore {
  std::shared_ptr<Device> device;

  uint64_t value() const {
    const int looks = device->looks;
    if (looks >= device->script.last_look) return device->script.work;
    return device->script.makes_progress ? static_cast<uint64_t>(looks) : 0;
  }
  bool wait(uint64_t wanted, uint64_t) const {
    std::this_thread::sleep_for(milliseconds(20));
    ++device->looks;
    return value() >= wanted;
  }
};

struct TestTimeline : Timeline {
  using Timeline::Timeline;
};

std::shared_ptr<Device> device_with(const Script& script) {
  auto device = std::make_shared<Device>();
  device->script = script;
  return device;
}

// Each returns whether the work counted as hung.
bool waited(const Script& script) {
  const auto device = device_with(script);
  try {
    wait_unless_hung(*device, Semaphore{device}, script.work, UINT64_MAX, [&] { return script.work; });
  } catch (const std::runtime_error&) {
  }
  return device->lost;
}

bool watched(const Script& script) {
  const auto device = device_with(script);
  const auto timeline = std::make_shared<TestTimeline>(0);
  {
    Watcher<Device, Semaphore> watcher(device);
    watcher.prepare();
    watcher.watch(std::make_shared<Semaphore>(Semaphore{device}), script.work, timeline, 7, false);
  }
  EXPECT_EQ(timeline->value() == 7, !device->lost);
  return device->lost;
}

TEST(HangDetection, finds_work_that_makes_no_progress) {
  EXPECT_TRUE(waited({}));
  EXPECT_TRUE(watched({}));
}

TEST(HangDetection, begins_anew_with_each_progress) {
  Script script;
  script.makes_progress = true;
  script.last_look = 20;
  EXPECT_FALSE(waited(script));
  EXPECT_FALSE(watched(script));
}

// Such as when a driver has compiled for minutes: then the time-out is the usual one again, for the work behind it.
TEST(HangDetection, does_not_count_the_time_of_a_long_timeout_against_a_short_one) {
  Script script;
  script.long_looks = 15;
  script.last_look = 17;
  EXPECT_FALSE(waited(script));
  EXPECT_FALSE(watched(script));
  script.last_look = 1000;
  EXPECT_TRUE(waited(script));
  EXPECT_TRUE(watched(script));
}

TEST(Patience, adds_up_the_parts_of_timeouts_that_have_passed) {
  Patience::Clock::time_point now{};
  Patience patience(now);
  const auto ends = [&](int passed_ms, uint64_t timeout_ms) {
    now += milliseconds(passed_ms);
    return patience.ends(timeout_ms * ms, now);
  };
  for (int k = 0; k < 9; ++k) EXPECT_FALSE(ends(100, 1000));
  for (int k = 0; k < 9; ++k) EXPECT_FALSE(ends(100, 10'000));
  EXPECT_FALSE(ends(9, 1000));
  EXPECT_TRUE(ends(2, 1000));
  patience.renew(now);
  EXPECT_FALSE(ends(200, 1000));
}

TEST(Patience, does_not_end_because_nobody_looked) {
  Patience::Clock::time_point now{};
  Patience patience(now);
  for (int k = 0; k < 4; ++k) EXPECT_FALSE(patience.ends(100 * ms, now += milliseconds(1'000'000)));
  EXPECT_TRUE(patience.ends(100 * ms, now += milliseconds(1'000'000)));
}

}  // namespace
}  // namespace clothc::gpu::hang_detection_test
