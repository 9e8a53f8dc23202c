// device_copies_test.cpp - copies and fills of the software device: kinds of memory, rectangles, and refused copies.
#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_copies_test {
namespace {

class DeviceCopies : public DeviceTest {
 protected:
  uint64_t pageable_copies() { return statistics().pageable_copies - before_; }
  const uint64_t before_ = statistics().pageable_copies;
};

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

TEST_F(DeviceCopies, pageable_memory_is_read_during_the_call) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  const CUdeviceptr words = allocate();
  std::vector<uint32_t> source = all(3);
  ASSERT_EQ(cuda().MemcpyAsync(words, address(source.data()), size, make_stream()), CUDA_SUCCESS);
  source = all(4);
  EXPECT_EQ(read(words), all(3));
  EXPECT_EQ(pageable_copies(), 2u);
}

TEST_F(DeviceCopies, a_copy_to_pageable_memory_waits) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  ASSERT_EQ(launch("fill", words, 9, stream), CUDA_SUCCESS);
  std::vector<uint32_t> target(word_count);
  ASSERT_EQ(cuda().MemcpyAsync(address(target.data()), words, size, stream), CUDA_SUCCESS);
  EXPECT_EQ(target, all(9));
  EXPECT_EQ(pageable_copies(), 1u);
}

TEST_F(DeviceCopies, pinned_memory_is_read_when_the_copy_runs) {
  const CUdeviceptr words = allocate();
  uint32_t* const source = allocate_pinned();
  const CUstream stream = make_stream();
  const CUhostFn fill = [](void* memory) { std::fill_n(static_cast<uint32_t*>(memory), word_count, 8u); };
  ASSERT_EQ(cuda().LaunchHostFunc(stream, fill, source), CUDA_SUCCESS);
  ASSERT_EQ(cuda().MemcpyAsync(words, address(source), size, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(pageable_copies(), 0u);
  EXPECT_EQ(read(words), all(8));
}

TEST_F(DeviceCopies, a_copy_stays_within_its_blocks) {
  const CUdeviceptr words = allocate();
  const CUdeviceptr others = allocate();
  const CUstream stream = make_stream();
  EXPECT_EQ(cuda().MemcpyAsync(words + 4, others, size, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemcpyAsync(words, others + 4, size, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemcpyAsync(words, 0, size, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemcpyAsync(words, words + 4, 64, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemcpyAsync(words, others, SIZE_MAX, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemcpyAsync(words, others, 0, stream), CUDA_SUCCESS);
}

TEST_F(DeviceCopies, fills_are_checked) {
  const CUdeviceptr words = allocate();
  const CUstream stream = make_stream();
  EXPECT_EQ(cuda().MemsetD32Async(words + 2, 0, 1, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemsetD32Async(words, 0, word_count + 1, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemsetD32Async(words, 0, SIZE_MAX, stream), CUDA_ERROR_INVALID_VALUE);
  uint32_t local = 0;
  EXPECT_EQ(cuda().MemsetD32Async(address(&local), 0, 1, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().MemsetD32Async(words, 0, 0, stream), CUDA_SUCCESS);
}

class RectangleCopies : public DeviceCopies {
 protected:
  // Copies columns 2 to 5 of rows 1 to 3 from rows of 16 words into rows of 4 words, from pinned to device memory.
  CUDA_MEMCPY2D make_copy() {
    source_ = allocate_pinned();
    target_ = allocate();
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = source_;
    copy.srcPitch = 16 * sizeof(uint32_t);
    copy.srcXInBytes = 2 * sizeof(uint32_t);
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = target_;
    copy.dstPitch = 4 * sizeof(uint32_t);
    copy.WidthInBytes = 4 * sizeof(uint32_t);
    copy.Height = 3;
    return copy;
  }
  uint32_t* source_ = nullptr;
  CUdeviceptr target_ = 0;
};

TEST_F(RectangleCopies, rows_go_to_their_places) {
  const CUDA_MEMCPY2D copy = make_copy();
  for (uint32_t k = 0; k < word_count; ++k) source_[k] = k;
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().Memcpy2DAsync(&copy, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(target_, 12), (std::vector<uint32_t>{18, 19, 20, 21, 34, 35, 36, 37, 50, 51, 52, 53}));
  EXPECT_EQ(pageable_copies(), 1u);
}

TEST_F(RectangleCopies, an_empty_rectangle_is_no_copy) {
  CUDA_MEMCPY2D copy = make_copy();
  copy.Height = 0;
  EXPECT_EQ(cuda().Memcpy2DAsync(&copy, make_stream()), CUDA_SUCCESS);
  EXPECT_EQ(cuda().Memcpy2DAsync(nullptr, make_stream()), CUDA_ERROR_INVALID_VALUE);
}

// Changes that make the copy wrong.
struct Change {
  const char* name;
  void (*apply)(CUDA_MEMCPY2D& copy);
};
const Change changes[] = {
    {"pitch_smaller_than_width", [](CUDA_MEMCPY2D& copy) { copy.dstPitch = copy.WidthInBytes - 1; }},
    {"row_leaves_pitch", [](CUDA_MEMCPY2D& copy) { copy.srcXInBytes = 13 * sizeof(uint32_t); }},
    {"huge_pitch", [](CUDA_MEMCPY2D& copy) { copy.srcPitch = size_t{1} << 31; }},
    {"too_many_rows", [](CUDA_MEMCPY2D& copy) { copy.Height = 16; }},
    {"late_row", [](CUDA_MEMCPY2D& copy) { copy.srcY = 14; }},
    {"host_memory_as_device_memory", [](CUDA_MEMCPY2D& copy) { copy.srcMemoryType = CU_MEMORYTYPE_DEVICE; }},
    {"device_memory_as_host_memory",
     [](CUDA_MEMCPY2D& copy) {
       copy.dstMemoryType = CU_MEMORYTYPE_HOST;
       copy.dstHost = reinterpret_cast<void*>(copy.dstDevice);
     }},
    {"array", [](CUDA_MEMCPY2D& copy) { copy.srcMemoryType = static_cast<CUmemorytype>(3); }},
};

TEST_F(RectangleCopies, a_wrong_rectangle_is_refused) {
  const CUDA_MEMCPY2D right = make_copy();
  const CUstream stream = make_stream();
  for (const Change& change : changes) {
    CUDA_MEMCPY2D copy = right;
    change.apply(copy);
    EXPECT_EQ(cuda().Memcpy2DAsync(&copy, stream), CUDA_ERROR_INVALID_VALUE) << change.name;
  }
}

}  // namespace
}  // namespace clothc::cuda_device::device_copies_test
