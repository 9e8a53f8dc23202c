// verification_test.cpp - what is promised of the bits of Vulkan devices that were not verified. tests/planted verifies wrong
// ones, and that this driver is right, tests of the tool tell.
#include "vulkan/fixture.h"

using namespace clothc_test;

namespace verification_test {
namespace {

class VulkanVerification : public OnVulkan {};

TEST_F(VulkanVerification, is_needed_for_a_driver_that_nobody_knows) {
  set_faults("vkGetPhysicalDeviceProperties2:1+=unknown");
  EXPECT_EQ(vulkan_entry().capabilities & CLOTHC_CAPABILITY_STRICT_PARITY, 0u);
  const clothc_device device = create_device(vulkan_desc());
  clothc_device_info info = initialised<clothc_device_info>();
  EXPECT_OK(clothc_device_get_info(device, &info));
  EXPECT_EQ(info.capabilities & CLOTHC_CAPABILITY_STRICT_PARITY, 0u);
  clothc_verification known = initialised<clothc_verification>();
  EXPECT_OK(clothc_device_get_verification(device, &known, nullptr, nullptr));
  EXPECT_EQ(known.verdict, static_cast<uint32_t>(CLOTHC_VERDICT_UNKNOWN));
  EXPECT_NE(std::string(known.message).find("clothc_device_verify"), std::string::npos) << known.message;
  EXPECT_OK(clothc_device_destroy(device));
}

}  // namespace
}  // namespace verification_test
