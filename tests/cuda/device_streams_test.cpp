// device_streams_test.cpp - the software device's streams, events and host functions, and when operations begin.
#include <atomic>
#include <chrono>
#include <thread>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_streams_test {
namespace {

class DeviceStreams : public DeviceTest {};

TEST_F(DeviceStreams, operations_of_a_stream_run_in_order) {
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().MemsetD32Async(words, 5, word_count, stream), CUDA_SUCCESS);
  for (int k = 0; k < 10; ++k) ASSERT_EQ(launch("add", words, 2, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(25));
}

TEST_F(DeviceStreams, an_event_orders_two_streams) {
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  const CUstream second = make_stream();
  const CUevent event = make_event();
  ASSERT_EQ(launch("fill", words, 5, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, second), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(second), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(6));
}

TEST_F(DeviceStreams, a_wait_counts_for_the_record_before_it_alone) {
  ASSERT_EQ(cuda().control("hang=2"), 0);
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream();
  const CUstream second = make_stream();
  const CUevent event = make_event();
  ASSERT_EQ(launch("fill", words, 5, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(second, event, 0), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, first), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event, first), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(second), CUDA_SUCCESS);
  EXPECT_EQ(cuda().EventQuery(event), CUDA_ERROR_NOT_READY);
  ASSERT_EQ(cuda().control(""), 0);
  EXPECT_EQ(cuda().EventSynchronize(event), CUDA_SUCCESS);
}

TEST_F(DeviceStreams, an_event_that_was_never_recorded_counts_as_complete) {
  const CUevent event = make_event();
  EXPECT_EQ(cuda().EventQuery(event), CUDA_SUCCESS);
  EXPECT_EQ(cuda().EventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamWaitEvent(make_stream(), event, 0), CUDA_SUCCESS);
}

TEST_F(DeviceStreams, events_measure_time) {
  const CUstream stream = make_stream();
  const CUevent begin = make_event(CU_EVENT_DEFAULT);
  const CUevent end = make_event(CU_EVENT_DEFAULT);
  float milliseconds = 0;
  EXPECT_EQ(cuda().EventElapsedTime(&milliseconds, begin, end), CUDA_ERROR_INVALID_HANDLE);
  ASSERT_EQ(cuda().EventRecord(begin, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().LaunchHostFunc(
                stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }, nullptr),
            CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(end, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventSynchronize(end), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventElapsedTime(&milliseconds, begin, end), CUDA_SUCCESS);
  EXPECT_GE(milliseconds, 5.0f);
  const CUevent untimed = make_event();
  ASSERT_EQ(cuda().EventRecord(untimed, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventSynchronize(untimed), CUDA_SUCCESS);
  EXPECT_EQ(cuda().EventElapsedTime(&milliseconds, begin, untimed), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DeviceStreams, the_default_stream_synchronises_with_blocking_streams) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  const CUdeviceptr words = allocate();
  const CUstream first = make_stream(CU_STREAM_DEFAULT);
  const CUstream second = make_stream(CU_STREAM_DEFAULT);
  ASSERT_EQ(launch("fill", words, 5, first), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words, 1, second), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(second), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(7));
}

TEST_F(DeviceStreams, host_functions_run_on_another_thread_in_stream_order) {
  uint32_t* const words = allocate_pinned();
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", reinterpret_cast<CUdeviceptr>(words), 5, stream), CUDA_SUCCESS);
  struct Seen {
    uint32_t* words;
    uint32_t value;
    std::thread::id thread;
  } seen{words, 0, {}};
  const CUhostFn look = [](void* argument) {
    Seen& target = *static_cast<Seen*>(argument);
    target.value = target.words[7];
    target.thread = std::this_thread::get_id();
  };
  ASSERT_EQ(cuda().LaunchHostFunc(stream, look, &seen), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(seen.value, 5u);
  EXPECT_NE(seen.thread, std::this_thread::get_id());
}

TEST_F(DeviceStreams, a_host_function_may_not_call_the_api) {
  const CUstream stream = make_stream();
  CUresult result = CUDA_SUCCESS;
  const CUhostFn call = [](void* argument) { *static_cast<CUresult*>(argument) = cuda().CtxSynchronize(); };
  ASSERT_EQ(cuda().LaunchHostFunc(stream, call, &result), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(result, CUDA_ERROR_NOT_PERMITTED);
  EXPECT_EQ(report(), "misuse: cuCtxSynchronize: a host function calls the API\n");
}

TEST_F(DeviceStreams, work_of_a_destroyed_stream_still_ends) {
  const CUdeviceptr words = allocate();
  CUstream stream = nullptr;
  ASSERT_EQ(cuda().StreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
}

TEST_F(DeviceStreams, a_late_stream_begins_when_it_is_waited_for) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  std::atomic<int> called{0};
  const CUstream stream = make_stream();
  const CUevent event = make_event();
  ASSERT_EQ(cuda().LaunchHostFunc(
                stream, [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); }, &called),
            CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event, stream), CUDA_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(called, 0);
  EXPECT_EQ(cuda().EventQuery(event), CUDA_ERROR_NOT_READY);
  while (cuda().EventQuery(event) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
  EXPECT_EQ(called, 1);
}

TEST_F(DeviceStreams, an_early_stream_has_ended_its_work_when_the_call_returns) {
  ASSERT_EQ(cuda().control("start=early"), 0);
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", allocate(), 5, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamQuery(stream), CUDA_SUCCESS);
}

TEST_F(DeviceStreams, without_execution_work_ends_at_once) {
  ASSERT_EQ(cuda().control("execution=off"), 0);
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamQuery(stream), CUDA_SUCCESS);
  std::atomic<int> called{0};
  ASSERT_EQ(cuda().LaunchHostFunc(
                stream, [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); }, &called),
            CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(called, 1);
  ASSERT_EQ(cuda().control(""), 0);
  EXPECT_EQ(read(words), all(0xcdcdcdcd));
}

TEST_F(DeviceStreams, threads_use_the_device_at_the_same_time) {
  constexpr uint32_t thread_count = 4;
  std::vector<std::thread> threads;
  for (uint32_t k = 0; k < thread_count; ++k) {
    const CUdeviceptr words = allocate();
    threads.emplace_back([this, words, k] {
      cuda().CtxPushCurrent(context_);
      CUfunction add = nullptr;
      CUstream stream = nullptr;
      CUevent event = nullptr;
      cuda().ModuleGetFunction(&add, module_, "add");
      cuda().StreamCreate(&stream, CU_STREAM_NON_BLOCKING);
      cuda().EventCreate(&event, CU_EVENT_DISABLE_TIMING);
      cuda().MemsetD32Async(words, k, word_count, stream);
      for (uint32_t step = 0; step < 50; ++step) {
        CUdeviceptr target = words;
        uint32_t value = 1;
        uint32_t count = word_count;
        void* parameters[] = {&target, &value, &count};
        cuda().LaunchKernel(add, 4, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr);
        cuda().EventRecord(event, stream);
        if (step % 10 == 0) cuda().EventSynchronize(event);
      }
      cuda().StreamSynchronize(stream);
      cuda().EventDestroy(event);
      cuda().StreamDestroy(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t k = 0; k < thread_count; ++k) EXPECT_EQ(read(allocated_[k]), all(k + 50));
}

TEST_F(DeviceStreams, statistics_count_work_and_objects) {
  const clothc_cuda_device_counts before = statistics();
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemcpyAsync(reinterpret_cast<CUdeviceptr>(allocate_pinned()), words, size, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  const clothc_cuda_device_counts after = statistics();
  EXPECT_EQ(after.kernel_launches - before.kernel_launches, 1u);
  EXPECT_EQ(after.operations - before.operations, 2u);
  EXPECT_EQ(after.copied_size - before.copied_size, size);
  EXPECT_EQ(after.pageable_copies, before.pageable_copies);
  EXPECT_EQ(after.allocations - before.allocations, 2u);
  EXPECT_EQ(after.streams, 1u);
  EXPECT_EQ(after.device_blocks, 1u);
  EXPECT_EQ(after.pinned_blocks, 1u);
  EXPECT_EQ(after.contexts, 1u);
}

}  // namespace
}  // namespace clothc::cuda_device::device_streams_test
