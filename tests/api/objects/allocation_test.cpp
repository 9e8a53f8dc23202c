// allocation_test.cpp - all allocated memory is freed, and updates in a steady state allocate nothing.
#include <cstdlib>

#include "support/allocations.h"

using namespace clothc_test;

namespace allocation_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Allocation);

TEST_P(Allocation, a_device_gives_back_all_its_memory) {
  DeviceAllocator allocator;
  int64_t living[3];
  for (int64_t& count : living) {
    SceneOptions options(GetParam());
    allocator.use_in(options.device);
    {
      Scene scene(options);
      busy(scene);
      scene.step(5);
      scene.snapshot();
    }
    EXPECT_EQ(allocator.living, 0);
    count = living_allocations;
  }
  EXPECT_EQ(living[1], living[2]) << "something is left over each time";
}

TEST_P(Allocation, solvers_that_come_and_go_leave_nothing_behind) {
  Scene scene(GetParam());
  const clothc_solver_desc desc = SceneOptions(GetParam()).solver;
  int64_t after_ten = 0;
  for (int k = 0; k < 50; ++k) {
    clothc_solver solver = nullptr;
    ASSERT_OK(clothc_solver_create(scene.device, &desc, &solver));
    ASSERT_OK(clothc_solver_destroy(solver));
    if (k == 10) after_ten = living_allocations;
  }
  // A thread may still be finishing the last call, in either count; a difference of less than a block for each does not
  // matter.
  EXPECT_LT(std::abs(living_allocations - after_ten), 10);
}

TEST_P(Allocation, a_steady_state_update_allocates_nothing_and_uploads_nothing) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    DeviceAllocator allocator;
    SceneOptions options(GetParam());
    options.solver.schedule = schedule;
    allocator.use_in(options.device);
    Scene scene(options);
    busy(scene);
    const clothc_cloth_id sleeper = scene.add();
    scene.change_parameters(scene.cloth, [](auto& p) {
      p.drag_coefficient = 0.5f, p.wind_velocity[0] = 2, p.sleep_threshold = 1e-6f, p.statistics = 3;
    });
    scene.change_parameters(sleeper, [](auto& p) { p.sleep_threshold = 1e6f, p.sleep_test_interval = 1; });
    scene.set(CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, scene.cloth, std::vector<float>(120, 0.125f));
    clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
    frame.translation[0] = 1;
    EXPECT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame));
    scene.step(20);
    ASSERT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    clothc_update update = initialised<clothc_update>();
    const uint64_t before = allocation_count, device_before = allocator.count;
    int failed = 0;
    for (int k = 0; k < 100; ++k)
      failed += clothc_solver_update(scene.solver, &update, nullptr) != CLOTHC_SUCCESS ? 1 : 0;
    failed += clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER) != CLOTHC_SUCCESS ? 1 : 0;
    EXPECT_EQ(allocation_count - before, 0u);
    EXPECT_EQ(allocator.count - device_before, 0u);
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(scene.info().last_update_upload, 0u);
  }
}

TEST_P(Allocation, updates_allocate_nothing_while_a_game_sets_and_gets_every_frame) {
  Scene scene(GetParam());
  busy(scene);
  const clothc_buffer in = scene.buffer(30), out = scene.buffer(30);
  const clothc_fence fence = scene.fence();
  clothc_cloth_parameters parameters = scene.parameters(scene.cloth);
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = update.signal_fence = fence;
  uint64_t in_updates = 0, in_other_calls = 0, uploaded = 0;
  for (int frame = 0; frame < 150; ++frame) {
    const uint64_t start = allocation_count;
    scene.write_sphere(1u << 20, 0.5f, 0.6f + 0.001f * static_cast<float>(frame), 0.5f, 0.3f);
    parameters.gravity[0] = static_cast<float>(frame % 7);
    clothc_cloth_set_parameters(scene.solver, scene.cloth, &parameters);
    void* memory = nullptr;
    clothc_buffer_map(in, CLOTHC_MAP_WRITE, &memory);
    clothc_buffer_unmap(in);
    clothc_solver_set(scene.solver, CLOTHC_CHANNEL_ACCELERATION, in, nullptr, nullptr, 0, 0);
    clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER);
    const uint64_t before = allocation_count;
    update.wait_value = update.signal_value;
    ++update.signal_value;
    clothc_solver_update(scene.solver, &update, nullptr);
    clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER);
    const uint64_t after = allocation_count;
    clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, out, nullptr, nullptr, 0, 0);
    clothc_buffer_map(out, CLOTHC_MAP_READ, &memory);
    clothc_buffer_unmap(out);
    if (frame < 50) continue;
    in_updates += after - before;
    in_other_calls += before - start + allocation_count - after;
    uploaded = std::max(uploaded, scene.info().last_update_upload);
  }
  EXPECT_EQ(in_updates, 0u);
  // Writing shapes and checking regions copies what the caller passed.
  EXPECT_LT(in_other_calls, 100u * 20);
  RecordProperty("allocations_per_frame_outside_updates", static_cast<int>(in_other_calls / 100));
  EXPECT_GT(uploaded, 0u);
  EXPECT_LT(uploaded, 1000u) << "an update sends what changed only";
}

}  // namespace
}  // namespace allocation_test
