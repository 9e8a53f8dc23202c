// preparation_test.cpp - preparing a Vulkan device: afterwards no pipeline is created any more, on the library's own
// devices and on adopted ones; failures are reported and can be repeated; caches go to the driver.
#include "support/busy_scene.h"
#include "vulkan/preparation.h"

using namespace clothc_test;

namespace preparation_test {
namespace {

TEST_F(VulkanPreparation, leaves_no_pipeline_for_later) {
  const clothc_device device = make_device();
  layer().reset_counts();
  const uint32_t total = prepare(device, 0);
  EXPECT_EQ(calls_of("vkCreateComputePipelines"), total);
  EXPECT_EQ(calls_of("vkQueueSubmit"), total) << "each shader runs once";
  const uint64_t expected = play_busy_scene(CLOTHC_BACKEND_CPU, CLOTHC_SCHEDULE_PASS);
  EXPECT_EQ(play_busy_scene(CLOTHC_BACKEND_VULKAN, CLOTHC_SCHEDULE_PASS, device), expected);
  EXPECT_EQ(calls_of("vkCreateComputePipelines"), total);
  std::printf("%u pipelines\n", total);
}

// Lavapipe takes most of a minute for programs unless its cache has them, so this names one stage beside theirs.
TEST_F(VulkanPreparation, includes_programs_on_demand) {
  const clothc_device device = make_device();
  const uint32_t without = prepare(device, 1u << CLOTHC_STAGE_PHASES);
  layer().reset_counts();
  EXPECT_EQ(prepare(device, 1u << CLOTHC_STAGE_PHASES | 1u << CLOTHC_STAGE_PROGRAM), without + 2);
  EXPECT_EQ(calls_of("vkCreateComputePipelines"), 2u);
  SceneOptions options(CLOTHC_BACKEND_VULKAN);
  options.given_device = device;
  options.solver.schedule = CLOTHC_SCHEDULE_CLOTH;
  Scene scene(options);
  scene.step();
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  EXPECT_EQ(calls_of("vkCreateComputePipelines"), 2u);
}

TEST_F(VulkanPreparation, locks_the_queue_of_an_adopted_device) {
  const clothc_device device = own_->adopt(own_->objects(true));
  devices_.push_back(device);
  const uint64_t locked = own_->lock_count;
  layer().reset_counts();
  const uint32_t total = prepare(device, 1u << CLOTHC_STAGE_END);
  EXPECT_EQ(calls_of("vkQueueSubmit"), total);
  EXPECT_EQ(own_->lock_count, locked + total);
}

TEST_F(VulkanPreparation, submits_nothing_on_a_device_that_only_records) {
  const clothc_device device = own_->adopt(own_->objects(false));
  devices_.push_back(device);
  layer().reset_counts();
  const uint32_t total = prepare(device, 1u << CLOTHC_STAGE_END);
  EXPECT_EQ(calls_of("vkCreateComputePipelines"), total);
  EXPECT_EQ(calls_of("vkQueueSubmit"), 0u);
}

TEST_F(VulkanPreparation, that_fails_says_so_and_can_be_repeated) {
  const clothc_device device = make_device();
  set_faults("vkCreateComputePipelines:5=-2");
  ASSERT_OK(clothc_device_prepare(device, 1u << CLOTHC_STAGE_END));
  uint32_t done = 42;
  for (int k = 0; k < 2; ++k)
    EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_device_wait(device, longest_work, &done, nullptr),
                 "vkCreateComputePipelines");
  EXPECT_EQ(done, 42u);
  set_faults("");
  layer().reset_counts();
  const uint32_t total = prepare(device, 1u << CLOTHC_STAGE_END);
  EXPECT_EQ(calls_of("vkCreateComputePipelines"), total - 4);
}

TEST_F(VulkanPreparation, ends_when_the_device_is_lost) {
  const clothc_device device = make_device();
  set_faults("vkQueueSubmit:3=-4");
  ASSERT_OK(clothc_device_prepare(device, 1u << CLOTHC_STAGE_END));
  EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_device_wait(device, longest_work, nullptr, nullptr), "lost");
  EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_device_prepare(device, 0), "lost");
}

TEST_F(VulkanPreparation, caches_come_from_the_driver_and_go_to_it) {
  const clothc_device device = make_device();
  prepare(device, 1u << CLOTHC_STAGE_END);
  uint64_t size = 0;
  ASSERT_OK(clothc_device_save_cache(device, nullptr, &size));
  std::vector<uint8_t> cache(size);
  layer().reset_counts();
  ASSERT_OK(clothc_device_save_cache(device, cache.data(), &size));
  EXPECT_EQ(calls_of("vkMergePipelineCaches"), 1u);
  EXPECT_EQ(calls_of("vkGetPipelineCacheData"), 2u);
  // It ends with the driver's data, which begins with a header of 32 bytes: its size, version 1, vendor and device.
  ASSERT_GE(size, 32u);
  layer().reset_counts();
  EXPECT_OK(clothc_device_load_cache(device, cache.data(), size));
  EXPECT_EQ(calls_of("vkCreatePipelineCache"), 1u);
  cache.back() ^= 1;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_device_load_cache(device, cache.data(), size), "checksum");
  EXPECT_EQ(calls_of("vkCreatePipelineCache"), 1u) << "a damaged cache must not reach the driver";
  for (const char* function : {"vkMergePipelineCaches", "vkGetPipelineCacheData", "vkCreatePipelineCache"}) {
    set_faults(std::string(function) + ":1=-1");
    EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_device_save_cache(device, nullptr, &size), "out of memory");
    set_faults("");
    EXPECT_OK(clothc_device_save_cache(device, nullptr, &size));
  }
}

}  // namespace
}  // namespace preparation_test
