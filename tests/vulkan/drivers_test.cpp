// drivers_test.cpp - missing, old or broken loaders and drivers: enumerate lists Vulkan with the reason, AUTO takes the
// processor and reports the reason, and creating a Vulkan device fails with it. Tests that need another environment run
// in child processes of this program.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "vulkan/fixture.h"

using namespace clothc_test;

namespace drivers_test {
namespace {

class VulkanDrivers : public OnVulkan {};
class VulkanDriversChild : public testing::Test {};

constexpr const char* reason_variable = "CLOTHC_EXPECTED_REASON";

clothc_device_info info_of(clothc_device device) {
  clothc_device_info info = initialised<clothc_device_info>();
  EXPECT_OK(clothc_device_get_info(device, &info));
  return info;
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks \"" << part << "\"";
}

// Expects AUTO to make a CPU device and to say why Vulkan is not available.
void expect_auto_takes_cpu(const std::string& reason) {
  const clothc_device_desc desc = initialised<clothc_device_desc>();
  clothc_device device = nullptr;
  ASSERT_OK(clothc_device_create(&desc, &device));
  const clothc_device_info info = info_of(device);
  EXPECT_EQ(info.backend, static_cast<uint32_t>(CLOTHC_BACKEND_CPU));
  expect_contains(info.reason, "vulkan: ");
  expect_contains(info.reason, reason);
  EXPECT_OK(clothc_device_destroy(device));
}

void expect_absent(const std::string& reason, const std::string& remedy) {
  const clothc_device_info entry = vulkan_entry();
  EXPECT_EQ(entry.available, 0u);
  expect_contains(entry.reason, reason);
  expect_contains(entry.reason, remedy);
  expect_auto_takes_cpu(reason);
  const clothc_device_desc desc = vulkan_desc();
  clothc_device device = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_device_create(&desc, &device), reason.c_str(), remedy.c_str());
  EXPECT_EQ(device, nullptr);
}

TEST_F(VulkanDrivers, without_devices_are_absent) {
  set_faults("vkEnumeratePhysicalDevices:1+=skip");
  expect_absent("offer no device", "driver");
  set_faults("vkEnumeratePhysicalDevices:1+=-3");
  expect_absent("no device", "driver");
}

TEST_F(VulkanDrivers, without_timeline_semaphores_are_absent) {
  set_faults("vkGetPhysicalDeviceFeatures2:1+=skip,vkGetPhysicalDeviceProperties2:1+=skip");
  expect_absent("timeline semaphores", "update");
}

TEST_F(VulkanDrivers, that_do_not_open_a_device_are_passed_over) {
  set_faults("vkGetPhysicalDeviceProperties2:1+=skip,vkCreateDevice:1+=-3");
  const clothc_device_desc desc = vulkan_desc();
  clothc_device device = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_device_create(&desc, &device), "vkCreateDevice",
               "VK_ERROR_INITIALIZATION_FAILED", "CLOTHC_BACKEND_CPU");
  expect_auto_takes_cpu("VK_ERROR_INITIALIZATION_FAILED");
}

TEST_F(VulkanDrivers, of_a_gpu_are_the_choice_of_auto) {
  set_faults("vkGetPhysicalDeviceProperties2:1+=skip");
  const clothc_device_desc desc = initialised<clothc_device_desc>();
  clothc_device device = nullptr;
  ASSERT_OK(clothc_device_create(&desc, &device));
  const clothc_device_info info = info_of(device);
  EXPECT_EQ(info.backend, static_cast<uint32_t>(CLOTHC_BACKEND_VULKAN));
  expect_contains(info.reason, "the best that works");
  EXPECT_OK(clothc_device_destroy(device));
}

TEST_F(VulkanDrivers, that_run_on_the_processor_are_passed_over_by_auto) {
  EXPECT_EQ(vulkan_entry().available, 1u);
  EXPECT_EQ(vulkan_entry().capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE,
            static_cast<uint32_t>(CLOTHC_CAPABILITY_SOFTWARE_DEVICE));
  expect_auto_takes_cpu("processor");
}

TEST_F(VulkanDrivers, are_found_by_backend_and_by_uuid) {
  const clothc_device_info entry = vulkan_entry();
  EXPECT_TRUE(std::any_of(std::begin(entry.uuid), std::end(entry.uuid), [](uint8_t byte) { return byte != 0; }));
  for (const bool by_uuid : {false, true}) {
    for (const clothc_backend backend : {CLOTHC_BACKEND_AUTO, CLOTHC_BACKEND_VULKAN}) {
      if (!by_uuid && backend == CLOTHC_BACKEND_AUTO) continue;
      clothc_device_desc desc = initialised<clothc_device_desc>();
      desc.backend = backend;
      if (by_uuid) std::copy(std::begin(entry.uuid), std::end(entry.uuid), desc.uuid);
      if (by_uuid) desc.device_index = 77;
      clothc_device device = nullptr;
      ASSERT_OK(clothc_device_create(&desc, &device));
      const clothc_device_info info = info_of(device);
      EXPECT_EQ(info.backend, static_cast<uint32_t>(CLOTHC_BACKEND_VULKAN));
      EXPECT_STREQ(info.name, entry.name);
      EXPECT_EQ(std::memcmp(info.uuid, entry.uuid, sizeof(info.uuid)), 0);
      EXPECT_OK(clothc_device_destroy(device));
    }
  }
}

TEST_F(VulkanDrivers, that_are_not_there_are_unsupported) {
  clothc_device_desc desc = vulkan_desc();
  clothc_device device = nullptr;
  desc.device_index = 9;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_device_create(&desc, &device), "device_index", "9");
  desc.device_index = 0;
  desc.uuid[3] = 0xab;
  for (const clothc_backend backend : {CLOTHC_BACKEND_AUTO, CLOTHC_BACKEND_VULKAN, CLOTHC_BACKEND_CPU}) {
    desc.backend = backend;
    EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_device_create(&desc, &device), "UUID", "ab",
                 "clothc_device_enumerate");
  }
  EXPECT_EQ(device, nullptr);
}

// -------------------------------------------------------------------------------------------------- other environments

void expect_absent_in_child(const std::string& environment, const std::string& reason) {
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  const std::string command = "env " + environment + " " + reason_variable + "='" + reason + "' '" + self +
                              "' --gtest_brief=1 --gtest_also_run_disabled_tests "
                              "--gtest_filter=VulkanDriversChild.DISABLED_is_absent";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST_F(VulkanDriversChild, DISABLED_is_absent) {
  const char* reason = std::getenv(reason_variable);
  ASSERT_NE(reason, nullptr) << "this test is played by VulkanDrivers'";
  expect_absent(reason, "install");
}

TEST_F(VulkanDrivers, that_make_no_instance_are_absent) {
  expect_absent_in_child("CLOTHC_FAULTS=vkCreateInstance:1+=-9", "VK_ERROR_INCOMPATIBLE_DRIVER");
  expect_absent_in_child("CLOTHC_FAULTS=vkCreateInstance:1+=-1", "VK_ERROR_OUT_OF_HOST_MEMORY");
}

// A temporary folder in which libvulkan.so.1 is found first.
struct Folder {
  std::string path = "/tmp/clothc_loader_XXXXXX";
  Folder() { EXPECT_NE(mkdtemp(path.data()), nullptr); }
  ~Folder() {
    unlink(library().c_str());
    rmdir(path.c_str());
  }
  std::string library() const { return path + "/libvulkan.so.1"; }
};

TEST_F(VulkanDrivers, that_are_not_installed_are_absent) {
  expect_absent_in_child("-u VK_INSTANCE_LAYERS VK_ICD_FILENAMES=/nowhere.json VK_DRIVER_FILES=/nowhere.json",
                         "VK_ERROR_INCOMPATIBLE_DRIVER");
}

TEST_F(VulkanDrivers, behind_a_loader_that_is_none_are_absent) {
  const Folder folder;
  std::ofstream(folder.library()) << "no library at all";
  expect_absent_in_child("-u VK_INSTANCE_LAYERS LD_LIBRARY_PATH=" + folder.path, "libvulkan.so.1");
  unlink(folder.library().c_str());
  // This file is a library, but no Vulkan loader.
  const std::string no_loader = given_path("CLOTHC_FAULT_LAYER", CLOTHC_FAULT_LAYER);
  ASSERT_EQ(symlink(no_loader.c_str(), folder.library().c_str()), 0);
  expect_absent_in_child("-u VK_INSTANCE_LAYERS LD_LIBRARY_PATH=" + folder.path, "no Vulkan loader");
}

}  // namespace
}  // namespace drivers_test
