// overheads_test.cpp - the cost of an update besides its work, counted by the fault layer and reported by solver_info:
// few submissions, no allocation in a steady state, no idling, no uploads of unchanged data, and as many dispatches for
// many cloths as for few.
#include "vulkan/fixture.h"

using namespace clothc_test;

namespace overheads_test {
namespace {

class VulkanOverheads : public testing::WithParamInterface<clothc_schedule>, public OnVulkan {};
INSTANTIATE_TEST_SUITE_P(Schedule, VulkanOverheads, testing::Values(CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS),
                         [](const auto& instance) {
                           return instance.param == CLOTHC_SCHEDULE_CLOTH ? "cloth" : "pass";
                         });

// Per update.
constexpr uint64_t most_submissions = 3;
const char* const steady_functions[] = {"vkAllocateMemory",
                                        "vkCreateBuffer",
                                        "vkAllocateDescriptorSets",
                                        "vkAllocateCommandBuffers",
                                        "vkCreateComputePipelines",
                                        "vkCreateDescriptorPool",
                                        "vkCreateShaderModule",
                                        "vkCreateCommandPool",
                                        "vkCreateBufferView",
                                        "vkCreateSemaphore",
                                        "vkMapMemory",
                                        "vkUpdateDescriptorSets",
                                        "vkCreateDescriptorSetLayout"};

SceneOptions options_of(clothc_schedule schedule, uint32_t cloths = 8) {
  SceneOptions options(CLOTHC_BACKEND_VULKAN);
  options.solver.schedule = schedule;
  options.solver.cloth_capacity = cloths;
  options.solver.particle_capacity = 64 * cloths;
  return options;
}

TEST_P(VulkanOverheads, a_steady_update_is_one_submission_that_takes_and_sends_nothing) {
  Scene scene(options_of(GetParam()));
  scene.step(5);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  const uint64_t blocks = scene.info().device_allocation_count;
  const uint64_t uploaded = scene.info().uploaded_byte_count;
  layer().reset_counts();
  for (int k = 0; k < 100; ++k) {
    const uint64_t submissions = calls_of("vkQueueSubmit");
    scene.step();
    const clothc_solver_info info = scene.info();
    EXPECT_EQ(info.last_update_upload, 0u);
    EXPECT_LE(info.last_update_submissions, most_submissions);
    EXPECT_EQ(info.last_update_submissions, calls_of("vkQueueSubmit") - submissions);
  }
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  for (const char* function : steady_functions) EXPECT_EQ(calls_of(function), 0u) << function;
  EXPECT_EQ(scene.info().device_allocation_count, blocks);
  EXPECT_EQ(scene.info().uploaded_byte_count, uploaded);
  std::printf("%.2f submissions per update\n", static_cast<double>(calls_of("vkQueueSubmit")) / 100);
  EXPECT_OK(clothc_device_destroy(scene.device));
  scene.device = nullptr;
  EXPECT_EQ(calls_of("vkQueueWaitIdle"), 0u);
  EXPECT_EQ(calls_of("vkDeviceWaitIdle"), 0u);
}

TEST_P(VulkanOverheads, sets_and_gets_of_every_frame_add_one_submission_each_and_take_nothing) {
  Scene scene(options_of(GetParam()));
  const clothc_buffer in = scene.buffer(30), out = scene.buffer(30);
  const clothc_fence fence = scene.fence();
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = fence;
  const auto frame = [&] {
    ++update.signal_value;
    EXPECT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_ACCELERATION, in, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_solver_update(scene.solver, &update, nullptr));
    EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, out, nullptr, nullptr, 0, 0));
    EXPECT_OK(clothc_fence_wait(fence, update.signal_value, CLOTHC_WAIT_FOREVER));
  };
  for (int k = 0; k < 10; ++k) frame();
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  layer().reset_counts();
  for (int k = 0; k < 100; ++k) {
    const uint64_t before = calls_of("vkQueueSubmit");
    frame();
    EXPECT_LE(calls_of("vkQueueSubmit") - before, most_submissions);
    EXPECT_LE(scene.info().last_update_submissions, most_submissions);
    EXPECT_EQ(scene.info().last_update_upload, 0u);
  }
  for (const char* function : steady_functions) EXPECT_EQ(calls_of(function), 0u) << function;
  EXPECT_EQ(calls_of("vkQueueWaitIdle") + calls_of("vkDeviceWaitIdle"), 0u);
  std::printf("%.2f submissions per frame of a set, an update and a get\n",
              static_cast<double>(calls_of("vkQueueSubmit")) / 100);
}

TEST_P(VulkanOverheads, many_cloths_take_no_more_dispatches_than_few) {
  std::vector<uint64_t> dispatches, submissions;
  for (const uint32_t cloths : {4u, 40u, 400u}) {
    Scene scene(options_of(GetParam(), 400));
    for (uint32_t k = 1; k < cloths; ++k) scene.add();
    scene.step(2);
    const uint64_t submitted = calls_of("vkQueueSubmit");
    scene.step();
    dispatches.push_back(scene.info().last_update_dispatches);
    submissions.push_back(scene.info().last_update_submissions);
    EXPECT_EQ(submissions.back(), calls_of("vkQueueSubmit") - submitted);
    EXPECT_GT(dispatches.back(), 0u);
  }
  std::printf("%llu dispatches per update\n", static_cast<unsigned long long>(dispatches[0]));
  EXPECT_EQ(dispatches[1], dispatches[0]);
  EXPECT_EQ(dispatches[2], dispatches[0]);
  EXPECT_EQ(submissions[1], submissions[0]);
  EXPECT_EQ(submissions[2], submissions[0]);
}

// The layer sees dispatches when they are recorded, and those of iterations are recorded only once. The counts are
// therefore equal where an update records everything that it runs, and elsewhere the layer must not count more.
TEST_P(VulkanOverheads, dispatches_are_counted_as_the_layer_sees_them) {
  Scene scene(options_of(GetParam()));
  scene.change_parameters(scene.cloth, [](clothc_cloth_parameters& p) { p.solver_frequency = 60; });
  layer().reset_counts();
  // This update has one iteration and records it anew.
  scene.step();
  EXPECT_EQ(scene.info().last_update_dispatches, calls_of("vkCmdDispatch"));
  const uint64_t first = scene.info().last_update_dispatches;
  layer().reset_counts();
  scene.step();
  EXPECT_EQ(scene.info().last_update_dispatches, first);
  EXPECT_LE(calls_of("vkCmdDispatch"), first);
}

}  // namespace
}  // namespace overheads_test
