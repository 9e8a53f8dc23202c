// giving_way_test.cpp - work that gives way to copies which wait for the same buffer, unless the copies wait for a fence or
// a task, so that threads never wait for each other.
#include <atomic>
#include <chrono>
#include <thread>

#include "support/task_queue.h"

using namespace clothc_test;

namespace giving_way_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(GivingWay);

// A scene whose updates write positions to a buffer.
struct BoundScene : Scene {
  explicit BoundScene(const SceneOptions& options, const Scene* lender = nullptr) : Scene(options, lender) {
    bound = buffer(size_t{options.columns} * options.rows);
    bind(bound);
  }
  void bind(clothc_buffer to) const { require(clothc_cloth_bind(solver, cloth, CLOTHC_CHANNEL_POSITION, to, nullptr)); }
  std::vector<float> read() const {
    std::vector<float> values(sheet.positions.size() / 3 * 4);
    EXPECT_OK(clothc_buffer_read(bound, 0, values.size() * 4, values.data()));
    return values;
  }
  clothc_buffer bound = nullptr;
};

// Reads a buffer on another thread, most likely before the constructor returns.
class Reading {
 public:
  explicit Reading(const BoundScene& scene) : thread_([&] { values_ = scene.read(); }) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::vector<float> finish() {
    thread_.join();
    return values_;
  }

 private:
  std::vector<float> values_;
  std::thread thread_;
};

TEST_P(GivingWay, an_update_goes_on_if_a_fence_that_is_raised_after_it_holds_the_copy_up) {
  BoundScene scene(SceneOptions{GetParam()});
  const clothc_fence fence = scene.fence();
  for (uint64_t round = 1; round <= 3; ++round) {
    scene.block_behind(fence, round);
    Reading reading(scene);
    scene.step();
    ASSERT_OK(clothc_fence_signal(fence, round));
    EXPECT_EQ(reading.finish(), scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth)) << "round " << round;
  }
  require(clothc_fence_destroy(fence));
}

TEST_P(GivingWay, an_update_goes_on_if_it_raises_the_fence_that_holds_the_copy_up) {
  BoundScene scene(SceneOptions{GetParam()});
  BoundScene other(SceneOptions{GetParam()}, &scene);
  other.bind(scene.bound);
  const clothc_fence fence = scene.fence();
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = fence;
  for (update.signal_value = 1; update.signal_value <= 3; ++update.signal_value) {
    scene.block_behind(fence, update.signal_value);
    Reading reading(scene);
    ASSERT_OK(clothc_solver_update(other.solver, &update, nullptr));
    EXPECT_EQ(reading.finish(), scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth)) << "the other update ends first";
  }
  require(clothc_fence_destroy(fence));
}

TEST_P(GivingWay, sets_and_gets_go_on_if_a_fence_holds_the_copy_up) {
  BoundScene scene(SceneOptions{GetParam()});
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  Reading reading(scene);
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, scene.bound, nullptr, nullptr, 0, 0));
  ASSERT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, scene.bound, nullptr, nullptr, 0, 0));
  ASSERT_OK(clothc_fence_signal(fence, 1));
  EXPECT_EQ(reading.finish(), scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
  require(clothc_fence_destroy(fence));
}

// Two threads queue work on two buffers in opposite orders, each on its own half of them, while two others read them.
TEST_P(GivingWay, many_threads_never_wait_for_each_other) {
  BoundScene scene(SceneOptions{GetParam()});
  BoundScene other(SceneOptions{GetParam()}, &scene);
  const uint64_t count = scene.sheet.positions.size() / 3;
  const clothc_buffer buffers[] = {scene.buffer(2 * count), scene.buffer(2 * count)};
  const auto bind = [&](const BoundScene& each, clothc_channel channel, clothc_buffer buffer, uint64_t first) {
    clothc_view view = initialised<clothc_view>();
    view.byte_offset = first * 16;
    require(clothc_cloth_bind(each.solver, each.cloth, channel, buffer, &view));
  };
  bind(scene, CLOTHC_CHANNEL_POSITION, buffers[0], 0);
  bind(scene, CLOTHC_CHANNEL_VELOCITY, buffers[1], 0);
  bind(other, CLOTHC_CHANNEL_POSITION, buffers[1], count);
  bind(other, CLOTHC_CHANNEL_VELOCITY, buffers[0], count);
  std::atomic<int> reading{2};
  std::vector<std::thread> threads;
  for (const clothc_solver solver : {scene.solver, other.solver}) {
    threads.emplace_back([solver, &reading] {
      clothc_update update = initialised<clothc_update>();
      while (reading > 0) {
        const clothc_result result = clothc_solver_update(solver, &update, nullptr);
        EXPECT_TRUE(result == CLOTHC_SUCCESS || (update.flags != 0 && result == CLOTHC_NOT_READY)) << result;
        update.flags ^= CLOTHC_UPDATE_NO_WAIT;
      }
    });
  }
  for (const clothc_buffer buffer : buffers) {
    threads.emplace_back([buffer, count, &reading] {
      std::vector<float> values(count * 8);
      for (int round = 0; round < 20; ++round) EXPECT_OK(clothc_buffer_read(buffer, 0, count * 32, values.data()));
      --reading;
    });
  }
  for (std::thread& thread : threads) thread.join();
}

class GivingWayToTasks : public WithTasks {};
INSTANTIATE_TEST_SUITE_P(Backend, GivingWayToTasks, testing::ValuesIn(available_backends()), backend_name);

TEST_P(GivingWayToTasks, an_update_goes_on_if_its_thread_must_run_the_tasks_for_which_the_copy_waits) {
  TaskQueue queue(0);
  SceneOptions options(GetParam());
  queue.use_in(options.device);
  options.device.flags = CLOTHC_DEVICE_TASKS_ONLY;
  BoundScene scene(options);
  scene.step();
  Reading reading(scene);
  scene.step();
  while (queue.pump()) {
  }
  reading.finish();
  clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER);
}

}  // namespace
}  // namespace giving_way_test
