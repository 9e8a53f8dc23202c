// held_up_test.cpp - waiting for work of a CPU device that is held up, in a task or in a thread that waits, by a callback
// of the application.
#include <chrono>
#include <utility>

#include "support/late_tasks.h"

using namespace clothc_test;

namespace held_up_test {
namespace {

class HeldUp : public WithLateTasks {};
INSTANTIATE_TEST_SUITE_P(Backend, HeldUp, testing::ValuesIn(available_backends()), backend_name);

// Memory whose release holds up the thread that does it.
struct SlowMemory {
  static void* CLOTHC_CALL allocate(size_t size, size_t alignment, void*) {
    EXPECT_EQ(alignment, memory_alignment);
    return ::operator new(size, std::align_val_t(alignment));
  }
  static void CLOTHC_CALL release(void* pointer, void* user) {
    auto* self = static_cast<SlowMemory*>(user);
    ::operator delete(pointer, std::align_val_t(memory_alignment));
    if (!self->is_slow.exchange(false)) return;
    self->has_begun = true;
    while (!self->may_end) std::this_thread::yield();
  }
  void use_in(clothc_device_desc& desc) {
    desc.allocate = allocate;
    desc.free = release;
    desc.allocator_user = this;
  }
  static constexpr size_t memory_alignment = 64;
  std::atomic<bool> is_slow{false}, has_begun{false}, may_end{false};
};

// Queues an update and a get whose end frees the memory that it writes to.
void queue_work_that_frees_memory(Scene& scene) {
  const clothc_buffer buffer = scene.buffer(900);
  scene.step();
  queue_get(scene, buffer);
  EXPECT_OK(clothc_buffer_destroy(buffer));
}

TEST_P(HeldUp, in_a_task_work_ends_a_wait_when_it_ends_or_the_time_out_does) {
  TaskQueue queue(0);
  SlowMemory memory;
  SceneOptions slow = options(queue);
  memory.use_in(slow.device);
  Scene scene(slow);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  pump_all(queue);
  queue_work_that_frees_memory(scene);
  memory.is_slow = true;
  std::thread task([&] { EXPECT_EQ(pump_all(queue), 1); });
  while (!memory.has_begun) std::this_thread::yield();
  EXPECT_EQ(clothc_solver_wait(scene.solver, UINT64_MAX, 5'000'000), CLOTHC_TIMEOUT);
  std::thread waiter([&] { EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  memory.may_end = true;
  waiter.join();
  task.join();
  EXPECT_OK(poll(scene));
}

// Memory whose release waits for a solver.
struct WaitingMemory {
  static void CLOTHC_CALL release(void* pointer, void* user) {
    auto* self = static_cast<WaitingMemory*>(user);
    ::operator delete(pointer, std::align_val_t(SlowMemory::memory_alignment));
    // The work of the other solver may free memory, too.
    const clothc_solver solver = std::exchange(self->solver, nullptr);
    if (solver == nullptr) return;
    self->thread = std::this_thread::get_id();
    self->result = clothc_solver_wait(solver, UINT64_MAX, 1'000'000);
    self->other_result = clothc_solver_wait(self->other_solver, UINT64_MAX, CLOTHC_WAIT_FOREVER);
  }
  clothc_solver solver = nullptr;
  clothc_solver other_solver = nullptr;
  clothc_result result = CLOTHC_SUCCESS;
  clothc_result other_result = CLOTHC_NOT_READY;
  std::thread::id thread;
};

TEST_P(HeldUp, by_a_callback_that_waits_work_goes_on_and_the_callback_may_wait_for_other_work) {
  TaskQueue queue(0);
  WaitingMemory memory;
  SceneOptions with_memory = options(queue);
  with_memory.device.allocate = SlowMemory::allocate;
  with_memory.device.free = WaitingMemory::release;
  with_memory.device.allocator_user = &memory;
  Scene scene(with_memory);
  Scene other(with_memory, &scene);
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  queue_work_that_frees_memory(scene);
  other.step();
  memory.solver = scene.solver;
  memory.other_solver = other.solver;
  EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  EXPECT_EQ(memory.thread, std::this_thread::get_id()) << "the thread that waits did not do the work";
  EXPECT_EQ(memory.result, CLOTHC_TIMEOUT);
  EXPECT_OK(memory.other_result);
  EXPECT_OK(poll(other));
  pump_all(queue);
}

}  // namespace
}  // namespace held_up_test
