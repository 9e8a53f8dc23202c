// destroying_test.cpp - destroying and removing objects succeeds without free memory, and invalid names are refused
// with their message. Neither requests any memory.
#include "support/allocations.h"
#include "support/every_shape.h"

using namespace clothc_test;

namespace destroying_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Destroying);

// A scope in which this thread and the device get no memory. The device's callbacks serve the CPU backend.
class NoMemory {
 public:
  explicit NoMemory(DeviceAllocator& device) : device_(device) {
    device_.allowed = 0;
    allowed_allocations = 0;
  }
  ~NoMemory() {
    allowed_allocations = -1;
    device_.allowed = -1;
  }
  // Number of requests that failed. Other threads of a driver may get memory meanwhile.
  uint64_t device_requests() const { return device_.count - device_before_; }
  uint64_t requests() const { return refused_allocations - before_; }
  uint64_t exceptions() const { return exception_count - exceptions_before_; }

 private:
  DeviceAllocator& device_;
  const uint64_t device_before_ = device_.count;
  const uint64_t before_ = refused_allocations;
  const uint64_t exceptions_before_ = exception_count;
};

// Returns the call's result without free memory and checks that it requests none. Without memory, exceptions use a
// reserve of the C++ runtime; `throws` tells whether the call may do so.
template <class Call>
clothc_result without_memory(DeviceAllocator& device, const char* name, Call call, bool throws = false) {
  const NoMemory none(device);
  const clothc_result result = call();
  const uint64_t requests = none.requests() + none.device_requests() + (throws ? 0 : none.exceptions());
  allowed_allocations = -1;
  EXPECT_EQ(requests, 0u) << name << " asked for memory";
  return result;
}

struct Objects {
  DeviceAllocator allocator;
  SceneOptions options;
  Scene scene;
  explicit Objects(clothc_backend backend) : options(with(backend, allocator)), scene(options) {}
  static SceneOptions with(clothc_backend backend, DeviceAllocator& allocator) {
    SceneOptions options(backend);
    allocator.use_in(options.device);
    return options;
  }
};

// Destroys one object of each kind. Some need care: a wrapped buffer must be waited for, a mesh has a BVH, and a solver
// has work in flight.
TEST_P(Destroying, asks_for_no_memory_and_succeeds_without) {
  Objects objects(GetParam());
  Scene& s = objects.scene;
  busy(s);
  const clothc_cloth_id second = s.add();
  const clothc_collider_set_id set = s.sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
  const clothc_collider_set_id sets[2] = {1u << 20, set};
  EXPECT_OK(clothc_cloth_set_collider_sets(s.solver, s.cloth, sets, 2));
  const clothc_collider_asset_id mesh = make_asset(s, MeshAsset()), sdf = make_asset(s, SdfAsset());
  const clothc_fence fence = s.fence(), wanted = s.fence();
  std::vector<clothc_buffer> buffers = {s.buffer(30)};
  std::vector<float> wrapped(120);
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_WRAPPED_HOST;
  desc.count = 30;
  desc.memory = wrapped.data();
  clothc_buffer borrowed = nullptr;
  if (clothc_buffer_create(s.device, &desc, &borrowed) == CLOTHC_SUCCESS) buffers.push_back(borrowed);
  for (const clothc_buffer buffer : buffers)
    EXPECT_OK(clothc_solver_get(s.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0));
  EXPECT_OK(clothc_cloth_bind(s.solver, second, CLOTHC_CHANNEL_NORMAL, buffers[0], nullptr));
  const auto destroyed = [&](const char* name, auto call) {
    EXPECT_EQ(without_memory(objects.allocator, name, call), CLOTHC_SUCCESS)
        << name << ": " << clothc_last_error_message();
  };
  destroyed("collider_set_destroy", [&] { return clothc_collider_set_destroy(s.solver, set); });
  destroyed("collider_asset_destroy", [&] { return clothc_collider_asset_destroy(s.solver, mesh); });
  destroyed("collider_asset_destroy", [&] { return clothc_collider_asset_destroy(s.solver, sdf); });
  destroyed("cloth_remove", [&] { return clothc_cloth_remove(s.solver, second); });
  for (const clothc_buffer buffer : buffers) destroyed("buffer_destroy", [&] { return clothc_buffer_destroy(buffer); });
  destroyed("fence_destroy", [&] { return clothc_fence_destroy(fence); });
  destroyed("fabric_destroy", [&] { return clothc_fabric_destroy(s.fabric); });
  s.step(3);
  s.block_behind(wanted);
  destroyed("solver_destroy", [&] { return clothc_solver_destroy(s.solver); });
  destroyed("device_destroy", [&] { return clothc_device_destroy(s.device); });
  s.device = nullptr;
  EXPECT_EQ(objects.allocator.living, 0);
}

TEST_P(Destroying, a_device_takes_all_that_was_made_from_it_along_without_memory) {
  Objects objects(GetParam());
  Scene& s = objects.scene;
  busy(s);
  for (int k = 0; k < 40; ++k) s.buffer(30);
  s.block_behind(s.fence());
  EXPECT_EQ(without_memory(objects.allocator, "device_destroy", [&] { return clothc_device_destroy(s.device); }),
            CLOTHC_SUCCESS)
      << clothc_last_error_message();
  s.device = nullptr;
  EXPECT_EQ(objects.allocator.living, 0);
}

// Removes more cloths than the stream has memory for commands, while none of the commands can run.
TEST_P(Destroying, a_thousand_cloths_are_removed_without_memory_while_work_waits) {
  DeviceAllocator allocator;
  SceneOptions options = Objects::with(GetParam(), allocator);
  options.solver.cloth_capacity = 1024;
  options.solver.particle_capacity = 1024 * 48;
  Scene s(options);
  std::vector<clothc_cloth_id> cloths;
  for (int k = 0; k < 1000; ++k) {
    cloths.push_back(s.add());
    EXPECT_OK(clothc_solver_wait(s.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  }
  const clothc_fence fence = s.fence();
  s.block_behind(fence);
  for (const clothc_cloth_id cloth : cloths) {
    ASSERT_EQ(without_memory(allocator, "cloth_remove", [&] { return clothc_cloth_remove(s.solver, cloth); }),
              CLOTHC_SUCCESS)
        << clothc_last_error_message();
  }
  EXPECT_OK(clothc_fence_signal(fence, 1));
  s.step();
  EXPECT_EQ(s.info().cloth_count, 1u);
}

TEST_P(Destroying, what_names_nothing_is_refused_with_its_message_and_without_memory) {
  Objects objects(GetParam());
  Scene& s = objects.scene;
  const clothc_buffer stale = s.buffer(4);
  ASSERT_OK(clothc_buffer_destroy(stale));
  void* const wrong[] = {nullptr, reinterpret_cast<void*>(UINTPTR_MAX), stale};
  for (void* const handle : wrong) {
    const auto refused = [&](const char* kind, auto call) {
      EXPECT_EQ(without_memory(objects.allocator, kind, call), CLOTHC_ERROR_INVALID_HANDLE) << kind;
      const std::string message = clothc_last_error_message();
      EXPECT_NE(message.find(kind), std::string::npos) << message;
      EXPECT_NE(message.find(handle == nullptr ? "null" : "not a living"), std::string::npos) << message;
    };
    clothc_update update = initialised<clothc_update>();
    clothc_cloth_info info = initialised<clothc_cloth_info>();
    const auto solver = static_cast<clothc_solver>(handle);
    refused("device", [&] { return clothc_device_destroy(static_cast<clothc_device>(handle)); });
    refused("buffer", [&] { return clothc_buffer_destroy(static_cast<clothc_buffer>(handle)); });
    refused("buffer", [&] { return clothc_buffer_unmap(static_cast<clothc_buffer>(handle)); });
    refused("fence", [&] { return clothc_fence_destroy(static_cast<clothc_fence>(handle)); });
    refused("fence", [&] { return clothc_fence_wait(static_cast<clothc_fence>(handle), 1, 0); });
    refused("fabric", [&] { return clothc_fabric_destroy(static_cast<clothc_fabric>(handle)); });
    refused("solver", [&] { return clothc_solver_destroy(solver); });
    refused("solver", [&] { return clothc_solver_update(solver, &update, nullptr); });
    refused("solver", [&] { return clothc_cloth_get_info(solver, s.cloth, &info); });
    refused("solver", [&] { return clothc_cloth_remove(solver, s.cloth); });
    refused("solver", [&] { return clothc_collider_set_destroy(solver, 1u << 20); });
    refused("solver", [&] { return clothc_collider_asset_destroy(solver, 1u << 20); });
  }
  for (const uint32_t id : {0u, 77u, UINT32_MAX}) {
    const auto refused = [&](const char* kind, auto call) {
      EXPECT_EQ(without_memory(objects.allocator, kind, call, true), CLOTHC_ERROR_INVALID_HANDLE) << kind;
      EXPECT_NE(std::string(clothc_last_error_message()).find(kind), std::string::npos) << clothc_last_error_message();
    };
    const auto buffer = reinterpret_cast<clothc_buffer>(uintptr_t{id});
    refused("buffer",
            [&] { return clothc_solver_set(s.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, nullptr, 0, 0); });
    refused("cloth id", [&] { return clothc_cloth_remove(s.solver, id); });
    refused("collider set id", [&] { return clothc_collider_set_destroy(s.solver, id); });
    refused("collider asset id", [&] { return clothc_collider_asset_destroy(s.solver, id); });
  }
}

}  // namespace
}  // namespace destroying_test
