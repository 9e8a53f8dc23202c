// device_exit_test.cpp - what the software device reports when a process ends, and the status with which it ends. Each
// process is a new start of this program.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "cuda/device/driver/fixture.h"

namespace clothc::cuda_device::device_exit_test {
namespace {

class DeviceExit : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

void open() {
  setenv("CLOTHC_CUDA_DEVICE_STRICT", "1", 1);
  cuda().Init(0);
  CUcontext context = nullptr;
  cuda().DevicePrimaryCtxRetain(&context, 0);
  cuda().CtxPushCurrent(context);
}

void close() { cuda().DevicePrimaryCtxRelease(0); }

[[noreturn]] void end_without_findings() {
  open();
  CUevent event = nullptr;
  cuda().EventCreate(&event, 0);
  cuda().EventDestroy(event);
  close();
  std::exit(0);
}

[[noreturn]] void end_with_an_event() {
  open();
  CUevent event = nullptr;
  cuda().EventCreate(&event, 0);
  std::exit(0);
}

[[noreturn]] void end_with_a_misuse() {
  open();
  cuda().MemFree(512);
  close();
  std::exit(0);
}

[[noreturn]] void end_with_a_race() {
  open();
  CUmodule module = nullptr;
  CUfunction fill = nullptr;
  CUdeviceptr words = 0;
  cuda().ModuleLoadDataEx(&module, kernels_text, 0, nullptr, nullptr);
  cuda().ModuleGetFunction(&fill, module, "fill");
  cuda().MemAlloc(&words, 256);
  uint32_t value = 1;
  uint32_t count = 64;
  void* parameters[] = {&words, &value, &count};
  for (int k = 0; k < 2; ++k) {
    CUstream stream = nullptr;
    cuda().StreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    cuda().LaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr);
    cuda().StreamDestroy(stream);
  }
  cuda().MemFree(words);
  cuda().ModuleUnload(module);
  close();
  std::exit(0);
}

// The counts of a kernel are to be written to that file.
[[noreturn]] void end_with_counts(const char* path) {
  setenv("CLOTHC_CUDA_DEVICE_COUNTS", path, 1);
  setenv("CLOTHC_CUDA_DEVICE_RULES", "counts=on", 1);
  open();
  CUmodule module = nullptr;
  CUfunction limited = nullptr;
  cuda().ModuleLoadDataEx(&module, kernels_text, 0, nullptr, nullptr);
  cuda().ModuleGetFunction(&limited, module, "limited");
  cuda().LaunchKernel(limited, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr);
  cuda().CtxSynchronize();
  cuda().ModuleUnload(module);
  close();
  std::exit(0);
}

// A stream that never ends its work does not keep the process from ending.
[[noreturn]] void end_with_a_hung_stream() {
  open();
  cuda().control("hang");
  CUstream stream = nullptr;
  cuda().StreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  cuda().LaunchHostFunc(
      stream, [](void*) {}, nullptr);
  unsetenv("CLOTHC_CUDA_DEVICE_STRICT");
  std::exit(3);
}

// Each of these uses a handle of an object that was destroyed, which no driver looks up.
[[noreturn]] void end_with_a_stale_event() {
  open();
  CUevent event = nullptr;
  cuda().EventCreate(&event, 0);
  cuda().EventDestroy(event);
  cuda().EventQuery(event);
  std::exit(0);
}

[[noreturn]] void end_with_a_stale_context() {
  open();
  CUcontext context = nullptr;
  cuda().CtxCreate(&context, 0, 0);
  cuda().CtxDestroy(context);
  cuda().CtxPushCurrent(context);
  std::exit(0);
}

[[noreturn]] void end_with_a_number_for_a_stream() {
  open();
  cuda().StreamSynchronize(reinterpret_cast<CUstream>(size_t{0x1230}));
  std::exit(0);
}

[[noreturn]] void end_with_rules_of_the_environment() {
  setenv("CLOTHC_CUDA_DEVICE_RULES", "devices=5,cuDeviceGetCount:2=100", 1);
  int count = 0;
  cuda().Init(0);
  const bool first = cuda().DeviceGetCount(&count) == CUDA_SUCCESS && count == 5;
  const bool second = cuda().DeviceGetCount(&count) == CUDA_ERROR_NO_DEVICE;
  cuda().control("devices=2");
  const bool third = cuda().DeviceGetCount(&count) == CUDA_SUCCESS && count == 2;
  std::exit(first && second && third ? 7 : 1);
}

TEST_F(DeviceExit, a_clean_process_ends_as_it_wants) {
  EXPECT_EXIT(end_without_findings(), testing::ExitedWithCode(0), "^$");
}

TEST_F(DeviceExit, leaks_end_a_strict_process) {
  EXPECT_EXIT(end_with_an_event(), testing::ExitedWithCode(86),
              "cuda device: leak: 1 contexts were never destroyed\ncuda device: leak: 1 events were never destroyed");
}

TEST_F(DeviceExit, misuses_end_a_strict_process) {
  EXPECT_EXIT(end_with_a_misuse(), testing::ExitedWithCode(86), "cuda device: misuse: cuMemFree");
}

TEST_F(DeviceExit, stale_handles_end_any_process_at_once) {
  EXPECT_EXIT(end_with_a_stale_event(), testing::KilledBySignal(SIGABRT),
              "cuda device: misuse: cuEventQuery: there is no such event");
  EXPECT_EXIT(end_with_a_stale_context(), testing::KilledBySignal(SIGABRT),
              "cuda device: misuse: cuCtxPushCurrent: there is no such context");
  EXPECT_EXIT(end_with_a_number_for_a_stream(), testing::KilledBySignal(SIGABRT),
              "cuda device: misuse: cuStreamSynchronize: there is no such stream");
}

TEST_F(DeviceExit, races_end_a_strict_process) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer finds this race";
  EXPECT_EXIT(end_with_a_race(), testing::ExitedWithCode(86), "cuda device: race: ");
}

TEST_F(DeviceExit, a_hung_stream_does_not_hold_a_process) {
  EXPECT_EXIT(end_with_a_hung_stream(), testing::ExitedWithCode(3), "cuda device: leak: 1 streams");
}

TEST_F(DeviceExit, counts_are_written_to_a_file) {
  const std::string path = testing::TempDir() + "clothc_device_counts";
  EXPECT_EXIT(end_with_counts(path.c_str()), testing::ExitedWithCode(0), "^$");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "kernel limited 1 1 64 0 0\n43 ret 2 64 0 0\n");
  std::remove(path.c_str());
}

TEST_F(DeviceExit, a_file_of_counts_that_cannot_be_written_is_named) {
  EXPECT_EXIT(end_with_counts("/nowhere/counts"), testing::ExitedWithCode(0), "cannot write /nowhere/counts: No such");
}

TEST_F(DeviceExit, rules_of_the_environment_are_read_at_the_start) {
  EXPECT_EXIT(end_with_rules_of_the_environment(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace clothc::cuda_device::device_exit_test
