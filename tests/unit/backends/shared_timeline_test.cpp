// shared_timeline_test.cpp - a timeline and its semaphore advance together, whichever side signals them. The tests use
// no file descriptors, which not every driver supports.
#include <gtest/gtest.h>

#include "core/objects/fence.h"
#include "unit/backends/vulkan_backend.h"

namespace clothc::shared_timeline_test {
namespace {

constexpr uint64_t seconds_20 = 20'000'000'000;

TEST(SharedTimelines, vulkan_moves_both_ways) {
  std::string reason;
  const std::unique_ptr<Backend> backend = open_vulkan(reason);
  if (backend == nullptr) GTEST_SKIP() << reason;
  for (int round = 0; round < 20; ++round) {
    const auto fence = std::make_shared<Fence>(nullptr, 3);
    fence->share([&](uint64_t value) { return backend->share(*fence, value); });
    EXPECT_EQ(fence->shared()->value(), 3u);
    // Another API signals.
    fence->shared()->signal(5);
    EXPECT_TRUE(fence->wait(5, seconds_20));
    // The host signals.
    fence->signal(6);
    EXPECT_EQ(fence->shared()->value(), 6u);
    const std::shared_ptr<Stream> stream = backend->create_stream();
    const MemoryPointer memory = backend->allocate(4096, MemoryVisibility::device_only);
    CommandList commands;
    commands.add(Fill{memory, 0, 4096, {1, 1, 1, 1}});
    // The device signals.
    commands.add(Signal{fence, 9});
    const uint64_t submitted = stream->submit(commands);
    EXPECT_TRUE(fence->wait(9, seconds_20));
    EXPECT_TRUE(stream->wait(submitted, CLOTHC_WAIT_FOREVER));
    EXPECT_EQ(fence->shared()->value(), 9u);
    // The timeline has already passed this value.
    fence->shared()->signal(4);
    EXPECT_EQ(fence->shared()->value(), 9u);
  }
}

}  // namespace
}  // namespace clothc::shared_timeline_test
