// device_faults_test.cpp - faults that a test asks the software device for: calls that fail, hangs, and losses.
#include <chrono>
#include <thread>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_faults_test {
namespace {

class DeviceFaults : public DeviceTest {
 protected:
  CUresult allocate_and_free() {
    CUdeviceptr pointer = 0;
    const CUresult result = cuda().MemAlloc(&pointer, 16);
    if (result == CUDA_SUCCESS && pointer != 0) cuda().MemFree(pointer);
    return result;
  }
};

TEST_F(DeviceFaults, the_chosen_call_alone_fails) {
  ASSERT_EQ(cuda().control("cuMemAlloc:2=2"), 0);
  EXPECT_EQ(allocate_and_free(), CUDA_SUCCESS);
  EXPECT_EQ(allocate_and_free(), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(allocate_and_free(), CUDA_SUCCESS);
}

TEST_F(DeviceFaults, the_chosen_call_and_all_later_ones_fail) {
  ASSERT_EQ(cuda().control("cuMemAlloc_v2:2+=2"), 0);
  EXPECT_EQ(allocate_and_free(), CUDA_SUCCESS);
  EXPECT_EQ(allocate_and_free(), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(allocate_and_free(), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(DeviceFaults, calls_of_all_functions_are_counted_together) {
  ASSERT_EQ(cuda().control("*:3=999"), 0);
  EXPECT_EQ(allocate_and_free(), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_ERROR_UNKNOWN);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(DeviceFaults, a_skipped_call_does_nothing) {
  ASSERT_EQ(cuda().control("cuMemAlloc:1=skip"), 0);
  CUdeviceptr pointer = 7;
  EXPECT_EQ(cuda().MemAlloc(&pointer, 16), CUDA_SUCCESS);
  EXPECT_EQ(pointer, 7u);
}

TEST_F(DeviceFaults, calls_are_counted) {
  cuda().reset_counts();
  allocate_and_free();
  EXPECT_EQ(cuda().count("cuMemAlloc"), 1u);
  EXPECT_EQ(cuda().count("cuMemFree_v2"), 1u);
  EXPECT_EQ(cuda().count("cuNothing"), 0u);
}

TEST_F(DeviceFaults, wrong_rules_are_refused_and_change_nothing) {
  ASSERT_EQ(cuda().control("devices=2"), 0);
  for (const char* rules :
       {"cuNothing:1=2", "cuMemAlloc:0=2", "cuMemAlloc:1", "cuMemAlloc:x=2", "cuMemAlloc:1=", "hang=x", "hang=host",
        "order=sideways", "lose=1/x", "start=never", "nonsense", "devices=17", "kill=1", "seed=-1"}) {
    EXPECT_NE(cuda().control(rules), 0) << rules;
  }
  int count = 0;
  EXPECT_EQ(cuda().DeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2);
}

TEST_F(DeviceFaults, operations_hang_until_they_are_released) {
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().control("hang"), 0);
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(cuda().StreamQuery(stream), CUDA_ERROR_NOT_READY);
  ASSERT_EQ(cuda().control(""), 0);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
}

// Copies within a device's memory and within the host's run.
TEST_F(DeviceFaults, copies_of_a_direction_hang) {
  const CUdeviceptr device = allocate(), host = reinterpret_cast<CUdeviceptr>(allocate_pinned());
  const CUstream stream = make_stream();
  const auto expect_run = [&](CUdeviceptr target, CUdeviceptr source) {
    EXPECT_EQ(cuda().MemcpyAsync(target, source, 16, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  };
  const auto expect_hang = [&](CUdeviceptr target, CUdeviceptr source) {
    EXPECT_EQ(cuda().MemcpyAsync(target, source, 16, stream), CUDA_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(cuda().StreamQuery(stream), CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuda().control(""), 0);
    EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  };
  ASSERT_EQ(cuda().control("hang=to_host"), 0);
  expect_run(device, host);
  expect_run(device + 16, device);
  expect_run(host + 16, host);
  expect_hang(host, device);
  ASSERT_EQ(cuda().control("hang=from_host"), 0);
  expect_run(host, device);
  expect_hang(device, host);
}

TEST_F(DeviceFaults, what_has_ended_is_counted_when_it_has) {
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  const clothc_cuda_device_counts before = statistics();
  ASSERT_EQ(cuda().control("hang=2"), 0);
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words, 6, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemcpyAsync(words + 16, words, 16, stream), CUDA_SUCCESS);
  while (statistics().ended_operations == before.ended_operations) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(statistics().ended_kernels, before.ended_kernels + 1);
  EXPECT_EQ(statistics().ended_operations, before.ended_operations + 1);
  ASSERT_EQ(cuda().control(""), 0);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(statistics().ended_kernels, before.ended_kernels + 2);
  EXPECT_EQ(statistics().ended_operations, before.ended_operations + 3);
}

TEST_F(DeviceFaults, only_streams_behind_a_hung_operation_hang) {
  ASSERT_EQ(cuda().control("hang=1"), 0);
  const CUstream hung = make_stream();
  const CUstream other = make_stream();
  ASSERT_EQ(launch("fill", allocate(), 5, hung), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", allocate(), 5, other), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(other), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamQuery(hung), CUDA_ERROR_NOT_READY);
}

TEST_F(DeviceFaults, a_hung_operation_that_is_killed_ends_the_context) {
  ASSERT_EQ(cuda().control("hang"), 0);
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().control("hang,kill"), 0);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_LAUNCH_TIMEOUT);
}

TEST_F(DeviceFaults, a_lost_device_fails_all_later_calls) {
  ASSERT_EQ(cuda().control("lose=2"), 0);
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  const CUevent event = make_event();
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words, 5, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuda().MemsetD32Async(words, 0, 1, stream), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuda().EventQuery(event), CUDA_ERROR_LAUNCH_FAILED);
  CUstreamCaptureStatus status;
  EXPECT_EQ(cuda().StreamIsCapturing(stream, &status), CUDA_ERROR_LAUNCH_FAILED);
  CUdevice device = 1;
  EXPECT_EQ(cuda().CtxGetDevice(&device), CUDA_SUCCESS);
}

TEST_F(DeviceFaults, a_loss_has_the_error_that_is_asked_for) {
  ASSERT_EQ(cuda().control("lose=1/214"), 0);
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", allocate(), 5, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_ECC_UNCORRECTABLE);
}

TEST_F(DeviceFaults, host_functions_do_not_run_after_a_loss) {
  ASSERT_EQ(cuda().control("start=late,lose=1"), 0);
  const CUstream stream = make_stream();
  bool has_run = false;
  ASSERT_EQ(launch("fill", allocate(), 5, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().LaunchHostFunc(
                stream, [](void* argument) { *static_cast<bool*>(argument) = true; }, &has_run),
            CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_FALSE(has_run);
}

TEST_F(DeviceFaults, a_new_context_works_after_a_loss) {
  ASSERT_EQ(cuda().control("lose=1"), 0);
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", allocate(), 5, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_LAUNCH_FAILED);
  close();
  EXPECT_EQ(report(), "");
  allocated_.clear();
  streams_.clear();
  open();
  const CUdeviceptr words = allocate();
  ASSERT_EQ(launch("fill", words, 5, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
}

}  // namespace
}  // namespace clothc::cuda_device::device_faults_test
