// verification_test.cpp - verifying Vulkan devices: wrong kernels are named and no others, and nothing is promised for a
// driver that nobody knows. That this driver is right, tests of the tool tell.
#include <set>

#include "support/scene.h"
#include "vulkan/fixture.h"
#include "vulkan/planted_modules.h"

using namespace clothc_test;

namespace verification_test {
namespace {

class VulkanVerification : public OnVulkan {
 protected:
  void TearDown() override {
    if (device_ != nullptr) {
      EXPECT_OK(clothc_device_destroy(device_));
    }
    OnVulkan::TearDown();
  }
  void make_device() {
    clothc_device_desc desc = vulkan_desc();
    // Shaders are compiled meanwhile.
    desc.hang_timeout_ms = 600'000;
    ASSERT_OK(clothc_device_create(&desc, &device_));
  }
  // The names of kernels and updates with words that differ.
  std::set<std::string> verify() {
    EXPECT_OK(clothc_device_verify(device_, 0));
    known_ = initialised<clothc_verification>();
    uint32_t count = 0;
    EXPECT_OK(clothc_device_get_verification(device_, &known_, nullptr, &count));
    std::vector<clothc_verification_row> rows(count, initialised<clothc_verification_row>());
    EXPECT_GT(count, 0u);
    EXPECT_OK(clothc_device_get_verification(device_, nullptr, rows.data(), &count));
    std::set<std::string> names;
    for (const clothc_verification_row& row : rows) {
      if (row.different_word_count > 0) names.insert(std::string(row.name) + ", form " + std::to_string(row.form));
    }
    return names;
  }
  bool is_strict() const {
    clothc_device_info info = initialised<clothc_device_info>();
    EXPECT_OK(clothc_device_get_info(device_, &info));
    return (info.capabilities & CLOTHC_CAPABILITY_STRICT_PARITY) != 0;
  }
  // Destroys the device, which was verified as wrong, and makes others with its cache, in which that is noted.
  void expect_to_be_passed_over() {
    uint64_t size = 0;
    EXPECT_OK(clothc_device_save_cache(device_, nullptr, &size));
    std::vector<uint8_t> cache(size);
    EXPECT_OK(clothc_device_save_cache(device_, cache.data(), &size));
    EXPECT_OK(clothc_device_destroy(device_));
    device_ = nullptr;
    set_faults("vkGetPhysicalDeviceProperties2:1+=skip");  // AUTO takes no software device.
    clothc_device_desc desc = vulkan_desc();
    desc.cache = cache.data();
    desc.cache_size = size;
    desc.message_user = &messages_;
    desc.message = [](clothc_result result, const char* message, void* user) {
      static_cast<std::vector<std::string>*>(user)->push_back(std::to_string(result) + " " + message);
    };
    desc.flags = CLOTHC_DEVICE_STRICT_PARITY;
    EXPECT_EQ(clothc_device_create(&desc, &device_), CLOTHC_ERROR_UNSUPPORTED) << "this one was asked for";
    messages_.clear();
    desc.backend = CLOTHC_BACKEND_AUTO;
    EXPECT_EQ(backend_made_of(desc), static_cast<uint32_t>(CLOTHC_BACKEND_CPU));
    ASSERT_EQ(messages_.size(), 1u);
    for (const char* part : {"0 the vulkan device 0, \"llvmpipe", "kernel transform_rounded_shapes, launched alone"})
      EXPECT_NE(messages_[0].find(part), std::string::npos) << messages_[0];
    desc.flags = 0;
    EXPECT_EQ(backend_made_of(desc), static_cast<uint32_t>(CLOTHC_BACKEND_VULKAN)) << "nobody asked for its bits";
    EXPECT_EQ(messages_.size(), 1u);
  }
  uint32_t backend_made_of(const clothc_device_desc& desc) {
    clothc_device_info info = initialised<clothc_device_info>();
    EXPECT_OK(clothc_device_create(&desc, &device_));
    EXPECT_OK(clothc_device_get_info(device_, &info));
    EXPECT_OK(clothc_device_destroy(device_));
    device_ = nullptr;
    return info.backend;
  }
  clothc_device device_ = nullptr;
  clothc_verification known_{};
  std::vector<std::string> messages_;
};

// As passes; the programs that have the same kernels are right.
TEST_F(VulkanVerification, names_the_kernels_that_a_driver_computes_wrongly_and_no_others) {
  set_faults(planted_in("solve_edges", "contract") + "," + planted_in("transform_rounded_shapes", "divide_up"));
  make_device();
  EXPECT_TRUE(is_strict());
  EXPECT_EQ(verify(), (std::set<std::string>{"solve_edges, form 1", "transform_rounded_shapes, form 1",
                                             "updates in passes, form 5", "updates in programs, form 5"}));
  EXPECT_EQ(known_.verdict, static_cast<uint32_t>(CLOTHC_VERDICT_DIFFERENT));
  for (const char* part : {"transform_rounded_shapes", "llvmpipe", "CLOTHC_BACKEND_CPU"})
    EXPECT_NE(std::string(known_.message).find(part), std::string::npos) << known_.message;
  EXPECT_FALSE(is_strict());
  expect_to_be_passed_over();
}

TEST_F(VulkanVerification, is_needed_for_a_driver_that_nobody_knows) {
  set_faults("vkGetPhysicalDeviceProperties2:1+=unknown");
  EXPECT_EQ(vulkan_entry().capabilities & CLOTHC_CAPABILITY_STRICT_PARITY, 0u);
  make_device();
  EXPECT_FALSE(is_strict());
  known_ = initialised<clothc_verification>();
  EXPECT_OK(clothc_device_get_verification(device_, &known_, nullptr, nullptr));
  EXPECT_EQ(known_.verdict, static_cast<uint32_t>(CLOTHC_VERDICT_UNKNOWN));
  EXPECT_NE(std::string(known_.message).find("clothc_device_verify"), std::string::npos) << known_.message;
}

}  // namespace
}  // namespace verification_test
