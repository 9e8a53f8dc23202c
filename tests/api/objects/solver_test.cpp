// solver_test.cpp - time: updates that return while the work waits, timelines, fences, iterations, and moving
// colliders.
#include <cmath>
#include <thread>

#include "support/scene.h"

using namespace clothc_test;

namespace solver_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Solvers);

using Clock = std::chrono::steady_clock;

TEST_P(Solvers, an_update_returns_while_its_work_waits_for_a_fence) {
  Scene scene(GetParam());
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  const uint64_t value = scene.info().timeline_value;
  uint64_t completed = 77;
  EXPECT_EQ(clothc_solver_poll(scene.solver, value, &completed), CLOTHC_NOT_READY);
  EXPECT_LT(completed, value);
  EXPECT_EQ(clothc_solver_wait(scene.solver, value, 0), CLOTHC_TIMEOUT);
  const auto begin = Clock::now();
  EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, 20'000'000), CLOTHC_TIMEOUT);
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(19));
  EXPECT_OK(clothc_solver_poll(scene.solver, completed, nullptr));
  ASSERT_OK(clothc_fence_signal(fence, 1));
  EXPECT_OK(clothc_solver_wait(scene.solver, value, CLOTHC_WAIT_FOREVER));
  EXPECT_OK(clothc_solver_poll(scene.solver, value, &completed));
  EXPECT_EQ(completed, value);
  EXPECT_EQ(scene.info().completed_value, value);
}

TEST_P(Solvers, as_many_updates_as_agreed_are_in_flight_and_one_more_is_not_ready) {
  for (const uint32_t most : {1u, 3u, 16u}) {
    SceneOptions options(GetParam());
    options.solver.updates_in_flight = most;
    Scene scene(options);
    const clothc_fence fence = scene.fence();
    clothc_update update = initialised<clothc_update>();
    update.flags = CLOTHC_UPDATE_NO_WAIT;
    update.wait_fence = fence;
    update.wait_value = 1;
    uint64_t value = 0;
    for (uint32_t k = 0; k < most; ++k) ASSERT_OK(clothc_solver_update(scene.solver, &update, &value));
    const clothc_solver_info before = scene.info();
    value = 77;
    EXPECT_EQ(clothc_solver_update(scene.solver, &update, &value), CLOTHC_NOT_READY);
    EXPECT_EQ(value, 77u);
    EXPECT_EQ(scene.info().update_count, before.update_count);
    EXPECT_EQ(scene.info().timeline_value, before.timeline_value);
    std::thread signaller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      EXPECT_OK(clothc_fence_signal(fence, 1));
    });
    update.flags = 0;
    // This waits for the oldest update.
    EXPECT_OK(clothc_solver_update(scene.solver, &update, &value));
    signaller.join();
    EXPECT_EQ(scene.info().update_count, most + 1);
  }
}

TEST_P(Solvers, fences_only_grow) {
  Scene scene(GetParam());
  const clothc_fence fence = scene.fence(5);
  uint64_t value = 0;
  ASSERT_OK(clothc_fence_get_value(fence, &value));
  EXPECT_EQ(value, 5u);
  for (const uint64_t low : {0u, 4u, 5u}) {
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fence_signal(fence, low), std::to_string(low).c_str(), "5");
  }
  ASSERT_OK(clothc_fence_signal(fence, 6));
  EXPECT_OK(clothc_fence_wait(fence, 6, 0));
  EXPECT_EQ(clothc_fence_wait(fence, 7, 0), CLOTHC_TIMEOUT);
  EXPECT_EQ(clothc_fence_wait(fence, 7, 1'000'000), CLOTHC_TIMEOUT);
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = fence;
  for (const uint64_t low : {0u, 6u}) {
    update.signal_value = low;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_update(scene.solver, &update, nullptr), "signal_value",
                 "6");
  }
  update.signal_value = 10;
  ASSERT_OK(clothc_solver_update(scene.solver, &update, nullptr));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_update(scene.solver, &update, nullptr), "10");
  EXPECT_OK(clothc_fence_wait(fence, 10, longest_work));
  ASSERT_OK(clothc_fence_signal(fence, UINT64_MAX));
  EXPECT_OK(clothc_fence_wait(fence, UINT64_MAX, CLOTHC_WAIT_FOREVER));
}

TEST_P(Solvers, one_fence_can_both_start_an_update_and_tell_its_end) {
  Scene scene(GetParam());
  const clothc_fence fence = scene.fence();
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = update.signal_fence = fence;
  update.wait_value = 1;
  update.signal_value = 2;
  ASSERT_OK(clothc_solver_update(scene.solver, &update, nullptr));
  EXPECT_EQ(clothc_fence_wait(fence, 2, 5'000'000), CLOTHC_TIMEOUT);
  // The value is above the current one and below the queued one.
  ASSERT_OK(clothc_fence_signal(fence, 1));
  EXPECT_OK(clothc_fence_wait(fence, 2, longest_work));
}

TEST_P(Solvers, solvers_wait_for_each_other_by_fences) {
  Scene scene(GetParam());
  const clothc_solver_desc desc = SceneOptions(GetParam()).solver;
  clothc_solver other = nullptr;
  ASSERT_OK(clothc_solver_create(scene.device, &desc, &other));
  const clothc_fence ping = scene.fence();
  clothc_update update = initialised<clothc_update>();
  for (uint64_t k = 0; k < 20; ++k) {
    update.wait_fence = update.signal_fence = ping;
    update.wait_value = 2 * k;
    update.signal_value = 2 * k + 1;
    ASSERT_OK(clothc_solver_update(scene.solver, &update, nullptr));
    update.wait_value = 2 * k + 1;
    update.signal_value = 2 * k + 2;
    ASSERT_OK(clothc_solver_update(other, &update, nullptr));
  }
  EXPECT_OK(clothc_fence_wait(ping, 40, longest_work));
}

TEST_P(Solvers, a_time_step_of_0_consumes_targets_and_moves_nothing) {
  Scene scene(GetParam());
  scene.step(3);
  const clothc_collider_set_id set = scene.sphere_set(100, 0, 0, 0.5f);
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
  const std::vector<float> before = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const clothc_cloth_status status = scene.status(scene.cloth);
  scene.step(1, 0);
  scene.write_sphere(set, 50, 0, 0, 0.5f);
  const uint64_t moving = scene.hash();
  scene.step(1, 0);
  EXPECT_NE(scene.hash(), moving) << "the sphere's target became its start";
  const uint64_t resting = scene.hash();
  scene.step(1, 0);
  EXPECT_EQ(scene.hash(), resting);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), before);
  const clothc_cloth_status after = scene.status(scene.cloth);
  EXPECT_EQ(std::memcmp(&status, &after, sizeof(status)), 0);
}

TEST_P(Solvers, iterations_are_counted_in_float32) {
  for (const float frequency : {1.0f, 59.999f, 60.0f, 300.0f, 12345.678f, 99999.99f}) {
    // Without a previous iteration, no update is held back.
    Scene scene(GetParam());
    for (const float dt : {1e-4f, 1.0f / 60, 0.025f, 0.0083333f, 0.035f}) {
      scene.change_parameters(scene.cloth, [&](auto& p) { p.solver_frequency = frequency; });
      scene.step(1, dt);
      const float wanted = dt * frequency + 0.5f;
      EXPECT_EQ(scene.status(scene.cloth).iteration_count, std::max(1u, static_cast<uint32_t>(wanted)));
    }
  }
}

TEST_P(Solvers, an_empty_solver_updates_hashes_and_compacts) {
  SceneOptions options(GetParam());
  options.has_cloth = false;
  Scene scene(options);
  scene.step(5);
  EXPECT_EQ(scene.hash(), 0u);
  uint32_t count = 0;
  EXPECT_OK(clothc_solver_compact(scene.solver, nullptr, &count));
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(scene.info().largest_hole, 1024u);
  EXPECT_EQ(scene.info().last_update_passes, 0u);
}

// The update has two iterations. A sphere that moves from its last target reaches the particle only in the second one
// and leaves it on its surface. A sphere that starts at the target reaches it in the first one, and the particle moves
// on.
TEST_P(Solvers, spheres_move_linearly_from_start_to_target_during_an_update) {
  SceneOptions options(GetParam());
  options.columns = options.rows = 2;
  for (const bool starts_there : {false, true}) {
    Scene scene(options);
    const clothc_collider_set_id set = scene.sphere_set(0.125f, -0.5f, 0.25f, 1);
    ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
    scene.change_parameters(scene.cloth,
                            [](auto& p) { p.gravity[1] = 0, p.tether_stiffness = 0, p.solver_frequency = 120; });
    ASSERT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, nullptr, 0));
    scene.step();
    const float target[4] = {0.125f, 0.1f, 0.25f, 1};
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.sphere_count = 1;
    shapes.spheres = target;
    shapes.sphere_starts = starts_there ? target : nullptr;
    ASSERT_OK(clothc_collider_set_write(scene.solver, set, &shapes));
    scene.step();
    const std::vector<float> p = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    const float distance = std::hypot(p[8] - target[0], p[9] - target[1], p[10] - target[2]);
    EXPECT_NEAR(distance, starts_there ? 2 - std::hypot(0.125f, 0.9f) : 1, 1e-3f);
    // The shapes are now at rest.
    const uint64_t moved = scene.hash();
    scene.step(1, 0);
    EXPECT_EQ(scene.hash(), moved);
  }
}

TEST_P(Solvers, collider_sets_are_shared_by_cloths_and_leave_all_of_them_when_destroyed) {
  Scene scene(GetParam());
  const clothc_cloth_id other = scene.add();
  const clothc_collider_set_id shared = scene.sphere_set(0.5f, 0.6f, 0.5f, 0.35f);
  const clothc_collider_set_id own = scene.sphere_set(9, 9, 9, 1);
  const clothc_collider_set_id lists[2] = {own, shared};
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, lists, 2));
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, other, &shared, 1));
  scene.step(20);
  const std::vector<float> a = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  EXPECT_EQ(a, scene.get(CLOTHC_CHANNEL_POSITION, other));
  for (size_t k = 0; k < a.size(); k += 4) {
    EXPECT_TRUE(a[k + 3] == 0 || std::hypot(a[k] - 0.5f, a[k + 1] - 0.6f, a[k + 2] - 0.5f) >= 0.34f);
  }
  ASSERT_OK(clothc_collider_set_destroy(scene.solver, shared));
  EXPECT_EQ(scene.info(scene.cloth).collider_set_count, 1u);
  EXPECT_EQ(scene.info(other).collider_set_count, 0u);
  scene.step(20);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), scene.get(CLOTHC_CHANNEL_POSITION, other));
}

TEST_P(Solvers, planes_hold_cloth_and_convexes_are_of_planes) {
  Scene scene(GetParam());
  // y > -0.5 and y > 0.5.
  const float planes[8] = {0, 1, 0, 0.5f, 0, 1, 0, -0.5f};
  clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
  shapes.plane_count = 2;
  shapes.planes = planes;
  clothc_collider_set_id set = 0;
  ASSERT_OK(clothc_collider_set_create(scene.solver, &set));
  ASSERT_OK(clothc_collider_set_write(scene.solver, set, &shapes));
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
  scene.step(120);
  EXPECT_GT(scene.status(scene.cloth).bounds_minimum[1], 0.49f);
  // Both planes form one convex. A particle is inside if it is below both, so only the lower plane counts.
  const uint32_t ends[1] = {2};
  const uint32_t members[2] = {0, 1};
  shapes.convex_count = 1;
  shapes.convex_ends = ends;
  shapes.convex_planes = members;
  ASSERT_OK(clothc_collider_set_write(scene.solver, set, &shapes));
  scene.step(120);
  EXPECT_LT(scene.status(scene.cloth).bounds_minimum[1], 0.3f);
}

TEST_P(Solvers, different_solvers_run_from_different_threads) {
  Scene scene(GetParam());
  scene.step(10);
  const uint64_t expected = scene.hash();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const clothc_solver_desc desc = SceneOptions(GetParam()).solver;
      clothc_solver solver = nullptr;
      EXPECT_OK(clothc_solver_create(scene.device, &desc, &solver));
      const clothc_cloth_desc cloth_desc = scene.cloth_desc();
      clothc_cloth_id id = 0;
      EXPECT_OK(clothc_cloth_add(solver, &cloth_desc, &id));
      const clothc_update update = initialised<clothc_update>();
      for (int k = 0; k < 10; ++k) EXPECT_OK(clothc_solver_update(solver, &update, nullptr));
      uint64_t hash = 0;
      EXPECT_OK(clothc_solver_state_hash(solver, &hash));
      EXPECT_EQ(hash, expected);
      EXPECT_OK(clothc_solver_destroy(solver));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Solvers, a_refused_update_changes_nothing) {
  Scene scene(GetParam());
  const clothc_collider_set_id set = scene.sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
  scene.step(3);
  scene.write_sphere(set, 0.5f, 0.7f, 0.5f, 0.3f);
  scene.set(CLOTHC_CHANNEL_VELOCITY, scene.cloth, std::vector<float>(120, 0.5f));
  const uint64_t hash = scene.hash();
  const std::vector<uint8_t> snapshot = scene.snapshot();
  const clothc_solver_info before = scene.info();
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = scene.fence(7);
  update.signal_value = 7;
  uint64_t value = 77;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_update(scene.solver, &update, &value), "signal_value is 7");
  EXPECT_EQ(value, 77u);
  EXPECT_EQ(scene.info().timeline_value, before.timeline_value);
  EXPECT_EQ(scene.info().update_count, before.update_count);
  EXPECT_EQ(scene.snapshot(), snapshot);
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Solvers, a_set_in_the_slot_of_a_destroyed_one_is_another_set) {
  Scene scene(GetParam());
  const clothc_collider_set_id old_set = scene.sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &old_set, 1));
  ASSERT_OK(clothc_collider_set_destroy(scene.solver, old_set));
  const uint64_t hash = scene.hash();
  EXPECT_NE(scene.sphere_set(0.5f, 0.6f, 0.5f, 0.3f), old_set);
  EXPECT_EQ(scene.hash(), hash) << "no cloth lists the new set";
}

}  // namespace
}  // namespace solver_test
