// device_kernels_test.cpp - modules, functions and launches of the software device, and the limits that it keeps.
#include <cstring>

#include <csignal>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_kernels_test {
namespace {

class DeviceKernels : public DeviceTest {
 protected:
  struct Shape {
    unsigned grid[3] = {1, 1, 1};
    unsigned block[3] = {1, 1, 1};
    unsigned shared_size = 0;
  };
  CUresult launch_shape(const char* name, const Shape& shape) {
    CUdeviceptr words = allocate();
    uint32_t value = 0;
    uint32_t count = 0;
    void* parameters[] = {&words, &value, &count};
    return cuda().LaunchKernel(function(name), shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0],
                               shape.block[1], shape.block[2], shape.shared_size, make_stream(), parameters, nullptr);
  }
  static CUresult load(const std::string& text) {
    CUmodule module = nullptr;
    const CUresult result = cuda().ModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr);
    if (result == CUDA_SUCCESS) cuda().ModuleUnload(module);
    return result;
  }
  static std::string text(const char* version, const char* target) {
    return std::string(".version ") + version + "\n.target " + target + "\n.address_size 64\n";
  }
};

TEST_F(DeviceKernels, dimensions_are_limited) {
  EXPECT_EQ(launch_shape("fill", {{1, 1, 1}, {1024, 1, 1}}), CUDA_SUCCESS);
  EXPECT_EQ(launch_shape("fill", {{1, 1, 1}, {1025, 1, 1}}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_shape("fill", {{1, 1, 1}, {512, 2, 2}}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_shape("fill", {{1, 1, 1}, {1, 1, 65}}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_shape("fill", {{1, 1, 1}, {1, 0, 1}}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_shape("fill", {{0, 1, 1}, {1, 1, 1}}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_shape("fill", {{0x80000000u, 1, 1}, {1, 1, 1}}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_shape("fill", {{1, 65536, 1}, {1, 1, 1}}), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DeviceKernels, a_kernel_limits_its_threads) {
  int threads = 0;
  EXPECT_EQ(cuda().FuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function("limited")),
            CUDA_SUCCESS);
  EXPECT_EQ(threads, 64);
  EXPECT_EQ(launch_shape("limited", {{1, 1, 1}, {64, 1, 1}}), CUDA_SUCCESS);
  EXPECT_EQ(launch_shape("limited", {{1, 1, 1}, {65, 1, 1}}), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

TEST_F(DeviceKernels, dynamic_shared_memory_must_be_asked_for) {
  const CUfunction reverse = function("reverse");
  EXPECT_EQ(launch_shape("reverse", {{1, 1, 1}, {1, 1, 1}, 48 << 10}), CUDA_SUCCESS);
  EXPECT_EQ(launch_shape("reverse", {{1, 1, 1}, {1, 1, 1}, (48 << 10) + 1}), CUDA_ERROR_INVALID_VALUE);
  constexpr CUfunction_attribute attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  EXPECT_EQ(cuda().FuncSetAttribute(reverse, attribute, (64 << 10) + 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda().FuncSetAttribute(reverse, attribute, 64 << 10), CUDA_SUCCESS);
  int value = 0;
  EXPECT_EQ(cuda().FuncGetAttribute(&value, attribute, reverse), CUDA_SUCCESS);
  EXPECT_EQ(value, 64 << 10);
  EXPECT_EQ(launch_shape("reverse", {{1, 1, 1}, {1, 1, 1}, 64 << 10}), CUDA_SUCCESS);
}

TEST_F(DeviceKernels, a_block_shares_memory) {
  uint32_t* const words = allocate_pinned();
  for (uint32_t k = 0; k < word_count; ++k) words[k] = k;
  CUdeviceptr pointer = reinterpret_cast<CUdeviceptr>(words);
  void* parameters[] = {&pointer};
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().LaunchKernel(function("reverse"), 1, 1, 1, word_count, 1, 1, size, stream, parameters, nullptr),
            CUDA_SUCCESS);
  ASSERT_EQ(cuda().StreamSynchronize(stream), CUDA_SUCCESS);
  for (uint32_t k = 0; k < word_count; ++k) ASSERT_EQ(words[k], word_count - 1 - k);
}

TEST_F(DeviceKernels, parameters_are_copied_by_the_call) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  CUdeviceptr words = allocate();
  uint32_t value = 5;
  uint32_t count = word_count;
  void* parameters[] = {&words, &value, &count};
  const CUstream stream = make_stream();
  ASSERT_EQ(cuda().LaunchKernel(function("fill"), 4, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr), CUDA_SUCCESS);
  value = 6;
  words = 0;
  EXPECT_EQ(read(allocated_[0]), all(5));
  EXPECT_EQ(cuda().LaunchKernel(function("fill"), 4, 1, 1, 64, 1, 1, 0, stream, nullptr, nullptr),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DeviceKernels, all_orders_give_the_same_words) {
  for (const char* rules : {"order=backward", "order=permuted,seed=7", "stores=delayed", "races=off"}) {
    ASSERT_EQ(cuda().control(rules), 0);
    const CUdeviceptr words = allocate();
    const CUstream stream = make_stream();
    ASSERT_EQ(launch("fill", words, 3, stream), CUDA_SUCCESS);
    ASSERT_EQ(launch("add", words, 4, stream), CUDA_SUCCESS);
    EXPECT_EQ(read(words), all(7)) << rules;
  }
}

TEST_F(DeviceKernels, an_unknown_function_is_not_found) {
  CUfunction found = nullptr;
  EXPECT_EQ(cuda().ModuleGetFunction(&found, module_, "nothing"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DeviceKernels, an_image_that_the_device_cannot_run_is_refused) {
  EXPECT_EQ(load(text("9.0", "sm_75")), CUDA_SUCCESS);
  EXPECT_EQ(load(text("9.1", "sm_75")), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_EQ(load(text("8.0", "sm_80")), CUDA_ERROR_NO_BINARY_FOR_GPU);
  ASSERT_EQ(cuda().control("driver=12020"), 0);
  EXPECT_EQ(load(text("8.2", "sm_75")), CUDA_SUCCESS);
  EXPECT_EQ(load(text("8.3", "sm_75")), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
}

TEST_F(DeviceKernels, a_wrong_text_leaves_a_message_in_the_log) {
  char log[256] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const std::string wrong = text("7.0", "sm_70") + ".nonsense\n";
  CUmodule module = nullptr;
  EXPECT_EQ(cuda().ModuleLoadDataEx(&module, wrong.c_str(), 2, options, values), CUDA_ERROR_INVALID_PTX);
  EXPECT_NE(std::strlen(log), 0u);
  EXPECT_EQ(reinterpret_cast<size_t>(values[1]), std::strlen(log) + 1);
  EXPECT_EQ(load(""), CUDA_ERROR_INVALID_PTX);
}

TEST_F(DeviceKernels, a_wrong_kernel_is_found_when_it_is_asked_for) {
  const std::string wrong = text("7.0", "sm_70") + ".visible .entry wrong() { nonsense.u32 %r1; }\n";
  CUmodule module = nullptr;
  ASSERT_EQ(cuda().ModuleLoadDataEx(&module, wrong.c_str(), 0, nullptr, nullptr), CUDA_SUCCESS);
  CUfunction found = nullptr;
  EXPECT_EQ(cuda().ModuleGetFunction(&found, module, "wrong"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(cuda().ModuleUnload(module), CUDA_SUCCESS);
  EXPECT_NE(report().find("nonsense"), std::string::npos);
}

TEST_F(DeviceKernels, a_launch_outlives_its_module) {
  ASSERT_EQ(cuda().control("start=late"), 0);
  CUmodule module = nullptr;
  ASSERT_EQ(cuda().ModuleLoadDataEx(&module, kernels_text, 0, nullptr, nullptr), CUDA_SUCCESS);
  CUfunction fill = nullptr;
  ASSERT_EQ(cuda().ModuleGetFunction(&fill, module, "fill"), CUDA_SUCCESS);
  const CUdeviceptr words = allocate();
  ASSERT_EQ(launch(fill, words, 5, make_stream()), CUDA_SUCCESS);
  ASSERT_EQ(cuda().ModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(read(words), all(5));
}

TEST_F(DeviceKernels, a_launch_of_an_unloaded_module_ends_the_process) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        CUmodule module = nullptr;
        cuda().ModuleLoadDataEx(&module, kernels_text, 0, nullptr, nullptr);
        CUfunction fill = nullptr;
        cuda().ModuleGetFunction(&fill, module, "fill");
        cuda().ModuleUnload(module);
        launch(fill, allocate(), 5, nullptr);
      },
      testing::KilledBySignal(SIGABRT), "cuLaunchKernel: there is no such function");
}

}  // namespace
}  // namespace clothc::cuda_device::device_kernels_test
