// instances_test.cpp - the one instance of the process: how many a process makes for its devices, one after the other
// and at once, after failures, in a child of fork, and what a driver that lists no devices any more does. Tests that need
// a process without an instance run in child processes of this program.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support/allocations.h"
#include "support/sanitized.h"
#include "vulkan/fixture.h"

using namespace clothc_test;

namespace instances_test {
namespace {

class VulkanInstances : public OnVulkan {};
class VulkanInstancesChild : public testing::Test {};

void make_and_destroy(const clothc_device_desc& desc = vulkan_desc()) {
  clothc_device device = nullptr;
  ASSERT_OK(clothc_device_create(&desc, &device));
  EXPECT_OK(clothc_device_destroy(device));
}

TEST_F(VulkanInstances, one_serves_200_devices_in_a_row) {
  for (int k = 0; k < 200 && !HasFailure(); ++k) {
    make_and_destroy();
    if (k % 50 == 0) vulkan_entry();  // which lists devices by the same instance
  }
  EXPECT_EQ(calls_of("vkCreateInstance"), 0u) << "the process has one already";
  EXPECT_EQ(calls_of("vkCreateDevice"), 200u);
  EXPECT_EQ(calls_of("vkDestroyDevice"), 200u);
  EXPECT_EQ(calls_of("vkDestroyInstance"), 0u) << "the driver would be unloaded";
}

// What a driver lists is asked for anew until it lists something.
TEST_F(VulkanInstances, that_list_no_devices_are_not_kept) {
  set_faults("vkEnumeratePhysicalDevices:1+=skip");
  for (int k = 0; k < 3; ++k) EXPECT_EQ(vulkan_entry().available, 0u);
  EXPECT_EQ(calls_of("vkCreateInstance"), 3u);
  EXPECT_EQ(calls_of("vkDestroyInstance"), 3u);
  set_faults("");
  for (int k = 0; k < 3; ++k) make_and_destroy();
  EXPECT_EQ(calls_of("vkCreateInstance"), 3u) << "the first one lists devices again";
}

TEST_F(VulkanInstances, that_list_no_devices_any_more_are_replaced_by_one_that_does) {
  // The first call asks the instance of the process, the next ones a new instance.
  set_faults("vkEnumeratePhysicalDevices:1=-3");
  for (int k = 0; k < 3; ++k) make_and_destroy();
  EXPECT_EQ(calls_of("vkCreateInstance"), 1u);
  EXPECT_EQ(calls_of("vkDestroyInstance"), 0u);
}

TEST_F(VulkanInstances, of_a_parent_are_not_used_by_a_child_of_fork) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer ends children of processes that have several threads";
  make_and_destroy();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    layer().reset_counts();
    const bool is_there = vulkan_entry().available == 1 && vulkan_entry().available == 1;
    _exit(is_there && calls_of("vkCreateInstance") == 1 && calls_of("vkDestroyInstance") == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  make_and_destroy();
  EXPECT_EQ(calls_of("vkCreateInstance"), 0u);
}

// ---------------------------------------------------------------------------------------------------- other processes

void expect_in_child(const std::string& test, const std::string& environment = "") {
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  const std::string command = "env -u GTEST_FILTER " + environment + " '" + self +
                              "' --gtest_brief=1 --gtest_also_run_disabled_tests --gtest_filter=VulkanInstancesChild." +
                              test;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST_F(VulkanInstances, of_devices_that_threads_make_at_once_are_one) { expect_in_child("DISABLED_threads"); }

TEST_F(VulkanInstancesChild, DISABLED_threads) {
  std::atomic<int> waiting{8};
  std::vector<std::thread> threads;
  for (int k = waiting; k > 0; --k) {
    threads.emplace_back([&] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      for (int round = 0; round < 3; ++round) make_and_destroy();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls_of("vkCreateInstance"), 1u);
  EXPECT_EQ(calls_of("vkCreateDevice"), 24u);
  EXPECT_EQ(calls_of("vkDestroyDevice"), 24u);
}

TEST_F(VulkanInstances, that_could_not_be_made_are_tried_again) {
  expect_in_child("DISABLED_second_attempt", "CLOTHC_FAULTS=vkCreateInstance:1=-9");
}

// The first device has an allocator that is gone before the second one is made.
TEST_F(VulkanInstancesChild, DISABLED_second_attempt) {
  // While this program has the layer open, the loader does not load it anew, with the rules of its beginning.
  layer();
  EXPECT_EQ(vulkan_entry().available, 0u);
  {
    DeviceAllocator allocator;
    clothc_device_desc desc = vulkan_desc();
    allocator.use_in(desc);
    make_and_destroy(desc);
    EXPECT_EQ(allocator.living, 0) << "the instance has memory of its first device";
  }
  make_and_destroy();
  EXPECT_EQ(calls_of("vkCreateInstance"), 2u);
  EXPECT_EQ(calls_of("vkDestroyInstance"), 0u);
}

}  // namespace
}  // namespace instances_test
