// fault_layer_test.cpp - the fault layer: each kind of rule has its effect, and without rules nothing changes.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "vulkan/fault_fixture.h"

namespace clothc::faults::fault_layer_test {
namespace {

// What a program can observe of a driver, as bytes.
struct Sight {
  VkPhysicalDeviceFeatures features;
  VkPhysicalDeviceLimits limits;
  VkPhysicalDeviceMemoryProperties memory;
  std::string name;
  Words words;
};
Sight look(CopyingVulkan& vulkan) {
  Sight sight{};
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  vulkan.GetPhysicalDeviceFeatures2(vulkan.physical_device, &features);
  sight.features = features.features;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  vulkan.GetPhysicalDeviceProperties2(vulkan.physical_device, &properties);
  sight.limits = properties.properties.limits;
  sight.name = properties.properties.deviceName;
  vulkan.GetPhysicalDeviceMemoryProperties(vulkan.physical_device, &sight.memory);
  sight.words = copy_once(vulkan).words;
  return sight;
}

TEST_F(FaultLayer, without_rules_nothing_changes) {
  CopyingVulkan plain;
  ASSERT_EQ(plain.create_instance({}), VK_SUCCESS);
  ASSERT_EQ(plain.find_physical_device(), VK_SUCCESS);
  ASSERT_EQ(plain.create_device(), VK_SUCCESS);
  const Sight expected = look(plain);
  EXPECT_EQ(layer().count("vkCreateInstance"), 0u);
  CopyingVulkan layered;
  open(layered);
  const Sight seen = look(layered);
  EXPECT_EQ(layer().count("vkCreateInstance"), 1u);
  EXPECT_EQ(std::memcmp(&seen.features, &expected.features, sizeof seen.features), 0);
  EXPECT_EQ(std::memcmp(&seen.memory, &expected.memory, sizeof seen.memory), 0);
  EXPECT_EQ(seen.limits.maxStorageBufferRange, expected.limits.maxStorageBufferRange);
  EXPECT_EQ(seen.limits.maxComputeSharedMemorySize, expected.limits.maxComputeSharedMemorySize);
  EXPECT_EQ(seen.name, expected.name);
  EXPECT_EQ(seen.words, expected.words);
  EXPECT_EQ(seen.words, filled);
}

TEST_F(FaultLayer, a_function_of_an_extension_that_is_off_stays_missing) {
  CopyingVulkan vulkan;
  open(vulkan);
  EXPECT_EQ(vulkan.GetMemoryFdKHR, nullptr);
  EXPECT_EQ(vulkan.GetDeviceProcAddr(vulkan.device, "vkEnumeratePhysicalDevices"), nullptr);
}

TEST_F(FaultLayer, every_call_is_counted) {
  CopyingVulkan vulkan;
  open(vulkan);
  copy_once(vulkan);
  const struct {
    const char* function;
    uint64_t count;
  } cases[] = {{"vkCreateInstance", 1},     {"vkCreateDevice", 1},      {"vkCreateBuffer", 2},
               {"vkAllocateMemory", 2},     {"vkBindBufferMemory", 2},  {"vkMapMemory", 2},
               {"vkCreateSemaphore", 1},    {"vkCreateCommandPool", 1}, {"vkAllocateCommandBuffers", 1},
               {"vkBeginCommandBuffer", 1}, {"vkCmdFillBuffer", 1},     {"vkCmdPipelineBarrier", 2},
               {"vkCmdCopyBuffer", 1},      {"vkEndCommandBuffer", 1},  {"vkQueueSubmit", 1},
               {"vkWaitSemaphores", 1},     {"vkDeviceWaitIdle", 1},    {"vkDestroySemaphore", 1},
               {"vkDestroyBuffer", 2},      {"vkFreeMemory", 2},        {"vkQueueWaitIdle", 0},
               {"vkNoSuchFunction", 0}};
  for (const auto& c : cases) EXPECT_EQ(layer().count(c.function), c.count) << c.function;
  layer().reset_counts();
  EXPECT_EQ(layer().count("vkCreateBuffer"), 0u);
}

TEST_F(FaultLayer, the_chosen_call_alone_fails) {
  CopyingVulkan vulkan;
  open(vulkan);
  ASSERT_EQ(layer().set("vkAllocateMemory:3=-2"), 0);
  EXPECT_EQ(allocate_and_free(vulkan), VK_SUCCESS);
  EXPECT_EQ(allocate_and_free(vulkan), VK_SUCCESS);
  EXPECT_EQ(allocate_and_free(vulkan), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(allocate_and_free(vulkan), VK_SUCCESS);
  EXPECT_EQ(layer().count("vkAllocateMemory"), 4u);
}

TEST_F(FaultLayer, the_chosen_call_and_all_later_ones_fail) {
  CopyingVulkan vulkan;
  open(vulkan);
  ASSERT_EQ(layer().set("vkQueueSubmit:2+=-4"), 0);
  const auto submit = [&] { return vulkan.QueueSubmit(vulkan.queue, 0, nullptr, VK_NULL_HANDLE); };
  EXPECT_EQ(submit(), VK_SUCCESS);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(submit(), VK_ERROR_DEVICE_LOST);
}

TEST_F(FaultLayer, several_rules_hold_at_a_time) {
  CopyingVulkan vulkan;
  open(vulkan);
  ASSERT_EQ(layer().set("vkAllocateMemory:1=-1,vkQueueWaitIdle:1=-4,vkAllocateMemory:2+=-2"), 0);
  EXPECT_EQ(allocate_and_free(vulkan), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(allocate_and_free(vulkan), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(allocate_and_free(vulkan), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(vulkan.QueueWaitIdle(vulkan.queue), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vulkan.QueueWaitIdle(vulkan.queue), VK_SUCCESS);
}

TEST_F(FaultLayer, a_skipped_call_does_nothing) {
  CopyingVulkan vulkan;
  open(vulkan);
  ASSERT_EQ(layer().set("vkCmdFillBuffer:1=skip"), 0);
  EXPECT_EQ(copy_once(vulkan).words, untouched);
  EXPECT_EQ(copy_once(vulkan).words, filled);
  ASSERT_EQ(layer().set("vkQueueWaitIdle:1=skip"), 0);
  EXPECT_EQ(vulkan.QueueWaitIdle(vulkan.queue), VK_SUCCESS);
}

TEST_F(FaultLayer, new_rules_count_anew) {
  CopyingVulkan vulkan;
  open(vulkan);
  for (int k = 0; k < 2; ++k) {
    ASSERT_EQ(layer().set("vkAllocateMemory:2=-2"), 0);
    EXPECT_EQ(allocate_and_free(vulkan), VK_SUCCESS);
    EXPECT_EQ(allocate_and_free(vulkan), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  }
  ASSERT_EQ(layer().set("vkAllocateMemory:1+=-2"), 0);
  ASSERT_EQ(layer().set(""), 0);
  EXPECT_EQ(allocate_and_free(vulkan), VK_SUCCESS);
  EXPECT_EQ(layer().count("vkAllocateMemory"), 5u);
}

TEST_F(FaultLayer, a_driver_hangs) {
  using namespace std::chrono;
  CopyingVulkan vulkan;
  open(vulkan);
  VkSemaphore semaphore = VK_NULL_HANDLE;
  ASSERT_EQ(vulkan.make_timeline(semaphore), VK_SUCCESS);
  ASSERT_EQ(layer().set("vkWaitSemaphores:1+=2"), 0);
  // Waits for a value that the semaphore already has.
  const auto wait = [&](uint64_t nanoseconds) {
    const auto start = steady_clock::now();
    EXPECT_EQ(vulkan.wait(semaphore, 0, nanoseconds), VK_TIMEOUT);
    return steady_clock::now() - start;
  };
  EXPECT_GE(wait(UINT64_MAX), milliseconds(10));
  EXPECT_GE(wait(2'000'000), milliseconds(2));
  wait(0);
  layer().set("");
  EXPECT_EQ(vulkan.wait(semaphore, 0, 0), VK_SUCCESS);
  vulkan.DestroySemaphore(vulkan.device, semaphore, nullptr);
}

TEST_F(FaultLayer, an_alias_shares_rules_and_count) {
  CopyingVulkan vulkan;
  open(vulkan, {VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME});
  if (!vulkan.WaitSemaphoresKHR) GTEST_SKIP() << "the driver has no VK_KHR_timeline_semaphore";
  VkSemaphore semaphore = VK_NULL_HANDLE;
  ASSERT_EQ(vulkan.make_timeline(semaphore), VK_SUCCESS);
  ASSERT_EQ(layer().set("vkWaitSemaphoresKHR:2=-4"), 0);
  EXPECT_EQ(vulkan.wait(semaphore, 0, 0), VK_SUCCESS);
  vulkan.WaitSemaphores = vulkan.WaitSemaphoresKHR;
  EXPECT_EQ(vulkan.wait(semaphore, 0, 0), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vulkan.wait(semaphore, 0, 0), VK_SUCCESS);
  EXPECT_EQ(layer().count("vkWaitSemaphores"), 3u);
  EXPECT_EQ(layer().count("vkWaitSemaphoresKHR"), 3u);
  vulkan.DestroySemaphore(vulkan.device, semaphore, nullptr);
}

TEST_F(FaultLayer, a_file_descriptor_is_refused) {
  CopyingVulkan vulkan;
  open(vulkan, {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME});
  if (!vulkan.GetMemoryFdKHR) GTEST_SKIP() << "the driver has no VK_KHR_external_memory_fd";
  ASSERT_EQ(layer().set("vkGetMemoryFdKHR:1=-10"), 0);
  VkMemoryGetFdInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR;
  int descriptor = -1;
  EXPECT_EQ(vulkan.GetMemoryFdKHR(vulkan.device, &info, &descriptor), VK_ERROR_TOO_MANY_OBJECTS);
}

TEST_F(FaultLayer, an_old_driver_has_no_timeline_semaphores) {
  CopyingVulkan vulkan;
  open(vulkan);
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  VkPhysicalDevice16BitStorageFeatures storage{};
  storage.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  storage.pNext = &timeline;
  VkPhysicalDeviceVulkan12Features version{};
  version.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  const auto ask = [&](void* chain) {
    features.pNext = chain;
    vulkan.GetPhysicalDeviceFeatures2(vulkan.physical_device, &features);
  };
  ask(&storage);
  ask(&version);
  EXPECT_EQ(timeline.timelineSemaphore, VK_TRUE);
  EXPECT_EQ(version.timelineSemaphore, VK_TRUE);
  const VkPhysicalDeviceFeatures expected = features.features;
  features.features = VkPhysicalDeviceFeatures{};
  ASSERT_EQ(layer().set("vkGetPhysicalDeviceFeatures2:1+=skip"), 0);
  ask(&storage);
  ask(&version);
  EXPECT_EQ(timeline.timelineSemaphore, VK_FALSE);
  EXPECT_EQ(version.timelineSemaphore, VK_FALSE);
  EXPECT_EQ(version.bufferDeviceAddress, VK_TRUE);
  EXPECT_EQ(std::memcmp(&features.features, &expected, sizeof expected), 0);
}

TEST_F(FaultLayer, wrong_rules_are_refused_and_change_nothing) {
  CopyingVulkan vulkan;
  open(vulkan);
  ASSERT_EQ(layer().set("vkAllocateMemory:1+=-2"), 0);
  const char* const wrong[] = {"vkNoSuchFunction:1=-2", "AllocateMemory:1=-2", "vkAllocateMemory", "vkAllocateMemory:1",
                               "vkAllocateMemory=-2", "vkAllocateMemory:0=-2", "vkAllocateMemory:-1=-2",
                               "vkAllocateMemory:=-2", "vkAllocateMemory:+=-2", "vkAllocateMemory:1+=", ",",
                               "vkAllocateMemory:1=-2,", "vkAllocateMemory:1=-2x", "vkAllocateMemory:1= -2",
                               "vkAllocateMemory:1=99999999999", "vkAllocateMemory:1x=-2", "vkAllocateMemory=1:-2",
                               // Only modules have fingerprints and faults.
                               "vkAllocateMemory:@0123456789abcdef=-2", "vkAllocateMemory:1=garbage",
                               "vkCreateShaderModule:@=garbage", "vkCreateShaderModule:@0123=garbage",
                               "vkCreateShaderModule:@0123456789abcdeg=garbage", "vkCreateShaderModule:1=no_such_fault",
                               // This function has no result.
                               "vkCmdDispatch:1=-4",
                               // This function must produce an instance.
                               "vkCreateInstance:1=skip", "vkCreateDevice:1=0", "vkAllocateCommandBuffers:1=skip"};
  for (const char* rules : wrong) EXPECT_NE(layer().set(rules), 0) << rules;
  EXPECT_NE(layer().set(nullptr), 0);
  EXPECT_EQ(allocate_and_free(vulkan), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

}  // namespace
}  // namespace clothc::faults::fault_layer_test
