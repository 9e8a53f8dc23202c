// device_memory_test.cpp - the software device's memory: kinds, bounds, and what is freed.
#include <sys/mman.h>

#include <cstdlib>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_memory_test {
namespace {

class DeviceMemory : public DeviceTest {
 protected:
  // Makes pages of the program's own.
  char* make_pages(size_t bytes) {
    pages_size_ = bytes;
    pages_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return static_cast<char*>(pages_);
  }
  void TearDown() override {
    if (pages_) munmap(pages_, pages_size_);
    DeviceTest::TearDown();
  }
  void* pages_ = nullptr;
  size_t pages_size_ = 0;
};

TEST_F(DeviceMemory, new_memory_is_aligned_and_not_zero) {
  const CUdeviceptr pointer = allocate();
  EXPECT_EQ(pointer % 512, 0u);
  EXPECT_EQ(read(pointer), all(0xcdcdcdcd));
}

TEST_F(DeviceMemory, sizes_are_checked) {
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuda().MemAlloc(&pointer, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuda().control("memory=4096"), 0);
  EXPECT_EQ(cuda().MemAlloc(&pointer, 4097), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuda().MemAlloc(&pointer, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  allocate(4096);
  size_t free = 1;
  size_t total = 0;
  EXPECT_EQ(cuda().MemGetInfo(&free, &total), CUDA_SUCCESS);
  EXPECT_EQ(free, 0u);
  EXPECT_EQ(total, 4096u);
}

TEST_F(DeviceMemory, memory_is_freed_once_and_by_its_beginning) {
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuda().MemAlloc(&pointer, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemFree(pointer + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemFree(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemFree(pointer), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemFree(0), CUDA_SUCCESS);
  EXPECT_NE(report().find("the memory was freed before"), std::string::npos);
}

TEST_F(DeviceMemory, a_free_waits_for_work_that_uses_the_memory) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuda().MemAlloc(&pointer, size), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", pointer, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemFree(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(DeviceMemory, a_kernel_that_uses_freed_memory_faults) {
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuda().MemAlloc(&pointer, size), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemFree(pointer), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", pointer, 1, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(report().find("wrong access: fill"), std::string::npos);
}

TEST_F(DeviceMemory, a_copy_of_freed_memory_faults) {
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuda().MemAlloc(&pointer, size), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemFree(pointer), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemcpyAsync(allocate(), pointer, size, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(report().find("wrong access: a copy of 1024 bytes"), std::string::npos);
}

TEST_F(DeviceMemory, a_kernel_that_leaves_its_block_faults_and_the_context_stays_failed) {
  ASSERT_EQ(launch("fill", allocate(size - 4), 1, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuda().MemAlloc(&pointer, 16), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuda().StreamQuery(streams_[0]), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(report().find("wrong access"), std::string::npos);
  close();
  open();
  EXPECT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
  allocated_.clear();
  streams_.clear();
}

TEST_F(DeviceMemory, registered_memory_is_used_in_place) {
  char* const pages = make_pages(8192);
  ASSERT_EQ(cuda().MemHostRegister(pages + 16, 4096, CU_MEMHOSTREGISTER_PORTABLE), CUDA_SUCCESS);
  CUdeviceptr device = 0;
  ASSERT_EQ(cuda().MemHostGetDevicePointer(&device, pages + 16, 0), CUDA_SUCCESS);
  EXPECT_EQ(device, reinterpret_cast<CUdeviceptr>(pages + 16));
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", device, 7, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(reinterpret_cast<uint32_t*>(device)[word_count - 1], 7u);
  EXPECT_EQ(cuda().MemHostUnregister(pages + 16), CUDA_SUCCESS);
}

TEST_F(DeviceMemory, registration_is_strict) {
  char* const pages = make_pages(8192);
  ASSERT_EQ(cuda().MemHostRegister(pages, 64, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda().MemHostRegister(pages + 128, 64, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(cuda().MemHostRegister(pages + 4096, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemHostRegister(pages + 4096, 64, 8), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemHostRegister(allocate_pinned(), 64, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(cuda().MemHostUnregister(pages + 4), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(cuda().MemHostUnregister(pages), CUDA_SUCCESS);
  munmap(pages + 4096, 4096);
  EXPECT_EQ(cuda().MemHostRegister(pages, 8192, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(report().find("cuMemHostUnregister"), std::string::npos);
}

TEST_F(DeviceMemory, pointers_tell_what_they_are) {
  const CUdeviceptr device = allocate();
  const CUdeviceptr pinned = reinterpret_cast<CUdeviceptr>(allocate_pinned());
  CUcontext owner = nullptr;
  unsigned type = 0;
  EXPECT_EQ(cuda().PointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, device + 8), CUDA_SUCCESS);
  EXPECT_EQ(owner, context_);
  EXPECT_EQ(cuda().PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device), CUDA_SUCCESS);
  EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(cuda().PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pinned), CUDA_SUCCESS);
  EXPECT_EQ(type, static_cast<unsigned>(CU_MEMORYTYPE_HOST));
  int local = 0;
  EXPECT_EQ(cuda().PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&local)),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DeviceMemory, pools_free_in_stream_order) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  const CUstream stream = make_stream();
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuda().MemAllocAsync(&pointer, size, stream), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", pointer, 1, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemFreeAsync(pointer, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  ASSERT_EQ(launch("fill", pointer, 1, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda().StreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  report();
}

}  // namespace
}  // namespace clothc::cuda_device::device_memory_test
