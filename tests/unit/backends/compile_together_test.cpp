// compile_together_test.cpp - entry points are compiled once each, on several threads, and a failure reaches the caller.
#include "backend_gpu/compile_together.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "core/base/result.h"

namespace clothc::gpu::compile_together_test {
namespace {

std::vector<EntryPoint> some_entries(uint32_t count) {
  std::vector<EntryPoint> entries;
  for (uint32_t k = 0; k < count; ++k) entries.push_back(static_cast<EntryPoint>(k));
  return entries;
}

TEST(CompileTogether, compiles_each_entry_point_once_on_at_most_eight_threads) {
  std::mutex mutex;
  std::multiset<EntryPoint> compiled;
  std::set<std::thread::id> threads;
  const std::vector<EntryPoint> entries = some_entries(100);
  compile_together(entries, [&](EntryPoint entry) {
    const std::lock_guard<std::mutex> lock(mutex);
    compiled.insert(entry);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(compiled, std::multiset<EntryPoint>(entries.begin(), entries.end()));
  EXPECT_LE(threads.size(), most_compiling_threads);
}

TEST(CompileTogether, runs_on_two_threads_where_there_are_two_cores) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "this machine has one core";
  // Each waits for the other, so one thread alone would not end.
  std::atomic<int> begun{0};
  compile_together(some_entries(2), [&](EntryPoint) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 2);
}

TEST(CompileTogether, throws_a_failure_with_its_message_on_the_calling_thread) {
  try {
    compile_together(some_entries(100), [&](EntryPoint entry) {
      if (entry == static_cast<EntryPoint>(50)) fail(CLOTHC_ERROR_UNSUPPORTED, "entry %d does not compile", 50);
    });
    FAIL() << "it did not throw";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, CLOTHC_ERROR_UNSUPPORTED);
    EXPECT_STREQ(failure_message(), "entry 50 does not compile");
  }
}

}  // namespace
}  // namespace clothc::gpu::compile_together_test
