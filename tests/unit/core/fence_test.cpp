// fence_test.cpp - fences: reserved values, waits with and without time-out, waiters in any order, and many threads.
#include "core/objects/fence.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <thread>

namespace clothc::fence_test {
namespace {

constexpr uint64_t forever = CLOTHC_WAIT_FOREVER;
constexpr uint64_t millisecond = 1'000'000;

// A waiter that calls a function.
struct Call {
  Call(uint64_t value, std::function<void()> f) : function(std::move(f)) {
    waiter.resume = [](void* argument) { static_cast<Call*>(argument)->function(); };
    waiter.argument = this;
    waiter.value = value;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  std::function<void()> function;
  Timeline::Waiter waiter;
};

TEST(Fence, only_grows) {
  Fence fence(nullptr, 5);
  EXPECT_EQ(fence.value(), 5u);
  fence.signal(3);
  EXPECT_EQ(fence.value(), 5u);
  fence.signal(9);
  EXPECT_EQ(fence.value(), 9u);
  fence.signal(9);
  EXPECT_EQ(fence.value(), 9u);
  fence.signal(UINT64_MAX);
  EXPECT_EQ(fence.value(), UINT64_MAX);
}

// A semaphore as another device, API or process may raise it.
class FakeSemaphore final : public SharedTimeline {
 public:
  uint64_t value() const override { return value_; }
  void signal(uint64_t value) override {
    value_ = value;
    ++signals;
  }
  void require_order(uint64_t value, uint64_t queued) const override {
    CLOTHC_REQUIRE(value < queued, "%llu is not below %llu", static_cast<unsigned long long>(value),
                   static_cast<unsigned long long>(queued));
  }
  void require_expected(uint64_t value) const override {
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, false, "nothing raises it to %llu",
                      static_cast<unsigned long long>(value));
  }
  platform::OsHandle export_handle() const override { return {}; }
  void raise_there(uint64_t value) { value_ = value; }
  int signals = 0;

 private:
  uint64_t value_ = 0;
};

clothc_result result_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return failure.result;
  }
  return CLOTHC_SUCCESS;
}

TEST(Fence, is_signalled_by_a_program_below_all_that_queued_work_will_signal) {
  const auto semaphore = std::make_shared<FakeSemaphore>();
  Fence fence(nullptr, 0);
  fence.share([&](uint64_t) { return semaphore; });
  EXPECT_TRUE(fence.reserve(5, {}));
  EXPECT_TRUE(fence.reserve(8, {}));
  const auto signal = [&](uint64_t value) { return result_of([&] { fence.signal_for_program(value); }); };
  EXPECT_EQ(signal(3), CLOTHC_SUCCESS);
  EXPECT_EQ(signal(3), CLOTHC_ERROR_INVALID_ARGUMENT);
  for (const uint64_t value : {5, 6, 8, 9}) EXPECT_EQ(signal(value), CLOTHC_ERROR_INVALID_ARGUMENT) << value;
  // The device has signalled 5, of which the fence does not know yet.
  semaphore->raise_there(5);
  EXPECT_EQ(signal(4), CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(signal(6), CLOTHC_SUCCESS);
  EXPECT_EQ(semaphore->value(), 6u);
  fence.take_back(8);
  EXPECT_EQ(signal(9), CLOTHC_SUCCESS);
  EXPECT_EQ(semaphore->signals, 3);
}

TEST(Fence, follows_a_semaphore_without_signalling_it) {
  const auto semaphore = std::make_shared<FakeSemaphore>();
  Fence fence(nullptr, 0);
  fence.share([&](uint64_t) { return semaphore; });
  fence.follow(4);
  EXPECT_EQ(fence.value(), 4u);
  EXPECT_EQ(semaphore->signals, 0);
  fence.signal(5);
  EXPECT_EQ(semaphore->signals, 1);
}

TEST(Fence, waits_for_what_is_promised_and_refuses_what_nothing_will_tell) {
  Fence fence(nullptr, 0);
  fence.share([](uint64_t) { return std::make_shared<FakeSemaphore>(); });
  EXPECT_EQ(result_of([&] { fence.wait(4, 0); }), CLOTHC_ERROR_UNSUPPORTED);
  EXPECT_TRUE(fence.reserve(4, {}));
  EXPECT_FALSE(fence.wait(4, millisecond));
  EXPECT_EQ(result_of([&] { fence.wait(5, 0); }), CLOTHC_ERROR_UNSUPPORTED);
}

TEST(Fence, promises_are_above_all_that_was_signalled_or_promised) {
  Fence fence(nullptr, 5);
  EXPECT_EQ(fence.reserved(), 5u);
  EXPECT_FALSE(fence.reserve(5, {}));
  EXPECT_TRUE(fence.reserve(8, {}));
  EXPECT_FALSE(fence.reserve(8, {}));
  EXPECT_FALSE(fence.reserve(7, {}));
  EXPECT_EQ(fence.reserved(), 8u);
  EXPECT_EQ(fence.value(), 5u) << "a promise is no signal";
  fence.signal(6);
  EXPECT_EQ(fence.reserved(), 8u);
  fence.signal(20);
  EXPECT_EQ(fence.reserved(), 20u);
  EXPECT_FALSE(fence.reserve(20, {}));
  EXPECT_TRUE(fence.reserve(21, {}));
}

TEST(Fence, a_promise_is_taken_back_unless_a_later_one_stands_on_it) {
  Fence fence(nullptr, 5);
  EXPECT_TRUE(fence.reserve(8, {}));
  fence.take_back(8);
  EXPECT_EQ(fence.reserved(), 5u);
  EXPECT_TRUE(fence.reserve(8, {}));
  EXPECT_TRUE(fence.reserve(9, {}));
  fence.take_back(8);
  EXPECT_EQ(fence.reserved(), 9u) << "the later promise stays";
  fence.signal(9);
  fence.take_back(9);
  EXPECT_EQ(fence.reserved(), 9u) << "the value has been reached";
}

TEST(Fence, a_wait_for_a_value_that_was_reached_returns_at_once) {
  Fence fence(nullptr, 5);
  for (const uint64_t timeout : {uint64_t{0}, millisecond, forever}) {
    EXPECT_TRUE(fence.wait(0, timeout));
    EXPECT_TRUE(fence.wait(5, timeout));
  }
}

TEST(Fence, a_wait_ends_with_its_time_out_and_not_before) {
  Fence fence(nullptr, 5);
  EXPECT_FALSE(fence.wait(6, 0));
  for (const uint64_t timeout : {uint64_t{1}, 5 * millisecond}) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(fence.wait(6, timeout));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::nanoseconds(timeout));
  }
}

TEST(Fence, a_wait_ends_when_another_thread_signals_however_long_its_time_out) {
  for (const uint64_t timeout : {uint64_t{60'000} * millisecond, forever, forever - 1, forever / 2}) {
    Fence fence(nullptr, 0);
    std::thread signaller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      fence.signal(1);
      fence.signal(2);
    });
    EXPECT_TRUE(fence.wait(2, timeout));
    signaller.join();
  }
}

TEST(Fence, waiters_are_called_once_when_their_value_is_reached) {
  Fence fence(nullptr, 0);
  std::vector<int> called;
  std::deque<Call> calls;
  for (const uint64_t value : {3u, 1u, 2u, 1u, 7u}) {
    calls.emplace_back(value, [&called, k = static_cast<int>(calls.size())] { called.push_back(k); });
    ASSERT_TRUE(fence.call_when(calls.back().waiter));
  }
  EXPECT_TRUE(called.empty());
  fence.signal(1);
  EXPECT_EQ(called, (std::vector<int>{1, 3}));
  fence.signal(1);
  fence.signal(6);
  EXPECT_EQ(called, (std::vector<int>{1, 3, 0, 2}));
  fence.signal(7);
  fence.signal(8);
  EXPECT_EQ(called, (std::vector<int>{1, 3, 0, 2, 4}));
}

TEST(Fence, a_waiter_that_need_not_wait_is_not_kept) {
  Fence fence(nullptr, 5);
  Call call(5, [] { FAIL(); });
  EXPECT_FALSE(fence.call_when(call.waiter));
  EXPECT_FALSE(fence.forget(call.waiter));
  fence.signal(6);
}

TEST(Fence, forgotten_waiters_are_not_called) {
  Fence fence(nullptr, 0);
  std::vector<size_t> called;
  std::deque<Call> calls;
  for (size_t k = 0; k < 5; ++k) {
    calls.emplace_back(1, [&called, k] { called.push_back(k); });
    fence.call_when(calls.back().waiter);
  }
  for (const size_t k : {size_t{0}, size_t{2}, size_t{4}}) {
    EXPECT_TRUE(fence.forget(calls[k].waiter));
    EXPECT_FALSE(fence.forget(calls[k].waiter)) << "twice";
  }
  EXPECT_TRUE(fence.call_when(calls[2].waiter)) << "again, now as the last one";
  fence.signal(1);
  EXPECT_EQ(called, (std::vector<size_t>{1, 3, 2}));
  for (Call& call : calls) EXPECT_FALSE(fence.forget(call.waiter));
}

TEST(Fence, a_waiter_may_use_the_fence_that_calls_it) {
  Fence fence(nullptr, 0);
  std::vector<int> called;
  Call forgotten(1, [&] { called.push_back(-1); });
  Call later(2, [&] { called.push_back(2); });
  Call at_once(1, [&] { called.push_back(-2); });
  Call first(1, [&] {
    called.push_back(1);
    EXPECT_EQ(fence.value(), 1u);
    EXPECT_TRUE(fence.forget(forgotten.waiter));
    EXPECT_TRUE(fence.call_when(later.waiter));
    EXPECT_FALSE(fence.call_when(at_once.waiter));
    fence.signal(2);
  });
  fence.call_when(first.waiter);
  fence.call_when(forgotten.waiter);
  fence.signal(1);
  EXPECT_EQ(called, (std::vector<int>{1, 2}));
  EXPECT_EQ(fence.value(), 2u);
}

TEST(Fence, many_threads_wait_for_their_turn) {
  constexpr uint64_t turns = 50;
  constexpr uint64_t thread_count = 4;
  Fence fence(nullptr, 0);
  // Each thread writes it when it is its turn.
  uint64_t counter = 0;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t turn = t; turn < turns * thread_count; turn += thread_count) {
        while (!fence.wait(turn, turn % 3 == 0 ? 100'000 : forever)) {
        }
        EXPECT_EQ(counter, turn);
        ++counter;
        fence.signal(turn + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, turns * thread_count);
}

TEST(Fence, a_waiter_is_either_called_or_forgotten_whoever_is_first) {
  constexpr size_t call_count = 300;
  Fence fence(nullptr, 0);
  std::vector<std::atomic<int>> called(call_count);
  std::deque<Call> calls;
  for (size_t k = 0; k < call_count; ++k) calls.emplace_back(k + 1, [&called, k] { ++called[k]; });
  std::vector<int> kept(call_count);
  std::vector<int> forgotten(call_count);
  std::thread signallers[2];
  std::atomic<uint64_t> next{0};
  for (std::thread& thread : signallers) {
    thread = std::thread([&] {
      while (next < call_count) fence.signal(++next);
    });
  }
  for (size_t k = 0; k < call_count; ++k) kept[k] = fence.call_when(calls[k].waiter) ? 1 : 0;
  for (size_t k = 0; k < call_count; k += 2) forgotten[k] = fence.forget(calls[k].waiter) ? 1 : 0;
  for (std::thread& thread : signallers) thread.join();
  for (size_t k = 0; k < call_count; ++k) ASSERT_EQ(called[k], kept[k] - forgotten[k]) << k;
}

TEST(Fence, promises_of_many_threads_are_all_different) {
  Fence fence(nullptr, 0);
  std::atomic<int> granted{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (uint64_t value = 1; value <= 1000; ++value) granted += fence.reserve(value, {}) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(granted, 1000);
  EXPECT_GE(granted, 1);
  EXPECT_EQ(fence.reserved(), 1000u);
}

}  // namespace
}  // namespace clothc::fence_test
