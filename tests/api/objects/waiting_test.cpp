// waiting_test.cpp - calls that wait for a device of the CPU do the work that no task has begun, as far as their
// time-out allows. Tasks that come too late find nothing to do.
#include <chrono>

#include "support/late_tasks.h"
#include "support/sanitized.h"

using namespace clothc_test;

namespace waiting_test {
namespace {

class Waiting : public WithLateTasks {};
INSTANTIATE_TEST_SUITE_P(Backend, Waiting, testing::ValuesIn(available_backends()), backend_name);

TEST_P(Waiting, does_the_work_if_no_task_runs) {
  for (const clothc_schedule schedule : schedules) {
    Scene expected(plain());
    expected.step(5);
    TaskQueue queue(0);
    SceneOptions late = options(queue);
    late.solver.schedule = schedule;
    Scene scene(late);
    for (int frame = 0; frame < 5; ++frame) {
      scene.step();
      EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
      EXPECT_OK(poll(scene));
    }
    // These wait, too.
    EXPECT_EQ(scene.hash(), expected.hash());
    EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), expected.get(CLOTHC_CHANNEL_POSITION, expected.cloth));
    EXPECT_LE(queue.submitted(), 1u + late.device.worker_count) << "more tasks than there is work for";
    pump_all(queue);
    EXPECT_EQ(scene.hash(), expected.hash()) << "tasks that came too late did something";
  }
}

TEST_P(Waiting, for_room_in_the_queue_does_the_work) {
  TaskQueue queue(0);
  Scene scene(options(queue));
  scene.step(20);
  EXPECT_EQ(poll(scene), CLOTHC_NOT_READY);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  pump_all(queue);
}

TEST_P(Waiting, for_a_buffer_does_the_work) {
  TaskQueue queue(0);
  Scene scene(options(queue));
  const clothc_buffer buffer = scene.buffer(900);
  scene.step();
  queue_get(scene, buffer);
  EXPECT_EQ(poll(scene), CLOTHC_NOT_READY);
  void* pointer = nullptr;
  EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &pointer));
  EXPECT_OK(poll(scene));
  pump_all(queue);
}

TEST_P(Waiting, for_a_fence_does_the_work_that_raises_it) {
  TaskQueue queue(0);
  Scene scene(options(queue));
  const clothc_fence fence = scene.fence();
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = fence;
  for (update.signal_value = 3; update.signal_value < 9; update.signal_value += 3) {
    require(clothc_solver_update(scene.solver, &update, nullptr));
  }
  EXPECT_EQ(clothc_fence_wait(fence, 1, 0), CLOTHC_TIMEOUT);
  EXPECT_OK(clothc_fence_wait(fence, 2, CLOTHC_WAIT_FOREVER));
  EXPECT_EQ(poll(scene), CLOTHC_NOT_READY) << "the wait did more than it waited for";
  EXPECT_OK(clothc_fence_wait(fence, 6, CLOTHC_WAIT_FOREVER));
  EXPECT_OK(poll(scene));
  pump_all(queue);
}

TEST_P(Waiting, stops_at_its_value_and_leaves_the_rest_to_a_task) {
  TaskQueue queue(0);
  Scene scene(options(queue));
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  pump_all(queue);
  clothc_update update = initialised<clothc_update>();
  uint64_t first = 0;
  require(clothc_solver_update(scene.solver, &update, &first));
  scene.step();
  EXPECT_OK(clothc_solver_wait(scene.solver, first, CLOTHC_WAIT_FOREVER));
  EXPECT_EQ(poll(scene), CLOTHC_NOT_READY);
  EXPECT_EQ(pump_all(queue), 1);
  EXPECT_OK(poll(scene));
}

TEST_P(Waiting, does_what_its_time_out_allows) {
  TaskQueue queue(0);
  Scene scene(options(queue));
  scene.step();
  EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, 0), CLOTHC_TIMEOUT);
  EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, 20'000), CLOTHC_TIMEOUT) << "20 us are not enough";
  EXPECT_EQ(poll(scene), CLOTHC_NOT_READY);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, longest_work));
  pump_all(queue);
}

TEST_P(Waiting, does_nothing_if_all_work_is_to_be_in_tasks) {
  TaskQueue queue(0);
  SceneOptions in_tasks = options(queue);
  in_tasks.device.flags = CLOTHC_DEVICE_TASKS_ONLY;
  Scene scene(in_tasks);
  scene.step();
  EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, 20'000'000), CLOTHC_TIMEOUT);
  EXPECT_GT(pump_all(queue), 0);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
}

TEST_P(Waiting, goes_on_after_a_fence_that_the_work_waits_for) {
  TaskQueue queue(0);
  Scene scene(options(queue));
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  std::thread waiter([&] { EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER)); });
  // Whichever of the two comes first.
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_OK(clothc_fence_signal(fence, 1));
  waiter.join();
  EXPECT_OK(poll(scene));
  pump_all(queue);
}

TEST_P(Waiting, in_several_threads_at_once_is_done_by_one) {
  Scene expected(plain());
  expected.step(60);
  TaskQueue queue(0);
  SceneOptions in_passes = options(queue, 3);
  in_passes.solver.schedule = CLOTHC_SCHEDULE_PASS;
  Scene scene(in_passes);
  for (int frame = 0; frame < 30; ++frame) {
    clothc_update update = initialised<clothc_update>();
    uint64_t values[2] = {};
    for (uint64_t& value : values) require(clothc_solver_update(scene.solver, &update, &value));
    std::vector<std::thread> waiters;
    for (const uint64_t value : {values[0], values[1], values[1]}) {
      waiters.emplace_back([&, value] { EXPECT_OK(clothc_solver_wait(scene.solver, value, CLOTHC_WAIT_FOREVER)); });
    }
    for (std::thread& waiter : waiters) waiter.join();
    EXPECT_OK(poll(scene));
  }
  EXPECT_EQ(scene.hash(), expected.hash());
  pump_all(queue);
}

// Tasks begin before, while and after threads wait.
TEST_P(Waiting, beside_tasks_changes_no_result) {
  const int frames = is_sanitized ? 100 : 200;
  Scene expected(plain());
  expected.step(frames);
  const uint64_t hash = expected.hash();
  for (const clothc_schedule schedule : schedules) {
    for (const uint32_t workers : {1u, 3u}) {
      for (const bool is_application : {false, true}) {
        TaskQueue queue(is_application ? workers : 0);
        SceneOptions beside = is_application ? options(queue, workers) : plain(workers);
        beside.solver.schedule = schedule;
        Scene scene(beside);
        for (int frame = 0; frame < frames; ++frame) {
          scene.step();
          if (frame % 5 == 1) std::this_thread::yield();
          if (frame % 5 == 2) std::this_thread::sleep_for(std::chrono::microseconds(frame));
          if (frame % 5 == 3) clothc_solver_wait(scene.solver, UINT64_MAX, 100'000);
          if (frame % 3 == 0) continue;
          EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
        }
        EXPECT_EQ(scene.hash(), hash) << "schedule " << schedule << ", " << workers << " workers";
      }
    }
  }
}

TEST_P(Waiting, at_once_makes_the_next_updates_do_their_work) {
  if (has_thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer makes calls take longer than a pause between them";
  TaskQueue queue(0);
  Scene scene(options(queue));
  int frame = 0;
  // The system may run something else between an update and the wait for it.
  for (bool is_done = false; !is_done; ++frame) {
    ASSERT_LT(frame, 10'000);
    scene.step();
    is_done = poll(scene) == CLOTHC_SUCCESS;
    EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  }
  EXPECT_GE(frame, 2);
  scene.step();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  scene.step();
  EXPECT_EQ(poll(scene), CLOTHC_NOT_READY) << "the update before was not waited for";
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  pump_all(queue);
}

}  // namespace
}  // namespace waiting_test
