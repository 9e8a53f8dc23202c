// scheduler_test.cpp - the application's scheduler with any number of threads, and hosts that change the floating-point
// environment, give the results of the library's own threads in the default environment.
#include <cmath>

#include "support/sanitized.h"
#include "support/task_queue.h"

using namespace clothc_test;

namespace scheduler_test {
namespace {

class Schedulers : public WithTasks {};
INSTANTIATE_TEST_SUITE_P(Backend, Schedulers, testing::ValuesIn(available_backends()), backend_name);

SceneOptions options_for(clothc_backend backend, clothc_schedule schedule, uint32_t workers) {
  SceneOptions options(backend);
  options.solver.schedule = schedule;
  options.device.worker_count = workers;
  options.device.flags = CLOTHC_DEVICE_TASKS_ONLY;
  return options;
}

// Runs frames of two small cloths and a moving sphere, with some denormal values, and returns the hash of each frame.
// The test's own computations are exact, so they do not depend on the rounding mode.
std::vector<uint64_t> small_run(const SceneOptions& options, int frames) {
  Scene scene(options);
  const clothc_cloth_id light = scene.add();
  const clothc_collider_set_id set = scene.sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
  for (const clothc_cloth_id id : {scene.cloth, light}) {
    EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, id, &set, 1));
  }
  scene.change_parameters(light, [](auto& p) { p.gravity[1] = -1e-38f, p.damping[0] = 0.1f, p.friction = 0.3f; });
  scene.set(CLOTHC_CHANNEL_VELOCITY, light, std::vector<float>(120, 1e-39f));
  std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, light);
  for (size_t k = 0; k < positions.size(); k += 8) positions[k] = 1e-40f;
  scene.set(CLOTHC_CHANNEL_POSITION, light, positions);
  std::vector<uint64_t> hashes;
  for (int frame = 0; frame < frames; ++frame) {
    scene.write_sphere(set, 0.5f, 0.5f + static_cast<float>(frame) / 256, 0.5f, 0.3f);
    scene.step(1, frame % 3 == 0 ? 1.0f / 50 : 1.0f / 60);
    hashes.push_back(scene.hash());
  }
  return hashes;
}

// Runs a cloth of more than 8192 particles, which AUTO splits over workers, and a small one.
std::vector<uint64_t> large_run(SceneOptions options, int frames) {
  options.columns = 96;
  options.rows = 90;
  options.solver.particle_capacity = 32768;
  Scene scene(options);
  const Sheet sheet(7, 7);
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.fabric = cook_fabric(scene.device, sheet.desc());
  scene.add(desc);
  std::vector<uint64_t> hashes;
  for (int frame = 0; frame < frames; ++frame) {
    scene.step();
    // Several updates are in flight in between.
    if (frame % 10 == 9) hashes.push_back(scene.hash());
  }
  return hashes;
}

TEST_P(Schedulers, of_the_application_give_the_results_of_the_librarys_threads) {
  const int frames = is_sanitized ? 10 : 60;
  const std::vector<uint64_t> small = small_run(options_for(GetParam(), CLOTHC_SCHEDULE_CLOTH, 2), frames);
  const std::vector<uint64_t> large = large_run(options_for(GetParam(), CLOTHC_SCHEDULE_CLOTH, 1), frames);
  EXPECT_EQ(large_run(options_for(GetParam(), CLOTHC_SCHEDULE_AUTO, 2), frames), large);
  for (const uint32_t threads : {1u, 3u}) {
    for (const clothc_schedule schedule : schedules) {
      TaskQueue queue(threads);
      SceneOptions options = options_for(GetParam(), schedule, threads);
      queue.use_in(options.device);
      EXPECT_EQ(small_run(options, frames), small) << threads << " threads, schedule " << schedule;
      EXPECT_EQ(large_run(options, frames), large) << threads << " threads, schedule " << schedule;
      EXPECT_GT(queue.submitted(), 0u);
    }
  }
}

TEST_P(Schedulers, with_fewer_threads_than_workers_make_progress) {
  const std::vector<uint64_t> expected = small_run(options_for(GetParam(), CLOTHC_SCHEDULE_CLOTH, 1), 10);
  TaskQueue queue(1);
  SceneOptions options = options_for(GetParam(), CLOTHC_SCHEDULE_PASS, 8);
  queue.use_in(options.device);
  EXPECT_EQ(small_run(options, 10), expected);
}

// Tasks run on the same thread that makes the calls, between these calls.
TEST_P(Schedulers, may_run_tasks_in_a_loop_of_the_thread_that_updates) {
  for (const clothc_schedule schedule : schedules) {
    Scene plain(options_for(GetParam(), schedule, 2));
    plain.step(12);
    TaskQueue queue(0);
    SceneOptions options = options_for(GetParam(), schedule, 2);
    options.solver.updates_in_flight = 16;
    queue.use_in(options.device);
    std::atomic<bool> done{false};
    std::thread pump;
    {
      Scene scene(options);
      scene.step(12);
      EXPECT_EQ(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr), CLOTHC_NOT_READY) << "nothing ran a task yet";
      while (clothc_solver_poll(scene.solver, UINT64_MAX, nullptr) == CLOTHC_NOT_READY) {
        ASSERT_TRUE(queue.pump()) << "work is left, but no task";
      }
      // Waiting for the hash blocks this thread, so another thread must run the tasks.
      pump = std::thread([&] {
        while (!done || queue.pump()) queue.pump();
      });
      EXPECT_EQ(scene.hash(), plain.hash());
    }
    done = true;
    pump.join();
  }
}

TEST_P(Schedulers, are_not_held_up_by_an_update_that_waits_for_a_fence) {
  TaskQueue queue(1);
  SceneOptions options = options_for(GetParam(), CLOTHC_SCHEDULE_AUTO, 1);
  queue.use_in(options.device);
  Scene scene(options);
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, 20'000'000), CLOTHC_TIMEOUT);
  // The only thread is free for another solver, which also signals the fence.
  clothc_solver other = nullptr;
  ASSERT_OK(clothc_solver_create(scene.device, &options.solver, &other));
  clothc_update update = initialised<clothc_update>();
  for (int k = 0; k < 5; ++k) ASSERT_OK(clothc_solver_update(other, &update, nullptr));
  ASSERT_OK(clothc_solver_wait(other, UINT64_MAX, longest_work));
  EXPECT_EQ(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr), CLOTHC_NOT_READY);
  update.signal_fence = fence;
  update.signal_value = 1;
  ASSERT_OK(clothc_solver_update(other, &update, nullptr));
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  // The scene is destroyed with an update that still waits.
  scene.block_behind(fence, 2);
}

TEST_P(Schedulers, hosts_may_flush_denormals_and_round_upwards) {
  if (!has_register) GTEST_SKIP() << "this test knows the floating-point control register of x86 only";
  const std::vector<uint64_t> small = small_run(options_for(GetParam(), CLOTHC_SCHEDULE_CLOTH, 2), 60);
  const std::vector<uint64_t> large = large_run(options_for(GetParam(), CLOTHC_SCHEDULE_CLOTH, 1), 20);
  for (const clothc_schedule schedule : schedules) {
    SceneOptions options = options_for(GetParam(), schedule, 3);
    for (const uint32_t flags : {0u, uint32_t{CLOTHC_DEVICE_TASKS_ONLY}}) {
      options.device.flags = flags;
      const Environment hostile(hostile_environment);
      EXPECT_EQ(small_run(options, 60), small) << "the library's threads, schedule " << schedule;
      EXPECT_EQ(large_run(options, 20), large) << "the library's threads, schedule " << schedule;
      EXPECT_EQ(read_environment(), hostile_environment) << "a call changed its caller's environment";
    }
    TaskQueue queue(3, hostile_environment);
    queue.use_in(options.device);
    EXPECT_EQ(small_run(options, 60), small) << "the application's threads, schedule " << schedule;
    EXPECT_EQ(large_run(options, 20), large) << "the application's threads, schedule " << schedule;
  }
}

// With this time step, rounding dt * frequency upwards would give one more iteration.
TEST_P(Schedulers, hosts_that_round_upwards_get_no_more_iterations) {
  if (!has_register) GTEST_SKIP() << "this test knows the floating-point control register of x86 only";
  float dt = 1.0f / 120;
  const auto rounds_down_below = [](float x) {
    // The product has 24 + 9 bits and is therefore exact.
    const double exact = static_cast<double>(x) * 300.0;
    return exact < 2.5 && static_cast<float>(exact) < 2.5f && exact > static_cast<double>(std::nextafter(2.5f, 0.0f));
  };
  for (int k = 0; k < 100 && !rounds_down_below(dt); ++k) dt = std::nextafter(dt, 0.0f);
  ASSERT_TRUE(rounds_down_below(dt));
  for (const clothc_schedule schedule : schedules) {
    Scene scene(options_for(GetParam(), schedule, 2));
    scene.step(1, dt);
    EXPECT_EQ(scene.status(scene.cloth).iteration_count, 2u);
    const uint64_t passes = scene.info().last_update_passes;
    const Environment hostile(hostile_environment);
    scene.step(1, dt);
    EXPECT_EQ(scene.status(scene.cloth).iteration_count, 2u);
    EXPECT_EQ(scene.info().last_update_passes, passes);
  }
}

}  // namespace
}  // namespace scheduler_test
