// little_work_test.cpp - work that takes less time than waking a thread runs inside the call. The tests also measure
// how much stack that uses.
#include "support/stack_use.h"
#include "support/task_queue.h"
#include "support/colliding_cloths.h"

using namespace clothc_test;

namespace little_work_test {
namespace {

class LittleWork : public WithTasks {};
INSTANTIATE_TEST_SUITE_P(Backend, LittleWork, testing::ValuesIn(available_backends()), backend_name);

SceneOptions options_with(TaskQueue& queue, clothc_backend backend, clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO) {
  SceneOptions options(backend);
  options.solver.schedule = schedule;
  options.device.flags = 0;
  queue.use_in(options.device);
  return options;
}

TEST_P(LittleWork, gets_no_task) {
  for (const clothc_schedule schedule : schedules) {
    SceneOptions of_threads(GetParam());
    of_threads.device.flags = CLOTHC_DEVICE_TASKS_ONLY;
    Scene in_tasks(of_threads);
    in_tasks.step(12);
    // No thread runs tasks.
    TaskQueue queue(0);
    Scene scene(options_with(queue, GetParam(), schedule));
    scene.step(12);
    EXPECT_OK(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr));
    EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), in_tasks.get(CLOTHC_CHANNEL_POSITION, in_tasks.cloth));
    EXPECT_EQ(scene.hash(), in_tasks.hash());
    EXPECT_EQ(queue.submitted(), 0u);
  }
}

TEST_P(LittleWork, is_not_what_takes_longer_than_waking_a_thread) {
  TaskQueue queue(0);
  SceneOptions options = options_with(queue, GetParam());
  options.columns = options.rows = 30;
  Scene scene(options);
  while (queue.pump()) {
  }
  EXPECT_OK(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr));
  scene.step();
  EXPECT_EQ(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr), CLOTHC_NOT_READY) << "900 particles";
  while (queue.pump()) {
  }
  EXPECT_OK(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr));
}

TEST_P(LittleWork, gets_a_task_if_it_waits_for_a_fence) {
  TaskQueue queue(0);
  Scene scene(options_with(queue, GetParam()));
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  // This update is queued after the blocked one.
  scene.step();
  EXPECT_EQ(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr), CLOTHC_NOT_READY);
  EXPECT_EQ(queue.submitted(), 0u);
  ASSERT_OK(clothc_fence_signal(fence, 1));
  EXPECT_EQ(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr), CLOTHC_NOT_READY);
  ASSERT_TRUE(queue.pump());
  EXPECT_OK(clothc_solver_poll(scene.solver, UINT64_MAX, nullptr));
  EXPECT_EQ(queue.submitted(), 1u);
}

// The limit that clothc.h promises. tests/parity/dialect/stack_test.cpp tests every kernel separately.
constexpr size_t promised = 64 * 1024;

TEST_P(LittleWork, takes_no_more_stack_than_a_task) {
  if (!stack_use_is_the_librarys) GTEST_SKIP() << "sanitizers take stack of their own";
  TaskQueue queue(0);
  Scene scene(options_with(queue, GetParam()));
  const size_t use = stack_use([&] { scene.step(); });
  EXPECT_EQ(queue.submitted(), 0u);
  EXPECT_GT(use, 1024u);
  EXPECT_LE(use, promised);
}

TEST_P(LittleWork, in_tasks_takes_no_more_stack_than_promised) {
  if (!stack_use_is_the_librarys) GTEST_SKIP() << "sanitizers take stack of their own";
  TaskQueue queue(0);
  std::atomic<bool> ended{false};
  std::thread program([&] {
    SceneOptions options = options_with(queue, GetParam());
    options.device.flags = CLOTHC_DEVICE_TASKS_ONLY;
    // 10 updates with kernels, sorts and scans.
    { const CollidingScene scene(options); }
    ended = true;
  });
  const size_t use = stack_use([&] {
    while (!ended) {
      if (!queue.pump()) std::this_thread::yield();
    }
  });
  program.join();
  EXPECT_GT(queue.submitted(), 0u);
  EXPECT_GT(use, 1024u);
  EXPECT_LE(use, promised);
}

}  // namespace
}  // namespace little_work_test
