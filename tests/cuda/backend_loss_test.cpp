// backend_loss_test.cpp - a CUDA device that is lost, or that hangs: every call reports it and none hangs, data that
// was read back before stays readable, everything can be destroyed, and another device works.
#include "cuda/backend_fixture.h"
#include "support/lost_device.h"

using namespace clothc_test;

namespace backend_loss_test {
namespace {

class CudaLoss : public OnCuda {};

// Upper bound in seconds, far more than any of these tests takes.
constexpr double longest_wait = 20;

SceneOptions options_of(uint32_t hang_timeout_ms = 60000) {
  SceneOptions options(CLOTHC_BACKEND_CUDA);
  options.device.hang_timeout_ms = hang_timeout_ms;
  return options;
}

uint64_t right_hash(clothc_backend backend) {
  Scene scene(SceneOptions{backend});
  scene.step(3);
  return scene.hash();
}

// Loses a device by rules and checks everything.
void lose(const std::string& rules, const SceneOptions& options, int updates) {
  SCOPED_TRACE(rules + " after " + std::to_string(updates) + " updates");
  software_device().set("");
  const Stopwatch watch;
  {
    Scene scene(options);
    const clothc_buffer kept = scene.buffer(30), pending = scene.buffer(30);
    ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, kept, nullptr, nullptr, 0, 0));
    const std::vector<float> expected = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    scene.step(updates);
    EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    const clothc_fence fence = scene.fence();
    software_device().set(rules);
    // This call fails, or the device is lost while the work runs.
    clothc_update update = initialised<clothc_update>();
    update.signal_fence = fence;
    update.signal_value = 5;
    clothc_result result = clothc_solver_update(scene.solver, &update, nullptr);
    const bool promised = result == CLOTHC_SUCCESS;
    if (promised) result = clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, pending, nullptr, nullptr, 0, 0);
    EXPECT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_DEVICE_LOST) << clothc_last_error_message();
    if (promised) EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_fence_wait(fence, 5, 20 * second), "lost");
    if (result == CLOTHC_SUCCESS) expect_lost(scene, pending);
    void* memory = nullptr;
    EXPECT_OK(clothc_buffer_map(kept, CLOTHC_MAP_READ, &memory));
    if (memory != nullptr) {
      EXPECT_EQ(std::memcmp(memory, expected.data(), expected.size() * 4), 0);
      EXPECT_OK(clothc_buffer_unmap(kept));
    }
    EXPECT_OK(clothc_fence_destroy(fence));
    EXPECT_OK(clothc_buffer_destroy(pending));
    EXPECT_OK(clothc_solver_destroy(scene.solver));
    EXPECT_OK(clothc_device_destroy(scene.device));
    scene.device = nullptr;
  }
  EXPECT_LT(watch.seconds(), longest_wait);
  software_device().set("");
  EXPECT_EQ(right_hash(CLOTHC_BACKEND_CUDA), right_hash(CLOTHC_BACKEND_CPU));
}

TEST_F(CudaLoss, is_told_by_calls_that_hand_work_over) {
  for (const int updates : {0, 1, 5})
    lose("cuMemcpyAsync:1+=719,cuLaunchKernel:1+=719,cuGraphLaunch:1+=719", options_of(), updates);
}

// The work fails later, and the error stays with the context.
TEST_F(CudaLoss, is_found_where_nothing_but_the_work_fails) {
  for (const char* result :
       {"719", "700", "702", "214", "716", "999", "710", "714", "715", "717", "718", "220", "806", "810"}) {
    lose("lose=1/" + std::string(result), options_of(), 1);
    lose("lose=7/" + std::string(result), options_of(), 2);
  }
}

// Large copies have streams of their own.
void lose_by_copies(const std::string& rules, bool is_set, uint32_t hang_timeout_ms = 60000) {
  SCOPED_TRACE(rules);
  software_device().set("");
  const Stopwatch watch;
  {
    SceneOptions options = options_of(hang_timeout_ms);
    options.solver.particle_capacity = 8192;
    Scene scene(options);
    const clothc_buffer buffer = scene.buffer(8192);
    const auto copy = is_set ? clothc_solver_set : clothc_solver_get;
    ASSERT_OK(copy(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
    ASSERT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    software_device().set(rules);
    const clothc_result result = copy(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0);
    EXPECT_TRUE(result == CLOTHC_SUCCESS || result == CLOTHC_ERROR_DEVICE_LOST) << clothc_last_error_message();
    EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
    expect_lost(scene, buffer);
    EXPECT_OK(clothc_device_destroy(scene.device));
    scene.device = nullptr;
  }
  EXPECT_LT(watch.seconds(), longest_wait);
  software_device().set("");
  EXPECT_EQ(right_hash(CLOTHC_BACKEND_CUDA), right_hash(CLOTHC_BACKEND_CPU));
}

TEST_F(CudaLoss, is_found_where_large_copies_fail) {
  lose_by_copies("hang=to_host,kill", false);
  lose_by_copies("hang=from_host,kill", true);
  for (const bool is_set : {false, true}) {
    for (const char* number : {"1", "2", "3"}) lose_by_copies("lose=" + std::string(number), is_set);
    for (const char* function : {"cuMemcpyAsync", "cuEventRecord", "cuStreamWaitEvent"})
      lose_by_copies(function + std::string(":1+=719"), is_set);
  }
}

class CudaLossChild : public CudaLoss {};

TEST_F(CudaLossChild, DISABLED_is_found_out_when_the_device_hangs) {
  lose("hang", options_of(200), 3);
  lose("hang=3", options_of(200), 0);
  lose_by_copies("hang=to_host", false, 200);
  lose_by_copies("hang=from_host", true, 200);
}

// What a hanging device has is left to the end of the process, so this process is another one.
TEST_F(CudaLoss, is_found_out_when_the_device_hangs) {
  expect_child_passes("CudaLossChild.DISABLED_is_found_out_when_the_device_hangs", "ASAN_OPTIONS=detect_leaks=0");
}

TEST_F(CudaLoss, of_one_device_leaves_one_that_comes_later_alone) {
  Scene lost(options_of());
  software_device().set("lose=2");
  lost.step();
  EXPECT_EQ(clothc_solver_wait(lost.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
  EXPECT_OK(clothc_device_destroy(lost.device));
  lost.device = nullptr;
  software_device().set("");
  Scene living(options_of());
  living.step(3);
  EXPECT_EQ(living.hash(), right_hash(CLOTHC_BACKEND_CPU));
}

// Work that waits for a fence which nobody signals is dropped with everything else.
TEST_F(CudaLoss, of_work_that_waits_for_a_fence_does_not_hang) {
  const Stopwatch watch;
  {
    Scene scene(options_of());
    const clothc_fence never = scene.fence();
    scene.block_behind(never);
    software_device().set("cuMemcpyAsync:1+=719,cuLaunchKernel:1+=719,cuGraphLaunch:1+=719");
    EXPECT_OK(clothc_fence_signal(never, 1));
    EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), CLOTHC_ERROR_DEVICE_LOST);
  }
  EXPECT_LT(watch.seconds(), longest_wait);
}

}  // namespace
}  // namespace backend_loss_test
