// fixture.h - what the tests of the software device share: its functions, found by name as a program finds those of a
// real driver, a few kernels, and a fixture that opens the device's primary context and expects no findings at the end.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/device/driver/application_api.h"
#include "cuda/device/driver/control.h"

namespace clothc::cuda_device {

struct Library {
  void* const handle = dlopen(CLOTHC_CUDA_DEVICE_LIBRARY, RTLD_NOW | RTLD_LOCAL);

#define CLOTHC_CUDA_FUNCTION(name, symbol, parameters) \
  CUresult(*name) parameters = reinterpret_cast<CUresult(*) parameters>(find(#symbol));
#include "backend_cuda/functions.def"
#include "cuda/device/driver/application_functions.def"
#undef CLOTHC_CUDA_FUNCTION

#define CLOTHC_CUDA_CONTROL(name)             \
  decltype(&clothc_cuda_device_##name) name = \
      reinterpret_cast<decltype(&clothc_cuda_device_##name)>(find("clothc_cuda_device_" #name));
  CLOTHC_CUDA_CONTROL(is_software)
  CLOTHC_CUDA_CONTROL(control)
  CLOTHC_CUDA_CONTROL(statistics)
  CLOTHC_CUDA_CONTROL(count)
  CLOTHC_CUDA_CONTROL(reset_counts)
  CLOTHC_CUDA_CONTROL(kernel_counts)
  CLOTHC_CUDA_CONTROL(report)
#undef CLOTHC_CUDA_CONTROL

 private:
  void* find(const char* symbol) const {
    void* found = handle ? dlsym(handle, symbol) : nullptr;
    if (!found) throw std::runtime_error(dlerror());
    return found;
  }
};

inline const Library& cuda() {
  static const Library only;
  return only;
}

// ThreadSanitizer finds races between streams too, and would end the tests that make them.
#if defined(__SANITIZE_THREAD__)
constexpr bool has_thread_sanitizer = true;
#elif defined(__has_feature)
constexpr bool has_thread_sanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool has_thread_sanitizer = false;
#endif

inline std::string report() {
  std::vector<char> text(1 << 16);
  cuda().report(text.data(), text.size());
  return text.data();
}

inline clothc_cuda_device_counts statistics() {
  clothc_cuda_device_counts counts{};
  cuda().statistics(&counts);
  return counts;
}

// fill(words, value, count) sets words; add(words, value, count) adds to them. One thread for each word.
// reverse(words) reverses the words of a block in dynamic shared memory. limited() has at most 64 threads in a block.
inline const char* const kernels_text = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 4 .b8 words[];
.visible .entry fill(.param .u64 p0, .param .u32 p1, .param .u32 p2) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p0]; ld.param.u32 %r1, [p1]; ld.param.u32 %r2, [p2];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r2;
  @%p1 bra $done;
  cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r6, 4; add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r1;
$done:
  ret;
}
.visible .entry add(.param .u64 p0, .param .u32 p1, .param .u32 p2) {
  .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p0]; ld.param.u32 %r1, [p1]; ld.param.u32 %r2, [p2];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r2;
  @%p1 bra $end;
  cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r6, 4; add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r7, [%rd4]; add.s32 %r8, %r7, %r1; st.global.u32 [%rd4], %r8;
$end:
  ret;
}
.visible .entry reverse(.param .u64 p0) {
  .reg .b32 %r<8>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;
  cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r3, [%rd4];
  sub.s32 %r4, %r2, %r1; add.s32 %r4, %r4, -1; shl.b32 %r4, %r4, 2;
  mov.u32 %r5, words; add.s32 %r6, %r5, %r4; st.shared.u32 [%r6], %r3;
  bar.sync 0;
  shl.b32 %r4, %r1, 2; add.s32 %r6, %r5, %r4; ld.shared.u32 %r7, [%r6];
  st.global.u32 [%rd4], %r7;
  ret;
}
.visible .entry limited() .maxntid 64, 1, 1 {
  ret;
}
)";

class DeviceTest : public testing::Test {
 protected:
  static constexpr uint32_t word_count = 256;
  static constexpr size_t size = word_count * sizeof(uint32_t);

  void SetUp() override {
    ASSERT_EQ(cuda().control(""), 0);
    ASSERT_EQ(cuda().Init(0), CUDA_SUCCESS);
    report();
    open();
  }
  void TearDown() override {
    ASSERT_EQ(cuda().control(""), 0);
    close();
    EXPECT_EQ(report(), "");
  }

  void open() {
    ASSERT_EQ(cuda().DevicePrimaryCtxRetain(&context_, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuda().CtxPushCurrent(context_), CUDA_SUCCESS);
    ASSERT_EQ(cuda().ModuleLoadDataEx(&module_, kernels_text, 0, nullptr, nullptr), CUDA_SUCCESS);
  }
  // A context that has failed still ends.
  void close() {
    if (!context_) return;
    for (const CUdeviceptr pointer : allocated_) cuda().MemFree(pointer);
    for (void* pointer : pinned_) cuda().MemFreeHost(pointer);
    for (const CUstream stream : streams_) cuda().StreamDestroy(stream);
    for (const CUevent event : events_) cuda().EventDestroy(event);
    cuda().ModuleUnload(module_);
    cuda().CtxPopCurrent(nullptr);
    EXPECT_EQ(cuda().DevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    context_ = nullptr;
  }

  CUdeviceptr allocate(size_t bytes = size) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(cuda().MemAlloc(&pointer, bytes), CUDA_SUCCESS);
    allocated_.push_back(pointer);
    return pointer;
  }
  uint32_t* allocate_pinned(size_t bytes = size) {
    void* pointer = nullptr;
    EXPECT_EQ(cuda().MemHostAlloc(&pointer, bytes, CU_MEMHOSTALLOC_PORTABLE), CUDA_SUCCESS);
    pinned_.push_back(pointer);
    return static_cast<uint32_t*>(pointer);
  }
  CUstream make_stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
    CUstream stream = nullptr;
    EXPECT_EQ(cuda().StreamCreate(&stream, flags), CUDA_SUCCESS);
    streams_.push_back(stream);
    return stream;
  }
  CUevent make_event(unsigned flags = CU_EVENT_DISABLE_TIMING) {
    CUevent event = nullptr;
    EXPECT_EQ(cuda().EventCreate(&event, flags), CUDA_SUCCESS);
    events_.push_back(event);
    return event;
  }
  CUfunction function(const char* name) {
    CUfunction found = nullptr;
    EXPECT_EQ(cuda().ModuleGetFunction(&found, module_, name), CUDA_SUCCESS);
    return found;
  }

  // Launches fill or add on all words.
  CUresult launch(const char* name, CUdeviceptr words, uint32_t value, CUstream stream) {
    return launch(function(name), words, value, stream);
  }
  static CUresult launch(CUfunction function, CUdeviceptr words, uint32_t value, CUstream stream) {
    uint32_t count = word_count;
    void* parameters[] = {&words, &value, &count};
    return cuda().LaunchKernel(function, word_count / 64, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr);
  }
  // Reads the words after all work of the context.
  std::vector<uint32_t> read(CUdeviceptr words, size_t count = word_count) {
    EXPECT_EQ(cuda().CtxSynchronize(), CUDA_SUCCESS);
    std::vector<uint32_t> values(count);
    EXPECT_EQ(cuda().MemcpyDtoH(values.data(), words, count * sizeof(uint32_t)), CUDA_SUCCESS);
    return values;
  }
  static std::vector<uint32_t> all(uint32_t value) { return std::vector<uint32_t>(word_count, value); }

  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
  std::vector<CUdeviceptr> allocated_;
  std::vector<void*> pinned_;
  std::vector<CUstream> streams_;
  std::vector<CUevent> events_;
};

}  // namespace clothc::cuda_device
