// device_races_test.cpp - the software device finds operations that nothing orders, and only those.
#include <chrono>
#include <thread>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_races_test {
namespace {

class DeviceRaces : public DeviceTest {
 protected:
  bool found_race(const char* kernel) {
    EXPECT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
    const std::string findings = report();
    return findings.find("race: ") != std::string::npos && findings.find(kernel) != std::string::npos;
  }
};

TEST_F(DeviceRaces, two_streams_without_an_event_race) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  const CUdeviceptr words = allocate();
  ASSERT_EQ(launch("fill", words, 1, make_stream()), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_TRUE(found_race("add"));
}

TEST_F(DeviceRaces, races_are_found_in_late_and_early_starts_too) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  for (const char* rules : {"start=late", "start=early"}) {
    ASSERT_EQ(cuda().control(rules), 0);
    const CUdeviceptr words = allocate();
    ASSERT_EQ(launch("fill", words, 1, make_stream()), CUDA_SUCCESS);
    ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
    EXPECT_TRUE(found_race("add")) << rules;
  }
}

TEST_F(DeviceRaces, no_races_are_looked_for_if_a_rule_says_so) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  ASSERT_EQ(cuda().control("races=off"), 0);
  const CUdeviceptr words = allocate();
  ASSERT_EQ(launch("fill", words, 1, make_stream()), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_FALSE(found_race("add"));
}

TEST_F(DeviceRaces, an_event_orders_streams) {
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  const CUstream second = make_stream();
  const CUevent event = make_event();
  ASSERT_EQ(launch("fill", words, 1, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, second), CUDA_SUCCESS);
  EXPECT_FALSE(found_race(""));
}

TEST_F(DeviceRaces, an_event_does_not_order_what_comes_after_its_record) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  const CUstream second = make_stream();
  const CUevent event = make_event();
  ASSERT_EQ(cuda().EventRecord(event, first), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words, 1, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, second), CUDA_SUCCESS);
  EXPECT_TRUE(found_race("add"));
}

TEST_F(DeviceRaces, a_wait_of_the_host_orders_streams) {
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  ASSERT_EQ(launch("fill", words, 1, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(first), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_FALSE(found_race(""));
}

TEST_F(DeviceRaces, a_query_that_succeeds_orders_streams) {
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  const CUevent event = make_event();
  ASSERT_EQ(launch("fill", words, 1, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event, first), CUDA_SUCCESS);
  while (cuda().EventQuery(event) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
  ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_FALSE(found_race(""));
}

TEST_F(DeviceRaces, the_end_of_an_operation_alone_orders_nothing) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  ASSERT_EQ(launch("fill", words, 1, first), CUDA_SUCCESS);
  // Enough for the fill to end, which nobody asks for.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_TRUE(found_race("add"));
}

TEST_F(DeviceRaces, copies_and_fills_race_with_kernels) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  const CUdeviceptr words = allocate();
  uint32_t* const target = allocate_pinned();
  ASSERT_EQ(launch("fill", words, 1, make_stream()), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemcpyAsync(reinterpret_cast<CUdeviceptr>(target), words, size, make_stream()), CUDA_SUCCESS);
  EXPECT_TRUE(found_race("a copy of 1024 bytes"));
  ASSERT_EQ(cuda().MemsetD32Async(words, 3, word_count, make_stream()), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_TRUE(found_race("a fill of 256 words"));
}

TEST_F(DeviceRaces, a_wait_for_the_context_covers_streams_that_were_destroyed) {
  const CUdeviceptr words = allocate();
  CUstream stream = nullptr;
  ASSERT_EQ(cuda().StreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words, 1, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamDestroy(stream), CUDA_SUCCESS);
  // Enough for the stream to end.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_FALSE(found_race(""));
}

TEST_F(DeviceRaces, reads_do_not_race) {
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  ASSERT_EQ(launch("fill", words, 1, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(first), CUDA_SUCCESS);
  for (int k = 0; k < 2; ++k) ASSERT_EQ(cuda().MemcpyAsync(allocate(), words, size, make_stream()), CUDA_SUCCESS);
  EXPECT_FALSE(found_race(""));
}

TEST_F(DeviceRaces, the_default_stream_orders_blocking_streams_alone) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  const CUdeviceptr words = allocate();
  ASSERT_EQ(launch("fill", words, 1, make_stream(CU_STREAM_DEFAULT)), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, nullptr), CUDA_SUCCESS);
  EXPECT_FALSE(found_race(""));
  ASSERT_EQ(launch("fill", words, 1, make_stream(CU_STREAM_NON_BLOCKING)), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, nullptr), CUDA_SUCCESS);
  EXPECT_TRUE(found_race("add"));
}

}  // namespace
}  // namespace clothc::cuda_device::device_races_test
