// fork_test.cpp - a child made by fork has none of the library's threads. Objects made before are lost there
// immediately and can be destroyed, objects made in the child work, and the parent is not affected.
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "support/allocations.h"
#include "support/sanitized.h"
#include "support/task_queue.h"

using namespace clothc_test;

namespace fork_test {
namespace {

// Returns why the tests cannot run, or null.
const char* no_forks() {
  return has_thread_sanitizer ? "ThreadSanitizer ends children of processes that have several threads" : nullptr;
}

template <class Suite>
class Forking : public Suite {
 protected:
  void SetUp() override {
    if (no_forks() != nullptr) GTEST_SKIP() << no_forks();
    Suite::SetUp();
  }
};

class Fork : public Forking<OnEveryBackend> {};
INSTANTIATE_TEST_SUITE_P(Backend, Fork, testing::ValuesIn(available_backends()), backend_name);
class ForkWithTasks : public Forking<WithTasks> {};
INSTANTIATE_TEST_SUITE_P(Backend, ForkWithTasks, testing::ValuesIn(available_backends()), backend_name);

// Makes the child exit with the line of the first check that fails, because GoogleTest's own report would reach nobody
// there.
#define CHILD_CHECK(condition) \
  if (!(condition)) return __LINE__

// fork waits until no thread is inside the C library's allocator. Before LLVM 18 it did not wait for AddressSanitizer's
// allocator: if a thread of the parent was inside that, its lock stays taken in the child, which hangs in malloc or
// free. With AddressSanitizer, a child that hangs is therefore ended by a signal and not counted as a failure. The
// other builds show whether the library hangs.
constexpr bool may_hang = has_address_sanitizer;
constexpr unsigned child_seconds = may_hang ? 10 : 60;

constexpr int kept = -1;
enum class Outcome { whole, memory_is_kept, failed, hung };

// Runs body in a child. body returns the line of a check that failed, 0 if none failed, or `kept` if not all memory was
// freed.
template <class Body>
Outcome run_in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(child_seconds);
    // An exception ends the child by a signal and does not reach GoogleTest there.
    const int line = [&]() noexcept { return body(); }();
    if (line > 0) {
      std::fprintf(stderr, "fork_test.cpp:%d fails in the child; the last message is: %s\n", line,
                   clothc_last_error_message());
    }
    _exit(line == kept ? 2 : line == 0 ? 0 : 1);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return Outcome::failed;
  if (WIFSIGNALED(status)) {
    std::fprintf(stderr, "a child was ended by signal %d\n", WTERMSIG(status));
    return WTERMSIG(status) == SIGALRM ? Outcome::hung : Outcome::failed;
  }
  return WEXITSTATUS(status) == 0   ? Outcome::whole
         : WEXITSTATUS(status) == 2 ? Outcome::memory_is_kept
                                    : Outcome::failed;
}

bool is_right(Outcome outcome) { return outcome != Outcome::failed && (may_hang || outcome != Outcome::hung); }

// Returns whether the child gave back all memory.
template <class Body>
bool expect_in_child(Body body) {
  const Outcome outcome = run_in_child(body);
  EXPECT_TRUE(is_right(outcome)) << (outcome == Outcome::hung ? "the child hung" : "the child failed");
  return outcome == Outcome::whole;
}

bool is_lost(clothc_result result) {
  return result == CLOTHC_ERROR_DEVICE_LOST && std::strstr(clothc_last_error_message(), "forked") != nullptr;
}

// A solver with work in flight, and everything else that a program may have at that time.
struct Program {
  DeviceAllocator allocator;
  SceneOptions options;

  // This array must outlive the work.
  std::vector<float> wrapped = std::vector<float>(120);
  std::unique_ptr<Scene> scene;
  clothc_fence fence = nullptr;
  clothc_buffer buffer = nullptr, borrowed = nullptr;

  explicit Program(clothc_backend backend, TaskQueue* queue = nullptr) : options(backend) {
    allocator.use_in(options.device);
    options.device.worker_count = 3;
    options.columns = options.rows = 60;
    options.solver.particle_capacity = 4096;
    options.solver.schedule = CLOTHC_SCHEDULE_PASS;
    options.solver.updates_in_flight = 16;
    if (queue != nullptr) queue->use_in(options.device);
    scene = std::make_unique<Scene>(options);
    fence = scene->fence();
    buffer = scene->buffer(30);
    clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
    desc.kind = CLOTHC_BUFFER_WRAPPED_HOST;
    desc.count = 30;
    desc.memory = wrapped.data();
    // Not every backend supports this kind of buffer.
    clothc_buffer_create(scene->device, &desc, &borrowed);
  }
  void set_to_work() {
    scene->step(8);
    EXPECT_OK(clothc_solver_get(scene->solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
    if (borrowed != nullptr) {
      EXPECT_OK(clothc_solver_get(scene->solver, CLOTHC_CHANNEL_POSITION, borrowed, nullptr, nullptr, 0, 0));
    }
  }
  // Called in a child: every call that submits, waits or maps must return DEVICE_LOST immediately.
  int expect_lost() {
    const clothc_solver solver = scene->solver;
    clothc_update update = initialised<clothc_update>();
    uint64_t value = 0;
    void* memory = nullptr;
    float element[4];
    clothc_cloth_info info = initialised<clothc_cloth_info>();
    clothc_fence made = nullptr;
    CHILD_CHECK(is_lost(clothc_solver_update(solver, &update, &value)));
    CHILD_CHECK(is_lost(clothc_solver_wait(solver, UINT64_MAX, CLOTHC_WAIT_FOREVER)));
    CHILD_CHECK(is_lost(clothc_solver_wait(solver, 0, 0)));
    CHILD_CHECK(is_lost(clothc_solver_poll(solver, 0, &value)));
    CHILD_CHECK(is_lost(clothc_solver_state_hash(solver, &value)));
    const clothc_debug_desc drawing = initialised<clothc_debug_desc>();
    uint32_t line_count = 0;
    CHILD_CHECK(is_lost(clothc_solver_get_debug_lines(solver, &drawing, nullptr, &line_count)));
    CHILD_CHECK(is_lost(clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0)));
    CHILD_CHECK(is_lost(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &memory)));
    CHILD_CHECK(is_lost(clothc_buffer_read(buffer, 0, 16, element)));
    CHILD_CHECK(is_lost(clothc_fence_wait(fence, 1, CLOTHC_WAIT_FOREVER)));
    CHILD_CHECK(is_lost(clothc_fence_signal(fence, 1)));
    CHILD_CHECK(is_lost(clothc_cloth_get_info(solver, scene->cloth, &info)));
    CHILD_CHECK(is_lost(clothc_cloth_remove(solver, scene->cloth)));
    CHILD_CHECK(is_lost(clothc_fence_create(scene->device, 0, &made)));
    return 0;
  }
  // Called in a child: everything can be destroyed, and its memory is freed unless it belongs to a driver or a thread
  // was using it during the fork.
  int destroy(bool one_by_one) {
    if (one_by_one) {
      if (borrowed != nullptr) CHILD_CHECK(clothc_buffer_destroy(borrowed) == CLOTHC_SUCCESS);
      CHILD_CHECK(clothc_buffer_destroy(buffer) == CLOTHC_SUCCESS);
      CHILD_CHECK(clothc_fence_destroy(fence) == CLOTHC_SUCCESS);
      CHILD_CHECK(clothc_fabric_destroy(scene->fabric) == CLOTHC_SUCCESS);
      CHILD_CHECK(clothc_solver_destroy(scene->solver) == CLOTHC_SUCCESS);
    }
    CHILD_CHECK(clothc_device_destroy(scene->device) == CLOTHC_SUCCESS);
    CHILD_CHECK(clothc_device_destroy(scene->device) == CLOTHC_ERROR_INVALID_HANDLE);
    CHILD_CHECK(clothc_solver_wait(scene->solver, 0, 0) == CLOTHC_ERROR_INVALID_HANDLE);
    return allocator.living == 0 ? 0 : kept;
  }
};

uint64_t hash_of_a_run(clothc_backend backend) {
  Scene scene(with_own_device(backend));
  scene.step(5);
  return scene.hash();
}

TEST_P(Fork, with_work_in_flight_loses_the_device_in_the_child_and_nothing_in_the_parent) {
  Program twin(GetParam());
  for (int k = 0; k < 6; ++k) twin.set_to_work();
  const uint64_t expected = twin.scene->hash();
  Program program(GetParam());
  int gave_back = 0;
  for (int k = 0; k < 6; ++k) {
    program.set_to_work();
    gave_back += expect_in_child([&] {
      const int line = program.expect_lost();
      return line != 0 ? line : program.destroy(k % 2 == 0);
    });
  }
  EXPECT_GE(gave_back, 3) << "a thread may have been letting go of what a command held";
  EXPECT_EQ(program.scene->hash(), expected);
}

TEST_P(Fork, while_work_waits_for_a_fence_and_threads_for_the_work) {
  Program program(GetParam());
  Scene& scene = *program.scene;
  scene.block_behind(program.fence);
  program.set_to_work();
  std::thread waits([&] { EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER)); });
  std::thread waits_too([&] { EXPECT_OK(clothc_fence_wait(program.fence, 1, CLOTHC_WAIT_FOREVER)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (const bool one_by_one : {true, false}) {
    expect_in_child([&] {
      const int line = program.expect_lost();
      // The threads were using the solver and the fence.
      return line != 0 ? line : program.destroy(one_by_one);
    });
  }
  EXPECT_OK(clothc_fence_signal(program.fence, 1));
  waits.join();
  waits_too.join();
}

TEST_P(Fork, while_threads_make_and_destroy_and_copy) {
  Program program(GetParam());
  std::atomic<bool> ends{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      const clothc_solver_desc desc = SceneOptions(GetParam()).solver;
      while (!ends) {
        clothc_solver solver = nullptr;
        EXPECT_OK(clothc_solver_create(program.scene->device, &desc, &solver));
        EXPECT_OK(clothc_solver_destroy(solver));
      }
    });
  }
  for (int k = 0; k < (GetParam() == CLOTHC_BACKEND_CPU ? 20 : 4); ++k) {
    program.set_to_work();
    expect_in_child([&] {
      const int line = program.expect_lost();
      // A thread may have been using the device.
      return line != 0 ? line : program.destroy(k % 2 == 0);
    });
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Fork, lets_the_child_make_a_device_that_agrees_with_the_parents) {
  if (GetParam() != CLOTHC_BACKEND_CPU) GTEST_SKIP() << "whether a GPU's driver works in a child is up to the driver";
  const uint64_t expected = hash_of_a_run(GetParam());
  Program program(GetParam());
  program.set_to_work();
  for (const bool destroys_first : {false, true}) {
    expect_in_child([&] {
      if (destroys_first) {
        const int line = program.destroy(true);
        if (line > 0) return line;
      }
      CHILD_CHECK(hash_of_a_run(GetParam()) == expected);
      return 0;
    });
  }
  // Makes a child of the child that leaves two devices behind.
  expect_in_child([&] {
    Program second(GetParam());
    second.set_to_work();
    const Outcome grandchild = run_in_child([&] {
      CHILD_CHECK(program.expect_lost() == 0);
      CHILD_CHECK(second.expect_lost() == 0);
      CHILD_CHECK(second.destroy(true) <= 0);
      CHILD_CHECK(program.destroy(false) <= 0);
      CHILD_CHECK(hash_of_a_run(GetParam()) == expected);
      return 0;
    });
    CHILD_CHECK(is_right(grandchild));
    CHILD_CHECK(second.scene->hash() != 0);
    return 0;
  });
  EXPECT_EQ(hash_of_a_run(GetParam()), expected);
}

// With no threads, the tasks are in the application's queue during the fork; otherwise some of them are being run.
TEST_P(ForkWithTasks, of_the_application_loses_the_device_in_the_child) {
  for (const uint32_t threads : {0u, 2u}) {
    TaskQueue queue(threads);
    {
      Program program(GetParam(), &queue);
      for (int k = 0; k < 6; ++k) {
        program.scene->step(2);
        const bool gave_back = expect_in_child([&] {
          const int line = program.expect_lost();
          return line != 0 ? line : program.destroy(k % 2 == 0);
        });
        EXPECT_TRUE(gave_back || threads > 0);
      }
      while (queue.pump()) continue;
      EXPECT_OK(clothc_solver_wait(program.scene->solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    }
  }
}

// A scheduler that forks in its callback, in the middle of an update.
struct ForkingQueue {
  TaskQueue queue{1};
  clothc_solver solver = nullptr;
  std::atomic<int> forks{0};
  static void CLOTHC_CALL submit(clothc_task task, void* argument, void* user) {
    auto* self = static_cast<ForkingQueue*>(user);
    if (self->solver != nullptr && self->forks++ == 0) {
      expect_in_child([&] {
        CHILD_CHECK(is_lost(clothc_solver_wait(self->solver, UINT64_MAX, CLOTHC_WAIT_FOREVER)));
        return 0;
      });
    }
    clothc_device_desc desc{};
    self->queue.use_in(desc);
    desc.submit(task, argument, desc.submit_user);
  }
};

TEST_P(ForkWithTasks, within_a_callback_loses_the_device_in_the_child) {
  ForkingQueue forking;
  SceneOptions options = with_own_device(GetParam());
  options.device.submit = ForkingQueue::submit;
  options.device.submit_user = &forking;
  options.device.flags |= CLOTHC_DEVICE_TASKS_ONLY;
  {
    Scene scene(options);
    EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    forking.solver = scene.solver;
    // A task that has not ended yet may also take over an update's work, and then no task is submitted for it.
    for (int k = 0; k < 1000 && forking.forks == 0; ++k) {
      scene.step();
      EXPECT_OK(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
    }
  }
  EXPECT_GT(forking.forks, 0);
}

}  // namespace
}  // namespace fork_test
