// many_devices_test.cpp - a process makes and destroys many devices, one after the other: all of them work, and threads,
// open files and memory stay as they were. The test of what a driver is asked for meanwhile is tests/vulkan's.
#include <algorithm>
#include <chrono>
#include <thread>

#include "support/long_form.h"
#include "support/process_counts.h"
#include "support/scene.h"
#include "support/thread_count.h"

using namespace clothc_test;

namespace many_devices_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ManyDevices);

struct Taken {
  int threads = 0;
  int files = 0;
  int64_t memory = 0;
};

// A joined thread may still be listed for a moment, with what it has.
Taken take(const Taken& expected) {
  for (int k = 0; k < 200 && thread_count() > expected.threads; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return {thread_count(), open_file_count(), allocated_size()};
}

// Makes a device and two solvers, of which the device's end destroys one. with_update: a cloth is updated, for which a
// driver compiles the kernels anew.
void use_device(clothc_backend backend, uint32_t number, bool with_update) {
  SceneOptions options = with_own_device(backend);
  options.device.worker_count = 1 + number % 5;
  options.has_cloth = with_update;
  Scene scene(options);
  clothc_solver other = nullptr;
  ASSERT_OK(clothc_solver_create(scene.device, &options.solver, &other));
  ASSERT_OK(clothc_solver_destroy(other));
  const clothc_buffer buffer = scene.buffer(30);
  void* memory = nullptr;
  EXPECT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_WRITE, &memory));
  EXPECT_OK(clothc_buffer_unmap(buffer));
  if (with_update) scene.step();
}

// The first devices make what a driver keeps for the process, such as its caches.
TEST_P(ManyDevices, made_in_a_row_leave_nothing_behind) {
  constexpr uint32_t first = 20, count = is_sanitized ? 60 : 200;
  // Of memory, in bytes: tables and free lists of drivers grow a little. A device takes far more.
  constexpr int64_t most_left_per_device = 1024;
  const bool always_updates = GetParam() != CLOTHC_BACKEND_VULKAN || long_form();
  Taken before{1 << 30, 0, 0};
  for (uint32_t k = 0; k < count && !HasFailure(); ++k) {
    if (k == first) before = take(before);
    use_device(GetParam(), k, always_updates || k == 0 || k == count - 1);
  }
  const Taken after = take(before);
  EXPECT_LE(after.threads, before.threads);
  EXPECT_LE(after.files, before.files);
  EXPECT_LE(after.memory, before.memory + (count - first) * most_left_per_device);
  std::printf("%u devices: %d threads, %d files, %lld bytes more than after the first %u\n", count,
              after.threads - before.threads, after.files - before.files,
              static_cast<long long>(after.memory - before.memory), first);
}

}  // namespace
}  // namespace many_devices_test
