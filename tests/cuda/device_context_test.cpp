// device_context_test.cpp - the software device: its start, properties, contexts and what all calls have in common.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_context_test {
namespace {

class DeviceContext : public DeviceTest {};

int attribute(CUdevice_attribute attribute) {
  int value = -1;
  EXPECT_EQ(cuda().DeviceGetAttribute(&value, attribute, 0), CUDA_SUCCESS);
  return value;
}

TEST_F(DeviceContext, the_device_tells_that_it_is_software) {
  char name[64];
  ASSERT_EQ(cuda().DeviceGetName(name, sizeof name, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "clothc software CUDA device");
  EXPECT_EQ(cuda().is_software(), 1);
}

TEST_F(DeviceContext, the_properties_are_those_of_a_small_device) {
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR), 7);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR), 5);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), 2);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), 48 << 10);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 64 << 10);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), 0x7fffffff);
  int version = 0;
  EXPECT_EQ(cuda().DriverGetVersion(&version), CUDA_SUCCESS);
  EXPECT_EQ(version, 13000);
  int value = 0;
  EXPECT_EQ(cuda().DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().DeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DeviceContext, rules_change_the_properties) {
  ASSERT_EQ(cuda().control("devices=3,driver=12000,attribute:10=64"), 0);
  int count = 0;
  EXPECT_EQ(cuda().DeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 64);
  CUuuid first;
  CUuuid third;
  EXPECT_EQ(cuda().DeviceGetUuid(&first, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda().DeviceGetUuid(&third, 2), CUDA_SUCCESS);
  EXPECT_NE(std::string(first.bytes, 16), std::string(third.bytes, 16));
}

TEST_F(DeviceContext, init_fails_as_the_rules_say) {
  ASSERT_EQ(cuda().control("init=999"), 0);
  EXPECT_EQ(cuda().Init(0), CUDA_ERROR_UNKNOWN);
  ASSERT_EQ(cuda().control("devices=0"), 0);
  EXPECT_EQ(cuda().Init(0), CUDA_ERROR_NO_DEVICE);
  ASSERT_EQ(cuda().control(""), 0);
  EXPECT_EQ(cuda().Init(1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().Init(0), CUDA_SUCCESS);
}

TEST_F(DeviceContext, errors_have_names) {
  const char* name = nullptr;
  EXPECT_EQ(cuda().GetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cuda().GetErrorName(static_cast<CUresult>(12345), &name), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DeviceContext, each_thread_has_its_own_current_context) {
  CUresult result = CUDA_SUCCESS;
  std::thread([&] {
    CUdeviceptr pointer = 0;
    result = cuda().MemAlloc(&pointer, 16);
  }).join();
  EXPECT_EQ(result, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DeviceContext, contexts_are_pushed_and_popped) {
  CUcontext other = nullptr;
  ASSERT_EQ(cuda().CtxCreate(&other, 0, 0), CUDA_SUCCESS);
  CUcontext current = nullptr;
  EXPECT_EQ(cuda().CtxPopCurrent(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, other);
  EXPECT_EQ(cuda().CtxGetCurrent(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, context_);
  EXPECT_EQ(cuda().CtxDestroy(other), CUDA_SUCCESS);
}

TEST_F(DeviceContext, handles_of_another_context_are_refused) {
  const CUstream stream = make_stream();
  CUcontext other = nullptr;
  ASSERT_EQ(cuda().CtxCreate(&other, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  CUcontext owner = nullptr;
  EXPECT_EQ(cuda().StreamGetCtx(stream, &owner), CUDA_SUCCESS);
  EXPECT_EQ(owner, context_);
  EXPECT_EQ(cuda().CtxDestroy(other), CUDA_SUCCESS);
  EXPECT_NE(report().find("the stream belongs to another context"), std::string::npos);
}

TEST_F(DeviceContext, a_primary_context_ends_with_its_last_reference_and_reports_what_is_left_in_it) {
  CUcontext again = nullptr;
  ASSERT_EQ(cuda().DevicePrimaryCtxRetain(&again, 0), CUDA_SUCCESS);
  EXPECT_EQ(again, context_);
  ASSERT_EQ(cuda().DevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  CUdeviceptr left = 0;
  ASSERT_EQ(cuda().MemAlloc(&left, 16), CUDA_SUCCESS);
  close();
  EXPECT_EQ(report(), "leak: a context was destroyed with 1 blocks of memory in it\n");
  EXPECT_EQ(cuda().DevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_NE(report().find("not retained"), std::string::npos);
}

TEST_F(DeviceContext, a_call_in_a_destroyed_context_is_a_misuse) {
  CUcontext other = nullptr;
  ASSERT_EQ(cuda().CtxCreate(&other, 0, 0), CUDA_SUCCESS);
  std::thread([&] {
    ASSERT_EQ(cuda().CtxPushCurrent(other), CUDA_SUCCESS);
    std::thread([&] { ASSERT_EQ(cuda().CtxDestroy(other), CUDA_SUCCESS); }).join();
    EXPECT_EQ(cuda().CtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }).join();
  EXPECT_EQ(cuda().CtxPopCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_NE(report().find("the current context was destroyed"), std::string::npos);
}

TEST_F(DeviceContext, a_primary_context_that_was_reset_is_told_to_be_destroyed) {
  CUcontext other = nullptr;
  ASSERT_EQ(cuda().control("devices=2"), 0);
  ASSERT_EQ(cuda().DevicePrimaryCtxRetain(&other, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuda().DevicePrimaryCtxReset(1), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxPushCurrent(other), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_NE(report().find("the primary context has ended"), std::string::npos);
}

TEST_F(DeviceContext, devices_do_not_see_each_others_memory_but_all_see_pinned_memory) {
  ASSERT_EQ(cuda().control("devices=2"), 0);
  const CUdeviceptr words = allocate();
  const CUdeviceptr pinned = reinterpret_cast<CUdeviceptr>(allocate_pinned());
  CUcontext other = nullptr;
  ASSERT_EQ(cuda().DevicePrimaryCtxRetain(&other, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuda().CtxPushCurrent(other), CUDA_SUCCESS);
  CUdevice device = 0;
  EXPECT_EQ(cuda().CtxGetDevice(&device), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cuda().MemsetD32Async(words, 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemsetD32Async(pinned, 0, 1, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxPopCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuda().DevicePrimaryCtxRelease(1), CUDA_SUCCESS);
}

TEST_F(DeviceContext, a_forked_process_gets_errors_and_ends) {
  const pid_t child = fork();
  if (child == 0) _exit(cuda().CtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace clothc::cuda_device::device_context_test
