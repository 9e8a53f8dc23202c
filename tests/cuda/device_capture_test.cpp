// device_capture_test.cpp - captures of streams into graphs by the software device, and what a capture forbids.
#include <thread>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_capture_test {
namespace {

class DeviceCapture : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    stream_ = make_stream();
    other_ = make_stream();
    event_ = make_event();
    words_ = allocate();
  }
  void begin(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
    ASSERT_EQ(cuda().StreamBeginCapture(stream_, mode), CUDA_SUCCESS);
  }
  CUresult end() { return cuda().StreamEndCapture(stream_, &graph_); }
  CUstreamCaptureStatus status(CUstream stream) {
    CUstreamCaptureStatus status{};
    EXPECT_EQ(cuda().StreamIsCapturing(stream, &status), CUDA_SUCCESS);
    return status;
  }
  // Launches the captured graph and destroys it.
  void launch_graph() {
    CUgraphExec executable = nullptr;
    ASSERT_EQ(cuda().GraphInstantiate(&executable, graph_, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuda().GraphLaunch(executable, stream_), CUDA_SUCCESS);
    ASSERT_EQ(cuda().StreamSynchronize(stream_), CUDA_SUCCESS);
    ASSERT_EQ(cuda().GraphExecDestroy(executable), CUDA_SUCCESS);
    ASSERT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  }
  void expect_invalidated() {
    EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    CUcontext context = nullptr;
    EXPECT_EQ(cuda().StreamGetCtx(stream_, &context), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(launch("fill", words_, 1, stream_), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(end(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(graph_, nullptr);
    EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_NONE);
  }

  CUstream stream_ = nullptr;
  CUstream other_ = nullptr;
  CUevent event_ = nullptr;
  CUdeviceptr words_ = 0;
  CUgraph graph_ = nullptr;
};

TEST_F(DeviceCapture, captured_work_runs_when_its_graph_is_launched) {
  uint32_t* const target = allocate_pinned();
  int calls = 0;
  begin();
  EXPECT_EQ(status(stream_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_EQ(cuda().MemsetD32Async(words_, 2, word_count, stream_), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words_, 3, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemcpyAsync(reinterpret_cast<CUdeviceptr>(target), words_, size, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().LaunchHostFunc(
                stream_, [](void* argument) { ++*static_cast<int*>(argument); }, &calls),
            CUDA_SUCCESS);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  EXPECT_EQ(calls, 0);
  size_t count = 0;
  EXPECT_EQ(cuda().GraphGetNodes(graph_, nullptr, &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 4u);
  launch_graph();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(target[5], 5u);
}

TEST_F(DeviceCapture, a_stream_joins_by_an_event) {
  begin();
  ASSERT_EQ(launch("fill", words_, 1, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  EXPECT_EQ(status(other_), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  ASSERT_EQ(launch("add", words_, 1, other_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event_, other_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(stream_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words_, 1, stream_), CUDA_SUCCESS);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  EXPECT_EQ(status(other_), CU_STREAM_CAPTURE_STATUS_NONE);
  launch_graph();
  EXPECT_EQ(read(words_), all(3));
}

TEST_F(DeviceCapture, branches_of_a_capture_race) {
  begin();
  ASSERT_EQ(cuda().EventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words_, 1, stream_), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words_, 1, other_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event_, other_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(stream_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  launch_graph();
  EXPECT_NE(report().find("race: "), std::string::npos);
}

TEST_F(DeviceCapture, a_graph_that_is_launched_in_a_capture_becomes_part_of_it) {
  begin();
  ASSERT_EQ(launch("add", words_, 10, stream_), CUDA_SUCCESS);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  CUgraphExec inner = nullptr;
  ASSERT_EQ(cuda().GraphInstantiate(&inner, graph_, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  begin();
  ASSERT_EQ(launch("fill", words_, 1, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphLaunch(inner, stream_), CUDA_SUCCESS);
  ASSERT_EQ(launch("add", words_, 1, stream_), CUDA_SUCCESS);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  launch_graph();
  ASSERT_EQ(cuda().GraphExecDestroy(inner), CUDA_SUCCESS);
  EXPECT_EQ(read(words_), all(12));
}

TEST_F(DeviceCapture, unjoined_streams_fail_the_capture) {
  begin();
  ASSERT_EQ(cuda().EventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", words_, 1, other_), CUDA_SUCCESS);
  EXPECT_EQ(end(), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  EXPECT_EQ(graph_, nullptr);
}

TEST_F(DeviceCapture, waits_and_queries_invalidate_a_capture) {
  using Call = CUresult (*)(CUstream, CUevent);
  const Call calls[] = {[](CUstream stream, CUevent) { return cuda().StreamSynchronize(stream); },
                        [](CUstream stream, CUevent) { return cuda().StreamQuery(stream); },
                        [](CUstream, CUevent) { return cuda().CtxSynchronize(); }};
  for (const Call call : calls) {
    begin();
    EXPECT_EQ(call(stream_, event_), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    expect_invalidated();
  }
  begin();
  ASSERT_EQ(cuda().EventRecord(event_, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuda().EventQuery(event_), CUDA_ERROR_CAPTURED_EVENT);
  expect_invalidated();
}

TEST_F(DeviceCapture, pageable_copies_invalidate_a_capture) {
  begin();
  const std::vector<uint32_t> source(word_count);
  EXPECT_EQ(cuda().MemcpyAsync(words_, reinterpret_cast<CUdeviceptr>(source.data()), size, stream_),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  expect_invalidated();
}

TEST_F(DeviceCapture, allocations_depend_on_the_mode_of_the_capture_and_of_the_thread) {
  CUdeviceptr pointer = 0;
  begin();
  EXPECT_EQ(cuda().MemAlloc(&pointer, 16), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  expect_invalidated();
  begin(CU_STREAM_CAPTURE_MODE_RELAXED);
  allocate();
  ASSERT_EQ(end(), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  begin();
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  ASSERT_EQ(cuda().ThreadExchangeStreamCaptureMode(&mode), CUDA_SUCCESS);
  allocate();
  ASSERT_EQ(cuda().ThreadExchangeStreamCaptureMode(&mode), CUDA_SUCCESS);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
}

TEST_F(DeviceCapture, other_threads_are_restricted_by_global_captures_alone) {
  const auto allocate_elsewhere = [&] {
    CUresult result = CUDA_SUCCESS;
    std::thread([&] {
      cuda().CtxPushCurrent(context_);
      CUdeviceptr pointer = 0;
      result = cuda().MemAlloc(&pointer, 16);
      if (result == CUDA_SUCCESS) cuda().MemFree(pointer);
    }).join();
    return result;
  };
  begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  EXPECT_EQ(allocate_elsewhere(), CUDA_SUCCESS);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  begin();
  EXPECT_EQ(allocate_elsewhere(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  expect_invalidated();
}

TEST_F(DeviceCapture, an_event_from_outside_does_not_enter_a_capture) {
  ASSERT_EQ(cuda().EventRecord(event_, other_), CUDA_SUCCESS);
  begin();
  EXPECT_EQ(cuda().StreamWaitEvent(stream_, event_, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  expect_invalidated();
}

TEST_F(DeviceCapture, two_captures_do_not_merge) {
  begin();
  ASSERT_EQ(cuda().StreamBeginCapture(other_, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  ASSERT_EQ(cuda().EventRecord(event_, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamWaitEvent(other_, event_, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
  expect_invalidated();
  EXPECT_EQ(cuda().StreamEndCapture(other_, &graph_), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(DeviceCapture, the_default_stream_does_not_go_with_a_capture_of_a_blocking_stream) {
  EXPECT_EQ(cuda().StreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  stream_ = make_stream(CU_STREAM_DEFAULT);
  begin();
  EXPECT_EQ(launch("fill", words_, 1, nullptr), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  expect_invalidated();
}

TEST_F(DeviceCapture, a_capture_ends_where_it_began) {
  EXPECT_EQ(end(), CUDA_ERROR_ILLEGAL_STATE);
  begin();
  EXPECT_EQ(cuda().StreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
  ASSERT_EQ(cuda().EventRecord(event_, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamWaitEvent(other_, event_, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamEndCapture(other_, &graph_), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  CUresult elsewhere = CUDA_SUCCESS;
  std::thread([&] {
    cuda().CtxPushCurrent(context_);
    elsewhere = end();
  }).join();
  EXPECT_EQ(elsewhere, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  ASSERT_EQ(end(), CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
}

}  // namespace
}  // namespace clothc::cuda_device::device_capture_test
