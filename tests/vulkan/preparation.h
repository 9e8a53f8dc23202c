// preparation.h - Vulkan devices that compile before it is needed, of the library's own and adopted ones.
#pragma once

#include "vulkan/application.h"

namespace clothc_test {

class VulkanPreparation : public AsVulkanApplication {
 protected:
  clothc_device make_device() {
    clothc_device_desc desc = vulkan_desc();
    desc.hang_timeout_ms = longest_work / 1'000'000;
    clothc_device device = nullptr;
    require(clothc_device_create(&desc, &device));
    devices_.push_back(device);
    return device;
  }
  // Waits, too. Returns how many kernels and programs the device has been asked for.
  static uint32_t prepare(clothc_device device, uint32_t stages) {
    EXPECT_OK(clothc_device_prepare(device, stages));
    uint32_t total = 0;
    EXPECT_OK(clothc_device_wait(device, longest_work, nullptr, &total));
    return total;
  }
};

}  // namespace clothc_test
