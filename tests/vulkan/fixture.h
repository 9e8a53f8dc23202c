// fixture.h - what the tests of the Vulkan backend share: the public API on a software device, with the fault layer in
// front. A test is skipped with an explanation if one of these is missing. CLOTHC_TEST_PLAIN_DRIVER lets the tests run on
// whatever device is there, and CLOTHC_FAULT_LAYER names the layer where it is not where the build made it.
#pragma once

#include <cstdlib>

#include "support/given_path.h"
#include "support/scene.h"
#include "support/stopwatch.h"
#include "vulkan/fault_layer.h"

namespace clothc_test {

inline const clothc::faults::Layer& layer() {
  static const clothc::faults::Layer only(given_path("CLOTHC_FAULT_LAYER", CLOTHC_FAULT_LAYER).c_str());
  return only;
}
inline uint64_t calls_of(const char* function) { return layer().count(function); }

// Returns the first Vulkan entry of clothc_device_enumerate, available or not.
inline clothc_device_info vulkan_entry() {
  for (const clothc_device_info& info : enumerate_devices()) {
    if (info.backend == CLOTHC_BACKEND_VULKAN) return info;
  }
  ADD_FAILURE() << "clothc_device_enumerate lists no Vulkan";
  return initialised<clothc_device_info>();
}

// Returns why the tests cannot run here, or an empty string if they can.
inline std::string what_is_missing() {
  layer().reset_counts();
  const clothc_device_info info = vulkan_entry();
  if (info.available == 0) return std::string("Vulkan does not work here: ") + info.reason;
  if ((info.capabilities & CLOTHC_CAPABILITY_SOFTWARE_DEVICE) == 0 &&
      std::getenv("CLOTHC_TEST_PLAIN_DRIVER") == nullptr)
    return std::string(info.name) + " is no software device; set CLOTHC_TEST_PLAIN_DRIVER to test on it";
  if (calls_of("vkEnumeratePhysicalDevices") == 0) return "VK_INSTANCE_LAYERS does not name the fault layer";
  return "";
}

class OnVulkan : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(layer().set(""), 0);
    static const std::string missing = what_is_missing();
    if (!missing.empty()) GTEST_SKIP() << missing;
    layer().reset_counts();
  }
  void TearDown() override { layer().set(""); }
};

inline void set_faults(const std::string& rules) { ASSERT_EQ(layer().set(rules.c_str()), 0) << rules; }

inline clothc_device_desc vulkan_desc() {
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_VULKAN;
  return desc;
}

}  // namespace clothc_test
