// shared_devices.cpp - see shared_devices.h.
#include "support/shared_devices.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

namespace clothc_test {
namespace {

class SharedDevices : public testing::Environment {
 public:
  clothc_device of(const clothc_device_desc& desc) {
    for (const auto& [known, device] : devices_) {
      if (std::memcmp(&known, &desc, sizeof(desc)) == 0) return device;
    }
    clothc_device device = nullptr;
    EXPECT_EQ(clothc_device_create(&desc, &device), CLOTHC_SUCCESS) << clothc_last_error_message();
    if (device != nullptr) devices_.emplace_back(desc, device);
    return device;
  }
  void TearDown() override {
    for (const auto& [desc, device] : devices_) {
      EXPECT_EQ(clothc_device_destroy(device), CLOTHC_SUCCESS) << clothc_last_error_message();
    }
    devices_.clear();
  }

 private:
  std::vector<std::pair<clothc_device_desc, clothc_device>> devices_;
};

// GoogleTest owns this object and must receive it before main runs.
SharedDevices* const shared_devices = new SharedDevices;
[[maybe_unused]] const testing::Environment* const added = testing::AddGlobalTestEnvironment(shared_devices);

}  // namespace

clothc_device shared_device(const clothc_device_desc& desc) { return shared_devices->of(desc); }

}  // namespace clothc_test
