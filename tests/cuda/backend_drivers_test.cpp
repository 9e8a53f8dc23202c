// backend_drivers_test.cpp - missing, old and broken CUDA drivers and devices: enumerate lists CUDA with the reason,
// AUTO takes another device and reports the reason, and creating a CUDA device fails with it. The driver is opened
// once, so each case runs in a child process of this program.
#include <unistd.h>

#include <fstream>

#include "cuda/backend_fixture.h"

using namespace clothc_test;

namespace backend_drivers_test {
namespace {

class CudaDrivers : public OnCuda {};
class CudaDriversChild : public testing::Test {};

constexpr const char* reason_variable = "CLOTHC_EXPECTED_REASON";

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks \"" << part << "\"";
}

void expect_absent_in_child(const std::string& environment, const std::string& reason) {
  expect_child_passes("CudaDriversChild.DISABLED_is_absent", environment + " " + reason_variable + "='" + reason + "'");
}

void expect_absent_with_rules(const std::string& rules, const std::string& reason) {
  expect_absent_in_child("CLOTHC_CUDA_DEVICE_RULES='" + rules + "'", reason);
}

TEST_F(CudaDriversChild, DISABLED_is_absent) {
  const char* reason = std::getenv(reason_variable);
  ASSERT_NE(reason, nullptr) << "this test is played by CudaDrivers'";
  const clothc_device_info entry = cuda_entry();
  EXPECT_EQ(entry.available, 0u);
  expect_contains(entry.reason, reason);
  clothc_device_desc desc = cuda_desc();
  clothc_device device = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_device_create(&desc, &device), reason);
  EXPECT_EQ(device, nullptr);
  desc.backend = CLOTHC_BACKEND_AUTO;
  ASSERT_OK(clothc_device_create(&desc, &device));
  clothc_device_info info = initialised<clothc_device_info>();
  EXPECT_OK(clothc_device_get_info(device, &info));
  EXPECT_NE(info.backend, static_cast<uint32_t>(CLOTHC_BACKEND_CUDA));
  expect_contains(info.reason, "cuda: ");
  expect_contains(info.reason, reason);
  EXPECT_OK(clothc_device_destroy(device));
}

TEST_F(CudaDrivers, that_are_not_installed_are_absent) {
  expect_absent_in_child("CLOTHC_CUDA_LIBRARY=/nowhere/libcuda.so.1", "there is no /nowhere/libcuda.so.1; install");
}

TEST_F(CudaDrivers, that_are_none_are_absent) {
  std::string path = "/tmp/clothc_driver_XXXXXX";
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  close(file);
  std::ofstream(path) << "no library at all";
  expect_absent_in_child("CLOTHC_CUDA_LIBRARY=" + path, "install NVIDIA");
  unlink(path.c_str());
  expect_absent_in_child("CLOTHC_CUDA_LIBRARY=libc.so.6", "libc.so.6 is no CUDA driver: it has no cuInit");
}

TEST_F(CudaDrivers, that_do_not_start_are_absent) {
  expect_absent_with_rules("init=100", "cuInit gave CUDA_ERROR_NO_DEVICE: this machine has no NVIDIA GPU");
  expect_absent_with_rules("init=999", "cuInit gave CUDA_ERROR_UNKNOWN");
  expect_absent_with_rules("init=34", "cuInit gave CUDA_ERROR_STUB_LIBRARY");
}

TEST_F(CudaDrivers, that_are_old_are_absent) {
  expect_absent_with_rules("driver=11030", "made for CUDA 11.3; update it to one for CUDA 11.4");
  expect_absent_with_rules("driver=9020", "made for CUDA 9.2");
}

TEST_F(CudaDrivers, with_devices_that_cannot_be_used_are_absent) {
  expect_absent_with_rules("attribute:75=7,attribute:76=0", "compute capability is 7.0; the kernels need 7.5");
  expect_absent_with_rules("attribute:75=6,attribute:76=1", "compute capability is 6.1");
  expect_absent_with_rules("attribute:20=2", "compute mode is PROHIBITED");
  expect_absent_with_rules("attribute:41=0", "addresses in common");
  expect_absent_with_rules("cuDeviceGetCount:1+=skip", "offers no device");
  expect_absent_with_rules("cuDeviceGet:1+=101", "cuDeviceGet gave CUDA_ERROR_INVALID_DEVICE");
}

TEST_F(CudaDrivers, that_open_no_context_refuse_a_device) {
  const clothc_device_desc desc = cuda_desc();
  clothc_device device = nullptr;
  software_device().set("cuDevicePrimaryCtxRetain:1=101");
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_device_create(&desc, &device), "cuDevicePrimaryCtxRetain",
               "CUDA_ERROR_INVALID_DEVICE", "CLOTHC_BACKEND_CPU");
  EXPECT_OK(clothc_device_create(&desc, &device));
  EXPECT_OK(clothc_device_destroy(device));
}

TEST_F(CudaDrivers, that_do_not_compile_a_kernel_say_what_they_miss) {
  SceneOptions options(CLOTHC_BACKEND_CUDA);
  Scene scene(options);
  software_device().set("cuModuleLoadDataEx:1=222");
  clothc_update update = initialised<clothc_update>();
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_solver_update(scene.solver, &update, nullptr), "clothc_",
               "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "update the driver");
  EXPECT_OK(clothc_solver_update(scene.solver, &update, nullptr));
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
}

TEST_F(CudaDrivers, that_have_no_compiler_say_how_to_do_without) {
  Scene scene{SceneOptions(CLOTHC_BACKEND_CUDA)};
  for (const char* result : {"221", "223"}) {
    software_device().set("cuModuleLoadDataEx:1=" + std::string(result));
    clothc_update update = initialised<clothc_update>();
    EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_solver_update(scene.solver, &update, nullptr),
                 "libnvidia-ptxjitcompiler", "native code");
  }
  software_device().set("");
  scene.step();
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
}

TEST_F(CudaDrivers, of_software_are_labelled_and_passed_over_by_auto) {
  const clothc_device_info entry = cuda_entry();
  EXPECT_EQ(entry.available, 1u);
  expect_contains(entry.name, "software");
  EXPECT_NE(entry.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE, 0u);
  const clothc_device_desc desc = initialised<clothc_device_desc>();
  clothc_device device = nullptr;
  ASSERT_OK(clothc_device_create(&desc, &device));
  clothc_device_info info = initialised<clothc_device_info>();
  EXPECT_OK(clothc_device_get_info(device, &info));
  EXPECT_NE(info.backend, static_cast<uint32_t>(CLOTHC_BACKEND_CUDA));
  expect_contains(info.reason, "cuda");
  EXPECT_OK(clothc_device_destroy(device));
}

}  // namespace
}  // namespace backend_drivers_test
