// fault_objects_test.cpp - the fault layer: instances and devices whose creation is refused, several of them at a time,
// and rules from the environment.
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "vulkan/fault_fixture.h"

namespace clothc::faults::fault_objects_test {
namespace {

TEST_F(FaultLayer, an_instance_is_refused) {
  ASSERT_EQ(layer().set("vkCreateInstance:1=-9"), 0);
  CopyingVulkan refused;
  EXPECT_EQ(refused.create_instance({fault_layer_name}), VK_ERROR_INCOMPATIBLE_DRIVER);
  EXPECT_EQ(refused.instance, VkInstance(VK_NULL_HANDLE));
  CopyingVulkan next;
  EXPECT_EQ(next.create_instance({fault_layer_name}), VK_SUCCESS);
}

TEST_F(FaultLayer, a_machine_has_no_devices) {
  CopyingVulkan vulkan;
  ASSERT_EQ(vulkan.create_instance({fault_layer_name}), VK_SUCCESS);
  ASSERT_EQ(layer().set("vkEnumeratePhysicalDevices:1+=skip"), 0);
  uint32_t count = 7;
  EXPECT_EQ(vulkan.EnumeratePhysicalDevices(vulkan.instance, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(vulkan.find_physical_device(), VK_ERROR_INITIALIZATION_FAILED);
  layer().set("");
  EXPECT_EQ(vulkan.find_physical_device(), VK_SUCCESS);
}

TEST_F(FaultLayer, a_device_is_refused) {
  CopyingVulkan vulkan;
  ASSERT_EQ(vulkan.create_instance({fault_layer_name}), VK_SUCCESS);
  ASSERT_EQ(vulkan.find_physical_device(), VK_SUCCESS);
  ASSERT_EQ(layer().set("vkCreateDevice:1=-3"), 0);
  EXPECT_EQ(vulkan.create_device(), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(vulkan.device, VkDevice(VK_NULL_HANDLE));
  EXPECT_EQ(vulkan.create_device(), VK_SUCCESS);
  EXPECT_EQ(copy_once(vulkan).words, filled);
}

TEST_F(FaultLayer, instances_and_devices_of_several_threads_keep_apart) {
  constexpr int thread_count = 4;
  // Number of devices that each thread makes, one after another.
  constexpr int device_count = 3;
  constexpr int allocation_count = 20;
  ASSERT_EQ(layer().set("vkAllocateMemory:50=-2"), 0);
  int failures[thread_count] = {};
  std::vector<std::thread> threads;
  for (int& failure : failures) {
    threads.emplace_back([&failure, this] {
      for (int k = 0; k < device_count; ++k) {
        CopyingVulkan vulkan;
        open(vulkan);
        for (int n = 0; n < allocation_count; ++n) failure += allocate_and_free(vulkan) != VK_SUCCESS;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (const int failure : failures) sum += failure;
  EXPECT_EQ(sum, 1);
  EXPECT_EQ(layer().count("vkCreateDevice"), uint64_t{thread_count * device_count});
  EXPECT_EQ(layer().count("vkAllocateMemory"), uint64_t{thread_count * device_count * allocation_count});
  EXPECT_EQ(layer().count("vkFreeMemory"), layer().count("vkAllocateMemory"));
}

TEST_F(FaultLayer, two_open_devices_keep_apart) {
  CopyingVulkan first;
  open(first);
  CopyingVulkan second;
  open(second);
  VkSemaphore semaphore = VK_NULL_HANDLE;
  ASSERT_EQ(first.make_timeline(semaphore), VK_SUCCESS);
  EXPECT_EQ(copy_once(second).words, filled);
  EXPECT_EQ(copy_once(first).words, filled);
  first.DestroySemaphore(first.device, semaphore, nullptr);
}

TEST_F(FaultLayer, the_environment_can_put_the_layer_in_front) {
  setenv("VK_INSTANCE_LAYERS", fault_layer_name, 1);
  CopyingVulkan vulkan;
  const VkResult result = vulkan.create_instance({});
  unsetenv("VK_INSTANCE_LAYERS");
  EXPECT_EQ(result, VK_SUCCESS);
  EXPECT_EQ(layer().count("vkCreateInstance"), 1u);
}

// The child process starts this program again and therefore loads the layer again.
TEST(FaultLayerEnvironment, rules_are_read_when_the_layer_is_loaded) {
  const std::string missing = what_is_missing();
  if (!missing.empty()) GTEST_SKIP() << missing;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto create = [] {
    CopyingVulkan first;
    CopyingVulkan second;
    const VkResult result = first.create_instance({fault_layer_name});
    std::exit(result == VK_ERROR_INCOMPATIBLE_DRIVER && second.create_instance({fault_layer_name}) == VK_SUCCESS ? 0
                                                                                                                 : 1);
  };
  setenv("CLOTHC_FAULTS", "vkCreateInstance:1=-9", 1);
  EXPECT_EXIT((layer(), create()), testing::ExitedWithCode(0), "");
  setenv("CLOTHC_FAULTS", "nonsense", 1);
  EXPECT_EXIT((layer(), std::exit(3)), testing::ExitedWithCode(3), "CLOTHC_FAULTS=nonsense is wrong");
  unsetenv("CLOTHC_FAULTS");
}

}  // namespace
}  // namespace clothc::faults::fault_objects_test
