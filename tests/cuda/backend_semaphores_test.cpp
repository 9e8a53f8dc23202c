// backend_semaphores_test.cpp - fences that are timeline semaphores of another API, which these tests play: values that
// go both ways, waits that end and waits that never do, and faults.
#include <thread>

#include "cuda/application.h"
#include "cuda/device/driver/semaphore.h"
#include "cuda/other_api.h"

using namespace clothc_test;
using clothc::cuda_device::SharedSemaphore;

namespace backend_semaphores_test {
namespace {

constexpr std::chrono::milliseconds patience{5000};
#if defined(_WIN32)
constexpr uint32_t imports_semaphores = CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_WIN32;
constexpr uint32_t exports_semaphores = CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_WIN32;
#else
constexpr uint32_t imports_semaphores = CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_FD;
constexpr uint32_t exports_semaphores = CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE_FD;
#endif

class CudaSemaphores : public AsApplication {
 protected:
  void SetUp() override {
    // The other API is a part of the tests, and its semaphores are those that the software device imports.
    SKIP_WITHOUT_SOFTWARE_DEVICE();
    AsApplication::SetUp();
    if (IsSkipped()) return;
    other_ = SharedSemaphore::create(3);
    second_ = SharedSemaphore::create(0);
    world_ = std::make_unique<World>(populate(adopt(context_, nullptr)));
  }
  // What the other API exports.
  static clothc_external_handle exported_of(const SharedSemaphore& semaphore) {
    clothc_external_handle external = initialised<clothc_external_handle>();
    external.handle = number_of(clothc::cuda_device::duplicate_shared(semaphore.handle()));
    return external;
  }
  clothc_external_handle exported() const { return exported_of(other_); }
  clothc_fence import() { return import_of(other_); }
  clothc_fence import_of(const SharedSemaphore& semaphore) {
    const clothc_external_handle external = exported_of(semaphore);
    clothc_fence fence = nullptr;
    EXPECT_OK(clothc_fence_import(world_->device, &external, &fence));
    return fence;
  }
  clothc_result update(clothc_fence wait, uint64_t wait_value, clothc_fence signal, uint64_t signal_value) {
    clothc_update desc = initialised<clothc_update>();
    desc.dt = 1.0f / 60;
    desc.wait_fence = wait;
    desc.wait_value = wait_value;
    desc.signal_fence = signal;
    desc.signal_value = signal_value;
    return clothc_solver_update(world_->solver, &desc, nullptr);
  }
  // The world's solver signals 5 when a fence has a value, and another solver then 6 without a wait.
  void signal_in_turn(const World& other, clothc_fence awaited, uint64_t value, clothc_fence signalled) {
    EXPECT_OK(update(awaited, value, signalled, 5));
    clothc_update next = initialised<clothc_update>();
    next.signal_fence = signalled;
    next.signal_value = 6;
    EXPECT_OK(clothc_solver_update(other.solver, &next, nullptr));
  }
  static uint64_t value_of(clothc_fence fence) {
    uint64_t value = 0;
    EXPECT_OK(clothc_fence_get_value(fence, &value));
    return value;
  }

  // Two semaphores as the other API has them.
  SharedSemaphore other_;
  SharedSemaphore second_;
  std::unique_ptr<World> world_;
};

TEST_F(CudaSemaphores, are_a_capability_of_the_device) {
  clothc_device_info info = initialised<clothc_device_info>();
  ASSERT_OK(clothc_device_get_info(world_->device, &info));
  EXPECT_NE(info.capabilities & imports_semaphores, 0u);
  EXPECT_EQ(info.capabilities & exports_semaphores, 0u);
}

TEST_F(CudaSemaphores, tell_what_the_other_api_signals_to_updates) {
  const clothc_fence fence = import();
  EXPECT_EQ(value_of(fence), 0u);
  ASSERT_OK(update(fence, 3, nullptr, 0));
  EXPECT_OK(clothc_fence_wait(fence, 3, CLOTHC_WAIT_FOREVER));
  EXPECT_EQ(value_of(fence), 3u);
  ASSERT_OK(update(fence, 5, nullptr, 0));
  EXPECT_EQ(clothc_fence_wait(fence, 5, 10'000'000), CLOTHC_TIMEOUT);
  EXPECT_TRUE(other_.signal(5));
  EXPECT_OK(clothc_fence_wait(fence, 5, CLOTHC_WAIT_FOREVER));
  EXPECT_EQ(world_->hash(), expected_hash(2));
  // What is known already needs no wait on the device.
  ASSERT_OK(update(fence, 5, nullptr, 0));
  EXPECT_EQ(software_device().calls_of("cuWaitExternalSemaphoresAsync"), 2u);
}

TEST_F(CudaSemaphores, are_not_awaited_on_the_host_where_it_would_never_learn) {
  const clothc_fence fence = import();
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_fence_wait(fence, 3, CLOTHC_WAIT_FOREVER), "CUDA cannot read",
               "let an update wait");
}

TEST_F(CudaSemaphores, are_signalled_by_updates_on_the_device) {
  const clothc_fence fence = import();
  ASSERT_OK(update(nullptr, 0, fence, 4));
  EXPECT_TRUE(other_.wait(4, patience));
  ASSERT_OK(clothc_fence_wait(fence, 4, CLOTHC_WAIT_FOREVER));
  // The host does not signal again what the device has signalled.
  EXPECT_EQ(software_device().calls_of("cuSignalExternalSemaphoresAsync"), 1u);
  EXPECT_EQ(world_->hash(), expected_hash(1));
}

TEST_F(CudaSemaphores, are_signalled_by_the_host) {
  const clothc_fence fence = import();
  ASSERT_OK(clothc_fence_signal(fence, 8));
  EXPECT_TRUE(other_.wait(8, patience));
  EXPECT_EQ(value_of(fence), 8u);
}

// The device waits already when the host signals.
TEST_F(CudaSemaphores, are_signalled_by_the_host_for_updates_that_wait) {
  const clothc_fence fence = import();
  ASSERT_OK(update(fence, 6, nullptr, 0));
  EXPECT_EQ(clothc_solver_wait(world_->solver, UINT64_MAX, 20'000'000), CLOTHC_TIMEOUT);
  ASSERT_OK(clothc_fence_signal(fence, 5));
  ASSERT_OK(clothc_fence_signal(fence, 6));
  EXPECT_OK(clothc_solver_wait(world_->solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  EXPECT_TRUE(other_.wait(6, patience));
  EXPECT_EQ(world_->hash(), expected_hash(1));
}

// CUDA would set the semaphore to the values in any order.
TEST_F(CudaSemaphores, are_not_signalled_by_the_host_while_an_update_will_signal_them) {
  const clothc_fence fence = import();
  ASSERT_OK(update(fence, 6, fence, 8));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_fence_signal(fence, 6), "raise the fence to 8", "the API that made");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STATE, clothc_fence_signal(fence, 9), "raise the fence to 8");
  EXPECT_TRUE(other_.signal(6));
  EXPECT_OK(clothc_fence_wait(fence, 8, CLOTHC_WAIT_FOREVER));
  EXPECT_OK(clothc_fence_signal(fence, 9));
  EXPECT_TRUE(other_.wait(9, patience));
}

// Two solvers, whose streams know nothing of each other: the first one is still held back when the second one signals.
TEST_F(CudaSemaphores, rise_in_the_order_of_the_calls_whatever_stream_is_first) {
  const clothc_fence held = import(), fence = import_of(second_);
  const World other = populate(world_->device);
  signal_in_turn(other, held, 6, fence);
  // Time for a signal that does not wait.
  EXPECT_FALSE(second_.wait(5, std::chrono::milliseconds(200)));
  EXPECT_TRUE(other_.signal(6));
  EXPECT_TRUE(second_.wait(6, patience));
  EXPECT_OK(clothc_solver_wait(other.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  EXPECT_OK(clothc_solver_wait(world_->solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
}

// A host fence holds back the first update, so that the second one comes to the device before it. The semaphore has the
// higher value then, and keeps it.
TEST_F(CudaSemaphores, keep_the_higher_of_two_values_whose_order_is_turned_round) {
  const clothc_fence fence = import();
  clothc_fence gate = nullptr;
  ASSERT_OK(clothc_fence_create(world_->device, 0, &gate));
  const World other = populate(world_->device);
  signal_in_turn(other, gate, 1, fence);
  EXPECT_TRUE(other_.wait(6, patience));
  ASSERT_OK(clothc_fence_signal(gate, 1));
  EXPECT_OK(clothc_solver_wait(world_->solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  EXPECT_OK(clothc_fence_wait(fence, 6, CLOTHC_WAIT_FOREVER));
  EXPECT_EQ(software_device().calls_of("cuSignalExternalSemaphoresAsync"), 1u);
  EXPECT_TRUE(other_.wait(6, patience));
}

// The device does not have the wait yet, but will.
TEST_F(CudaSemaphores, are_awaited_on_the_host_where_a_queued_update_waits) {
  const clothc_fence fence = import();
  clothc_fence gate = nullptr;
  ASSERT_OK(clothc_fence_create(world_->device, 0, &gate));
  ASSERT_OK(update(gate, 1, nullptr, 0));
  ASSERT_OK(update(fence, 7, nullptr, 0));
  EXPECT_EQ(clothc_fence_wait(fence, 7, 1'000'000), CLOTHC_TIMEOUT);
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_fence_wait(fence, 8, CLOTHC_WAIT_FOREVER), "CUDA cannot read");
  ASSERT_OK(clothc_fence_signal(gate, 1));
  EXPECT_TRUE(other_.signal(7));
  EXPECT_OK(clothc_fence_wait(fence, 7, CLOTHC_WAIT_FOREVER));
}

TEST_F(CudaSemaphores, hold_updates_back) {
  const clothc_fence fence = import();
  ASSERT_OK(update(fence, 6, fence, 7));
  EXPECT_EQ(clothc_solver_wait(world_->solver, UINT64_MAX, 20'000'000), CLOTHC_TIMEOUT);
  EXPECT_TRUE(other_.signal(6));
  EXPECT_OK(clothc_solver_wait(world_->solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  EXPECT_TRUE(other_.wait(7, patience));
  EXPECT_EQ(world_->hash(), expected_hash(1));
}

// The other API writes memory of the host, of which a large set is read by a stream of its own.
TEST_F(CudaSemaphores, hold_back_uploads_of_what_they_guard) {
  constexpr uint32_t side = 80, count = side * side;
  const Sheet sheet(side, side);
  const clothc_device device = world_->device;
  clothc_solver_desc desc = initialised<clothc_solver_desc>();
  desc.particle_capacity = 2 * count;
  const clothc_solver solver = create_solver(device, desc);
  clothc_cloth_desc cloth = initialised<clothc_cloth_desc>();
  cloth.fabric = cook_fabric(device, sheet.desc());
  const clothc_cloth_id id = add_cloth(solver, cloth);
  ASSERT_EQ(cloth_info(solver, id).particle_count, count);
  std::vector<float> memory(size_t{count} * 4, 0.0f);
  clothc_buffer_desc wrapped = initialised<clothc_buffer_desc>();
  wrapped.kind = CLOTHC_BUFFER_WRAPPED_HOST;
  wrapped.count = count;
  wrapped.memory = memory.data();
  clothc_buffer buffer = nullptr;
  ASSERT_OK(clothc_buffer_create(device, &wrapped, &buffer));
  const clothc_fence fence = import();
  clothc_update update = initialised<clothc_update>();
  update.wait_fence = fence;
  for (uint64_t value = 4; value < 7; ++value) {
    update.wait_value = value;
    ASSERT_OK(clothc_solver_update(solver, &update, nullptr));
    ASSERT_OK(clothc_solver_set(solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
    // Time for an upload that does not wait.
    EXPECT_EQ(clothc_solver_wait(solver, UINT64_MAX, 10'000'000), CLOTHC_TIMEOUT);
    std::fill(memory.begin(), memory.end(), static_cast<float>(value));
    EXPECT_TRUE(other_.signal_in_order(value));
    EXPECT_EQ(get_particles<float>(device, solver, id, CLOTHC_CHANNEL_POSITION), memory);
  }
  ASSERT_OK(clothc_buffer_destroy(buffer));
}

// Frame by frame, as with a renderer: it lets the update write, the update lets it read.
TEST_F(CudaSemaphores, pass_a_buffer_to_and_fro) {
  const clothc_fence fence = import();
  std::thread renderer([&] {
    for (uint64_t frame = 0; frame < 20; ++frame) {
      EXPECT_TRUE(other_.signal(10 + 2 * frame));
      EXPECT_TRUE(other_.wait(11 + 2 * frame, patience));
    }
  });
  for (uint64_t frame = 0; frame < 20; ++frame) ASSERT_OK(update(fence, 10 + 2 * frame, fence, 11 + 2 * frame));
  renderer.join();
  EXPECT_EQ(world_->hash(), expected_hash(20));
}

TEST_F(CudaSemaphores, are_awaited_in_an_adopted_stream) {
  world_ = std::make_unique<World>(populate(adopt(context_, make_stream())));
  const clothc_fence fence = import();
  ASSERT_OK(update(fence, 6, fence, 7));
  EXPECT_TRUE(other_.signal(6));
  EXPECT_TRUE(other_.wait(7, patience));
  EXPECT_EQ(world_->hash(), expected_hash(1));
}

// A semaphore that never rises is like a kernel that never ends.
TEST_F(CudaSemaphores, DISABLED_that_never_rise_count_as_hanging) {
  leaves_objects_ = true;
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.hang_timeout_ms = 100;
  const clothc_cuda_device_desc cuda = adoption(context_, nullptr);
  clothc_device device = nullptr;
  ASSERT_OK(clothc_cuda_device_create(&desc, &cuda, &device));
  const World healthy = *world_;
  *world_ = populate(device);
  const clothc_fence fence = import();
  ASSERT_OK(update(fence, 100, nullptr, 0));
  EXPECT_FAILS(CLOTHC_ERROR_DEVICE_LOST, clothc_solver_wait(world_->solver, UINT64_MAX, CLOTHC_WAIT_FOREVER), "lost");
  EXPECT_OK(clothc_device_destroy(device));
  // What the device has left, the program can end.
  EXPECT_TRUE(other_.signal(100));
  healthy.step(1);
  EXPECT_EQ(healthy.hash(), expected_hash(1));
}

// What a hanging device has is left to the end of the process, so this process is another one.
TEST_F(CudaSemaphores, that_never_rise_count_as_hanging) {
  expect_child_passes("CudaSemaphores.DISABLED_that_never_rise_count_as_hanging", "ASAN_OPTIONS=detect_leaks=0");
}

TEST_F(CudaSemaphores, of_another_kind_are_refused) {
  const clothc_device device = world_->device;
  clothc_external_handle external = initialised<clothc_external_handle>();
  clothc_fence fence = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fence_import(device, &external, &fence), "handle is -1");
  external = handle_of_no_memory();
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fence_import(device, &external, &fence),
               "not a timeline semaphore");
  close_own(external);
  EXPECT_EQ(fence, nullptr);
}

TEST_F(CudaSemaphores, are_not_exported) {
  clothc_external_handle external = initialised<clothc_external_handle>();
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_fence_export(import(), &external), "CUDA exports no semaphores");
  clothc_fence own = nullptr;
  ASSERT_OK(clothc_fence_create(world_->device, 0, &own));
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_fence_export(own, &external), "EXTERNAL_SEMAPHORE");
}

TEST_F(CudaSemaphores, need_a_device_that_has_them) {
  software_device().set("attribute:114=0");
  const clothc_device device = adopt(context_, nullptr);
  const clothc_external_handle external = exported();
  clothc_fence fence = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_fence_import(device, &external, &fence), "IMPORTED_SEMAPHORE");
  close_own(external);
}

// Drivers call a wrong handle by many names, one of which tells of a broken context elsewhere.
TEST_F(CudaSemaphores, that_the_driver_does_not_know_leave_the_device_as_it_is) {
  for (const char* result : {"1", "304", "801", "999"}) {
    SCOPED_TRACE(result);
    const clothc_external_handle external = exported();
    clothc_fence fence = nullptr;
    software_device().set("cuImportExternalSemaphore:1=" + std::string(result));
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_fence_import(world_->device, &external, &fence),
                 "cuImportExternalSemaphore gave", "not a timeline semaphore");
    software_device().set("");
    close_own(external);
  }
  world_->step(1);
  EXPECT_EQ(world_->hash(), expected_hash(1));
}

TEST_F(CudaSemaphores, that_cannot_be_imported_change_nothing) {
  for (const char* function : {"cuImportExternalSemaphore", "cuStreamCreate", "cuEventCreate"}) {
    SCOPED_TRACE(function);
    const clothc_external_handle external = exported();
    clothc_fence fence = nullptr;
    software_device().set(std::string(function) + ":1=2");
    EXPECT_FAILS(CLOTHC_ERROR_OUT_OF_MEMORY, clothc_fence_import(world_->device, &external, &fence), function);
    software_device().set("");
    ASSERT_OK(clothc_fence_import(world_->device, &external, &fence));
    ASSERT_OK(update(fence, 3, nullptr, 0));
    EXPECT_OK(clothc_fence_wait(fence, 3, CLOTHC_WAIT_FOREVER));
  }
}

TEST_F(CudaSemaphores, lose_the_device_when_its_driver_takes_no_more) {
  for (const char* function : {"cuWaitExternalSemaphoresAsync", "cuSignalExternalSemaphoresAsync"}) {
    for (const bool from_host : {false, true}) {
      SCOPED_TRACE(function);
      const World healthy = *world_;
      *world_ = populate(adopt(context_, nullptr));
      const clothc_fence fence = import();
      software_device().set(std::string(function) + ":1=2");
      if (from_host) {
        EXPECT_OK(clothc_fence_signal(fence, 1000));
      }
      update(fence, 3, from_host ? nullptr : fence, 1000);
      clothc_solver_wait(world_->solver, UINT64_MAX, 10 * second);
      const bool is_used = std::string(function) == "cuSignalExternalSemaphoresAsync" || !from_host;
      EXPECT_EQ(clothc_solver_poll(world_->solver, UINT64_MAX, nullptr),
                is_used ? CLOTHC_ERROR_DEVICE_LOST : CLOTHC_SUCCESS);
      software_device().set("");
      ASSERT_OK(clothc_device_destroy(world_->device));
      devices_.pop_back();
      *world_ = healthy;
      other_ = SharedSemaphore::create(3);
    }
  }
  // Another device works.
  world_->step(1);
  EXPECT_EQ(world_->hash(), expected_hash(1));
}

}  // namespace
}  // namespace backend_semaphores_test
