// loss_test.cpp - a device that is lost, or whose driver hangs: every call reports it and none hangs, data that was
// read back before stays readable, everything can be destroyed, and another device works.
#include <chrono>
#include <thread>

#include "support/lost_device.h"
#include "vulkan/fixture.h"

using namespace clothc_test;

namespace loss_test {
namespace {

class VulkanLoss : public OnVulkan {};

// Upper bound in seconds, far more than any of these tests takes.
constexpr double longest_wait = 10;

SceneOptions options_of(uint32_t hang_timeout_ms = 60000) {
  SceneOptions options(CLOTHC_BACKEND_VULKAN);
  options.device.hang_timeout_ms = hang_timeout_ms;
  return options;
}

uint64_t right_hash(clothc_backend backend) {
  Scene scene(SceneOptions{backend});
  scene.step(3);
  return scene.hash();
}

// Loses a device by rules and checks everything. Lavapipe does not know that the device is lost, so submitted work must
// be able to finish by itself.
void lose(const std::string& rules, const SceneOptions& options, int updates) {
  SCOPED_TRACE(rules + " after " + std::to_string(updates) + " updates");
  set_faults("");
  const Stopwatch watch;
  {
    Scene scene(options);
    const clothc_buffer kept = scene.buffer(30), pending = scene.buffer(30);
    ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, kept, nullptr, nullptr, 0, 0));
    const std::vector<float> expected = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    scene.step(updates);
    EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    const clothc_fence fence = scene.fence();
    set_faults(rules);
    // This call fails, or the device is lost while the work runs.
    clothc_update update = initialised<clothc_update>();
    update.signal_fence = fence;
    update.signal_value = 5;
    clothc_result result = clothc_solver_update(scene.solver, &update, nullptr);
    const bool promised = result == CLOTHC_SUCCESS;
    if (promised) result = clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, pending, nullptr, nullptr, 0, 0);
    EXPECT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_DEVICE_LOST) << clothc_last_error_message();
    if (promised) EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_fence_wait(fence, 5, 20 * second), "lost");
    if (result == CLOTHC_SUCCESS) {
      expect_lost(scene, pending);
    } else {
      uint64_t hash = 0;
      for (int k = 0; k < 2; ++k) EXPECT_EQ(clothc_solver_state_hash(scene.solver, &hash), CLOTHC_ERROR_DEVICE_LOST);
    }
    void* memory = nullptr;
    EXPECT_OK(clothc_buffer_map(kept, CLOTHC_MAP_READ, &memory));
    if (memory != nullptr) {
      EXPECT_EQ(std::memcmp(memory, expected.data(), expected.size() * 4), 0);
      EXPECT_OK(clothc_buffer_unmap(kept));
    }
    std::vector<float> read(120);
    EXPECT_OK(clothc_buffer_read(kept, 0, 480, read.data()));
    EXPECT_EQ(read, expected);
    clothc_device_info info = initialised<clothc_device_info>();
    EXPECT_OK(clothc_device_get_info(scene.device, &info));
    EXPECT_OK(clothc_fence_destroy(fence));
    EXPECT_OK(clothc_buffer_destroy(pending));
    EXPECT_OK(clothc_solver_destroy(scene.solver));
    EXPECT_OK(clothc_device_destroy(scene.device));
    scene.device = nullptr;
  }
  EXPECT_LT(watch.seconds(), longest_wait);
  set_faults("");
  EXPECT_EQ(right_hash(CLOTHC_BACKEND_VULKAN), right_hash(CLOTHC_BACKEND_CPU));
}

TEST_F(VulkanLoss, is_told_when_work_is_handed_over) {
  for (const int updates : {0, 1, 5}) lose("vkQueueSubmit:1+=-4", options_of(), updates);
}

TEST_F(VulkanLoss, is_told_when_work_is_waited_for) {
  for (const int n : {1, 2, 3}) {
    const std::string when = std::to_string(n) + "+=-4";
    lose("vkQueueSubmit:1+=skip,vkWaitSemaphores:" + when, options_of(), 3);
    lose("vkQueueSubmit:1+=skip,vkGetSemaphoreCounterValue:" + when, options_of(), 3);
    lose("vkQueueSubmit:1+=skip,vkWaitSemaphores:" + when + ",vkGetSemaphoreCounterValue:" + when, options_of(), 3);
  }
}

// The driver accepts work and never does it. One driver reports the truth and another reports nothing.
TEST_F(VulkanLoss, is_found_out_when_the_driver_hangs) {
  lose("vkQueueSubmit:1+=skip", options_of(200), 3);
  lose("vkQueueSubmit:1+=skip,vkWaitSemaphores:1+=2", options_of(200), 0);
  lose("vkQueueSubmit:1+=skip,vkWaitSemaphores:1+=2,vkGetSemaphoreCounterValue:1+=skip", options_of(200), 3);
}

constexpr char no_progress[] = "vkWaitSemaphores:1+=2,vkGetSemaphoreCounterValue:1+=skip";

// Lavapipe compiles a shader when it first runs, and tells of no progress meanwhile.
TEST_F(VulkanLoss, is_believed_ten_times_as_late_while_shaders_run_for_the_first_time) {
  const clothc_device_info info = vulkan_entry();
  if (std::string(info.name).find("llvmpipe") == std::string::npos)
    GTEST_SKIP() << info.name << " compiles shaders before they run";
  Scene scene(options_of(100));
  set_faults(no_progress);
  scene.step();
  std::thread compiling([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    set_faults("");
  });
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER)) << clothc_last_error_message();
  compiling.join();
  set_faults(no_progress);
  scene.step();
  EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, 20 * second), CLOTHC_ERROR_DEVICE_LOST);
  set_faults("");
}

// A driver that compiles for longer than that ends in the end, and then runs the shader.
TEST_F(VulkanLoss, leaves_alone_what_a_driver_may_still_use) {
  const auto destroyed = [] {
    uint64_t sum = 0;
    for (const char* name : {"vkDestroyDevice", "vkFreeMemory", "vkDestroyBuffer", "vkDestroySemaphore"})
      sum += calls_of(name);
    return sum;
  };
  for (const bool hangs : {false, true}) {
    SCOPED_TRACE(hangs);
    {
      Scene scene(options_of(100));
      scene.step();
      EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
      layer().reset_counts();
      set_faults(hangs ? "vkQueueSubmit:1+=skip" : "vkQueueSubmit:1+=-4");
      clothc_update update = initialised<clothc_update>();
      clothc_solver_update(scene.solver, &update, nullptr);
      EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
    }
    EXPECT_EQ(destroyed() == 0, hangs);
    set_faults("");
  }
}

// A driver that accepts no more work for lack of memory still does the work that it has accepted.
TEST_F(VulkanLoss, running_work_keeps_its_memory) {
  for (int k = 0; k < 8; ++k) {
    SceneOptions options = options_of();
    options.columns = 24;
    options.rows = 24;
    Scene scene(options);
    scene.step(2);
    set_faults("vkQueueSubmit:" + std::to_string(1 + k % 2) + "+=-2");
    clothc_update update = initialised<clothc_update>();
    clothc_solver_update(scene.solver, &update, nullptr);
    clothc_solver_update(scene.solver, &update, nullptr);
    EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
    EXPECT_OK(clothc_device_destroy(scene.device));
    scene.device = nullptr;
    set_faults("");
  }
}

TEST_F(VulkanLoss, in_copies_of_buffers_that_the_host_does_not_see_is_told_too) {
  Scene scene(options_of());
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_DEVICE;
  desc.count = 16;
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(scene.device, &desc, &buffer));
  set_faults("vkQueueSubmit:1+=-4");
  float values[4] = {};
  for (int k = 0; k < 2; ++k) {
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_buffer_read(buffer, 0, 16, values), "lost");
    EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_buffer_write(buffer, 0, 16, values), "lost");
  }
  clothc_buffer other = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_buffer_create(scene.device, &desc, &other), "lost");
  clothc_solver_desc solver_desc = initialised<clothc_solver_desc>();
  clothc_solver solver = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_create(scene.device, &solver_desc, &solver), "lost");
}

TEST_F(VulkanLoss, of_one_device_leaves_another_alone) {
  Scene lost(options_of()), living(options_of());
  living.step(3);
  set_faults("vkQueueSubmit:1=-4");
  lost.step();
  set_faults("");
  EXPECT_EQ(clothc_solver_wait(lost.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
  EXPECT_EQ(living.hash(), right_hash(CLOTHC_BACKEND_CPU));
}

// Work that waits for a fence which nobody signals is dropped with everything else.
TEST_F(VulkanLoss, of_work_that_waits_for_a_fence_does_not_hang) {
  const Stopwatch watch;
  {
    Scene scene(options_of());
    const clothc_fence never = scene.fence();
    scene.block_behind(never);
    Scene other(options_of());
    set_faults("vkQueueSubmit:1+=-4");
    EXPECT_OK(clothc_fence_signal(never, 1));
    EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
  }
  EXPECT_LT(watch.seconds(), longest_wait);
}

}  // namespace
}  // namespace loss_test
