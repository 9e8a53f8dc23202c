// lifetimes_test.cpp - objects are destroyed while work is in flight, from any thread, and their threads and memory are
// released.
#include <atomic>
#include <thread>

#include "support/scene.h"
#include "support/thread_count.h"

using namespace clothc_test;

namespace lifetimes_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Lifetimes);

// A joined thread may still be listed for a moment.
int settled_thread_count(int expected) {
  for (int k = 0; k < 200 && thread_count() > expected; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return thread_count();
}

TEST_P(Lifetimes, a_device_is_destroyed_with_work_in_flight_and_children_alive) {
  const int threads = thread_count();
  for (int round = 0; round < 10; ++round) {
    Scene scene(with_own_device(GetParam()));
    const clothc_buffer buffer = scene.buffer(30);
    scene.step(3);
    EXPECT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
    ASSERT_OK(clothc_device_destroy(scene.device));
    uint64_t value = 0;
    EXPECT_EQ(clothc_solver_state_hash(scene.solver, &value), CLOTHC_ERROR_INVALID_HANDLE);
    EXPECT_EQ(clothc_buffer_unmap(buffer), CLOTHC_ERROR_INVALID_HANDLE);
    EXPECT_EQ(clothc_device_destroy(scene.device), CLOTHC_ERROR_INVALID_HANDLE);
    scene.device = nullptr;
  }
  EXPECT_LE(settled_thread_count(threads), threads);
}

TEST_P(Lifetimes, a_solver_whose_work_waits_for_a_fence_in_vain_is_destroyed_all_the_same) {
  Scene scene(with_own_device(GetParam()));
  const clothc_fence fence = scene.fence();
  const clothc_fence end = scene.fence();
  for (const uint64_t value : {1u, 2u}) scene.block_behind(fence, value);
  clothc_update update = initialised<clothc_update>();
  update.signal_fence = end;
  update.signal_value = 1;
  ASSERT_OK(clothc_solver_update(scene.solver, &update, nullptr));
  const clothc_buffer buffer = scene.buffer(30);
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  ASSERT_OK(clothc_solver_destroy(scene.solver));
  EXPECT_OK(clothc_fence_wait(end, 1, 0)) << "its work was finished";
  void* memory = nullptr;
  EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_NO_WAIT, &memory));
  EXPECT_OK(clothc_fence_signal(fence, 9));
}

TEST_P(Lifetimes, a_device_whose_work_waits_for_a_fence_in_vain_is_destroyed_all_the_same) {
  Scene scene(with_own_device(GetParam()));
  scene.block_behind(scene.fence());
  scene.buffer(30);
}

TEST_P(Lifetimes, fences_are_signalled_while_the_solver_that_waits_is_destroyed) {
  for (int round = 0; round < 50; ++round) {
    Scene scene(GetParam());
    const clothc_fence fence = scene.fence();
    scene.block_behind(fence);
    std::thread signaller([&] { EXPECT_OK(clothc_fence_signal(fence, 1)); });
    EXPECT_OK(clothc_solver_destroy(scene.solver));
    signaller.join();
  }
}

TEST_P(Lifetimes, everything_can_be_destroyed_from_other_threads) {
  Scene scene(with_own_device(GetParam()));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        const clothc_buffer buffer = scene.buffer(30);
        const clothc_fence fence = scene.fence();
        const clothc_solver_desc desc = SceneOptions(GetParam()).solver;
        clothc_solver solver = nullptr;
        EXPECT_OK(clothc_solver_create(scene.device, &desc, &solver));
        const clothc_cloth_desc cloth_desc = scene.cloth_desc();
        clothc_cloth_id id = 0;
        EXPECT_OK(clothc_cloth_add(solver, &cloth_desc, &id));
        clothc_update update = initialised<clothc_update>();
        update.signal_fence = fence;
        update.signal_value = 1;
        EXPECT_OK(clothc_solver_update(solver, &update, nullptr));
        EXPECT_OK(clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
        std::thread collector([=] {
          EXPECT_OK(clothc_solver_destroy(solver));
          EXPECT_OK(clothc_fence_destroy(fence));
        });
        EXPECT_OK(clothc_buffer_destroy(buffer));
        collector.join();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Lifetimes, one_handle_is_destroyed_by_one_of_many_threads_only) {
  for (int round = 0; round < 20; ++round) {
    const clothc_device_desc desc = SceneOptions(GetParam()).device;
    clothc_device device = nullptr;
    ASSERT_OK(clothc_device_create(&desc, &device));
    std::atomic<int> successes{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] { successes += clothc_device_destroy(device) == CLOTHC_SUCCESS ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(successes, 1);
  }
}

TEST_P(Lifetimes, who_waits_is_woken_when_the_solver_or_device_is_destroyed) {
  for (const bool by_device : {false, true}) {
    const int threads = thread_count();
    Scene scene(with_own_device(GetParam()));
    const clothc_fence fence = scene.fence();
    const clothc_buffer buffer = scene.buffer(30);
    scene.block_behind(fence);
    ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
    std::thread waiter([&] { clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER); });
    std::thread mapper([&] {
      void* memory = nullptr;
      clothc_buffer_map(buffer, CLOTHC_MAP_READ, &memory);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_OK(by_device ? clothc_device_destroy(scene.device) : clothc_solver_destroy(scene.solver));
    waiter.join();
    mapper.join();
    if (!by_device) continue;
    scene.device = nullptr;
    EXPECT_LE(settled_thread_count(threads), threads);
  }
}

TEST_P(Lifetimes, many_devices_live_side_by_side_and_agree) {
  std::vector<std::unique_ptr<Scene>> scenes;
  for (int k = 0; k < 6; ++k) scenes.push_back(std::make_unique<Scene>(with_own_device(GetParam())));
  for (int frame = 0; frame < 5; ++frame) {
    for (auto& scene : scenes) scene->step();
  }
  for (auto& scene : scenes) EXPECT_EQ(scene->hash(), scenes[0]->hash());
}

}  // namespace
}  // namespace lifetimes_test
