// fault_fixture.h - the fixture of the fault layer's tests: the layer without rules, or a skipped test if Vulkan is
// missing.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/fault_layer.h"
#include "vulkan/copying_vulkan.h"

namespace clothc::faults {

constexpr const char* fault_layer_name = "VK_LAYER_CLOTHC_faults";

inline const Layer& layer() {
  static const Layer only(CLOTHC_FAULT_LAYER);
  return only;
}

// Returns why the tests cannot run here, or an empty string if they can.
inline std::string what_is_missing() {
  CopyingVulkan vulkan;
  if (vulkan.create_instance({}) != VK_SUCCESS || vulkan.find_physical_device() != VK_SUCCESS) {
    return "there is no Vulkan device: VK_ICD_FILENAMES should name lavapipe's manifest";
  }
  if (!clothc_test::layer_is_there(fault_layer_name)) return "VK_LAYER_PATH does not name the fault layer's folder";
  return "";
}

class FaultLayer : public testing::Test {
 protected:
  void SetUp() override {
    static const std::string missing = what_is_missing();
    if (!missing.empty()) GTEST_SKIP() << missing;
    ASSERT_EQ(layer().set(""), 0);
    layer().reset_counts();
  }
  void TearDown() override { layer().set(""); }

  // Opens an instance and a device under the layer.
  void open(CopyingVulkan& vulkan, const std::vector<const char*>& extensions = {}) {
    ASSERT_EQ(vulkan.create_instance({fault_layer_name}), VK_SUCCESS);
    ASSERT_EQ(vulkan.find_physical_device(), VK_SUCCESS);
    ASSERT_EQ(vulkan.create_device(extensions), VK_SUCCESS);
  }
};

// Fills one of two buffers, copies it into the other, and destroys both. The outcome holds the target's words as seen
// after the wait.
struct CopyOutcome {
  VkResult submitted = VK_SUCCESS;
  VkResult waited = VK_SUCCESS;
  std::vector<uint32_t> words;
};
inline CopyOutcome copy_once(CopyingVulkan& vulkan) {
  RawBuffer source;
  RawBuffer target;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  EXPECT_EQ(vulkan.make_buffer(source), VK_SUCCESS);
  EXPECT_EQ(vulkan.make_buffer(target), VK_SUCCESS);
  EXPECT_EQ(vulkan.make_timeline(semaphore), VK_SUCCESS);
  CopyOutcome outcome;
  outcome.submitted = vulkan.fill_and_copy(source, target, semaphore);
  if (outcome.submitted == VK_SUCCESS) outcome.waited = vulkan.wait(semaphore, 1, UINT64_MAX);
  const auto* words = static_cast<const uint32_t*>(target.mapped);
  outcome.words.assign(words, words + CopyingVulkan::word_count);
  vulkan.DeviceWaitIdle(vulkan.device);
  vulkan.DestroySemaphore(vulkan.device, semaphore, nullptr);
  vulkan.release(source);
  vulkan.release(target);
  return outcome;
}

inline VkResult allocate_and_free(const CopyingVulkan& vulkan) {
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = 4096;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const VkResult result = vulkan.AllocateMemory(vulkan.device, &info, nullptr, &memory);
  EXPECT_EQ(result == VK_SUCCESS, memory != VK_NULL_HANDLE);
  vulkan.FreeMemory(vulkan.device, memory, nullptr);
  return result;
}

using Words = std::vector<uint32_t>;
inline const Words filled(CopyingVulkan::word_count, CopyingVulkan::fill);
inline const Words untouched(CopyingVulkan::word_count, 0);

}  // namespace clothc::faults
