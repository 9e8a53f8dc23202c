// device_user_objects_test.cpp - resources that graphs own: when the software device calls the program's destructor.
#include <unistd.h>

#include <atomic>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_user_objects_test {
namespace {

class DeviceUserObjects : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(cuda().GraphCreate(&graph_, 0), CUDA_SUCCESS);
  }
  CUuserObject make_object(unsigned references = 1) {
    CUuserObject object = nullptr;
    const CUresult result = cuda().UserObjectCreate(
        &object, &destroyed_, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, references,
        CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    EXPECT_EQ(result, CUDA_SUCCESS);
    return object;
  }
  CUgraph graph_ = nullptr;
  std::atomic<int> destroyed_{0};
};

TEST_F(DeviceUserObjects, end_with_the_last_reference_of_the_program) {
  const CUuserObject object = make_object(2);
  EXPECT_EQ(statistics().user_objects, 1u);
  EXPECT_EQ(cuda().UserObjectRelease(object, 3), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().UserObjectRelease(object, 1), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 0);
  EXPECT_EQ(cuda().UserObjectRelease(object, 1), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 1);
  EXPECT_EQ(statistics().user_objects, 0u);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
}

TEST_F(DeviceUserObjects, moved_to_a_graph_end_with_it) {
  EXPECT_EQ(cuda().GraphRetainUserObject(graph_, make_object(), 1, CU_GRAPH_USER_OBJECT_MOVE), CUDA_SUCCESS);
  EXPECT_EQ(statistics().user_objects, 0u);
  EXPECT_EQ(destroyed_, 0);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 1);
}

TEST_F(DeviceUserObjects, shared_with_a_graph_end_with_the_last_owner) {
  const CUuserObject object = make_object();
  EXPECT_EQ(cuda().GraphRetainUserObject(graph_, object, 1, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 0);
  EXPECT_EQ(cuda().UserObjectRelease(object, 1), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 1);
}

TEST_F(DeviceUserObjects, are_owned_by_executable_graphs_and_launches_too) {
  EXPECT_EQ(cuda().GraphRetainUserObject(graph_, make_object(), 1, CU_GRAPH_USER_OBJECT_MOVE), CUDA_SUCCESS);
  CUgraphExec executable = nullptr;
  ASSERT_EQ(cuda().GraphInstantiate(&executable, graph_, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 0);
  ASSERT_EQ(cuda().control("hang"), 0);
  const CUstream stream = make_stream();
  // The graph has no node that could hang, so it waits behind a function that does.
  ASSERT_EQ(cuda().LaunchHostFunc(
                stream, [](void*) {}, nullptr),
            CUDA_SUCCESS);
  ASSERT_EQ(cuda().GraphLaunch(executable, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().GraphExecDestroy(executable), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 0);
  ASSERT_EQ(cuda().control(""), 0);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  // The stream's thread lets go of the launch when it has reported its end.
  for (int k = 0; k < 1000 && destroyed_ == 0; ++k) usleep(1000);
  EXPECT_EQ(destroyed_, 1);
}

TEST_F(DeviceUserObjects, of_a_capture_belong_to_its_graph) {
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  CUstreamCaptureStatus status{};
  unsigned long long id = 0;
  CUgraph captured = nullptr, ended = nullptr;
  ASSERT_EQ(cuda().StreamGetCaptureInfo(stream, &status, &id, &captured, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_NE(id, 0u);
  EXPECT_EQ(cuda().GraphRetainUserObject(captured, make_object(), 1, CU_GRAPH_USER_OBJECT_MOVE), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamEndCapture(stream, &ended), CUDA_SUCCESS);
  EXPECT_EQ(ended, captured);
  EXPECT_EQ(destroyed_, 0);
  EXPECT_EQ(cuda().GraphDestroy(ended), CUDA_SUCCESS);
  EXPECT_EQ(destroyed_, 1);
  ASSERT_EQ(cuda().StreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
}

TEST_F(DeviceUserObjects, of_a_capture_that_fails_end_with_it) {
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  CUstreamCaptureStatus status{};
  CUgraph captured = nullptr, ended = nullptr;
  ASSERT_EQ(cuda().StreamGetCaptureInfo(stream, &status, nullptr, &captured, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuda().GraphRetainUserObject(captured, make_object(), 1, CU_GRAPH_USER_OBJECT_MOVE), CUDA_SUCCESS);
  EXPECT_NE(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  EXPECT_EQ(cuda().StreamEndCapture(stream, &ended), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(ended, nullptr);
  EXPECT_EQ(destroyed_, 1);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
}

TEST_F(DeviceUserObjects, are_checked) {
  const auto nothing = [](void*) {};
  CUuserObject object = nullptr;
  EXPECT_EQ(cuda().UserObjectCreate(nullptr, nullptr, nothing, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().UserObjectCreate(&object, nullptr, nothing, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().UserObjectCreate(&object, nullptr, nothing, 1, 0), CUDA_ERROR_INVALID_VALUE);
  object = make_object();
  EXPECT_EQ(cuda().GraphRetainUserObject(graph_, object, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().GraphRetainUserObject(graph_, object, 1, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().GraphRetainUserObject(graph_, object, 2, CU_GRAPH_USER_OBJECT_MOVE), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().UserObjectRelease(object, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuda().GraphDestroy(graph_), CUDA_SUCCESS);
}

}  // namespace
}  // namespace clothc::cuda_device::device_user_objects_test
