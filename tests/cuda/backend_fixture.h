// backend_fixture.h - what the tests of the CUDA backend share: the public API on the software CUDA device, which
// CLOTHC_CUDA_LIBRARY names, and the functions that control that device. Tests that need them are skipped with an
// explanation on another driver, and on the software device itself if CLOTHC_TEST_PLAIN_DRIVER is set.
#pragma once

#if defined(_WIN32)
#include <windows.h>
#else
#include <unistd.h>
#endif

#include <cstdlib>

#include "cuda/device/driver/control.h"
#include "platform/shared_library.h"
#include "support/scene.h"
#include "support/stopwatch.h"

namespace clothc_test {

class SoftwareDevice {
 public:
  SoftwareDevice() {
    if (std::getenv("CLOTHC_TEST_PLAIN_DRIVER") != nullptr) return;
    const char* path = std::getenv("CLOTHC_CUDA_LIBRARY");
    clothc::platform::SharedLibrary library;
    if (path == nullptr || !library.open(path)) return;
    load(library, control_, "clothc_cuda_device_control");
    load(library, count_, "clothc_cuda_device_count");
    load(library, reset_, "clothc_cuda_device_reset_counts");
    load(library, report_, "clothc_cuda_device_report");
    load(library, statistics_, "clothc_cuda_device_statistics");
    load(library, kernel_counts_, "clothc_cuda_device_kernel_counts");
  }
  bool is_here() const { return report_ != nullptr && statistics_ != nullptr; }
  // Replaces the rules that were set before. Another driver has none.
  void set(const std::string& rules) const {
    ASSERT_TRUE(is_here() || rules.empty()) << "no software device takes the rules " << rules;
    if (is_here()) {
      ASSERT_EQ(control_(rules.c_str()), 0) << rules;
    }
  }
  uint64_t calls_of(const char* function) const { return count_(function); }
  // Expects this many calls of a function of the driver since the counts were reset. Another driver does not count.
  void expect_calls(const char* function, uint64_t count) const {
    if (is_here()) {
      EXPECT_EQ(calls_of(function), count) << function;
    }
  }
  void reset_counts() const {
    if (is_here()) reset_();
  }
  clothc_cuda_device_counts counts() const {
    clothc_cuda_device_counts counts{};
    statistics_(&counts);
    return counts;
  }
  // Returns what kernels have executed under the rule counts=on, as control.h describes it.
  std::string kernel_counts() const {
    std::string text(kernel_counts_(nullptr, 0) + 1, '\0');
    text.resize(kernel_counts_(text.data(), text.size()));
    return text;
  }
  // Returns what the device has found wrong since the last call. Another driver finds nothing.
  std::string report() const {
    if (!is_here()) return "";
    std::string text(1 << 16, '\0');
    return report_(text.data(), text.size()) == 0 ? "" : text.c_str();
  }

 private:
  template <class Function>
  static void load(const clothc::platform::SharedLibrary& library, Function*& function, const char* name) {
    function = library.find<Function*>(name);
  }
  int (*control_)(const char*) = nullptr;
  uint64_t (*count_)(const char*) = nullptr;
  void (*reset_)() = nullptr;
  size_t (*report_)(char*, size_t) = nullptr;
  void (*statistics_)(clothc_cuda_device_counts*) = nullptr;
  size_t (*kernel_counts_)(char*, size_t) = nullptr;
};

inline const SoftwareDevice& software_device() {
  static const SoftwareDevice only;
  return only;
}

// Returns the first CUDA entry of clothc_device_enumerate, available or not.
inline clothc_device_info cuda_entry() {
  for (const clothc_device_info& info : enumerate_devices()) {
    if (info.backend == CLOTHC_BACKEND_CUDA) return info;
  }
  ADD_FAILURE() << "clothc_device_enumerate lists no CUDA";
  return initialised<clothc_device_info>();
}

inline clothc_device_desc cuda_desc() {
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CUDA;
  return desc;
}

#define SKIP_WITHOUT_SOFTWARE_DEVICE() \
  if (!software_device().is_here())    \
  GTEST_SKIP() << "this test controls the software CUDA device, which is not the driver here"

// Tests on any driver that has a device.
class OnAnyCuda : public testing::Test {
 protected:
  void SetUp() override {
    const clothc_device_info info = cuda_entry();
    ASSERT_TRUE(info.available != 0 || !software_device().is_here()) << info.reason;
    if (info.available == 0) GTEST_SKIP() << "there is no CUDA device: " << info.reason;
    software_device().set("");
    software_device().report();
    software_device().reset_counts();
  }
  void TearDown() override { software_device().set(""); }
};

// Tests on the software device.
class OnCuda : public OnAnyCuda {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_SOFTWARE_DEVICE();
    OnAnyCuda::SetUp();
  }
};

// Expects a test of this program to pass in a child process with these additions to its environment.
inline void expect_child_passes(const std::string& test, [[maybe_unused]] const std::string& environment = "") {
#if defined(_WIN32)
  // The additions are for sanitizers.
  char self[4096] = {};
  ASSERT_GT(GetModuleFileNameA(nullptr, self, sizeof(self) - 1), 0u);
  const std::string begin = "\"" + std::string(self) + "\"";
#else
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  const std::string begin = "env " + environment + " '" + self + "'";
#endif
  const std::string command = begin + " --gtest_brief=1 --gtest_also_run_disabled_tests --gtest_filter=" + test;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace clothc_test
