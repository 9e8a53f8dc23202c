// scene.h - helpers shared by the tests of the public API: checks of results, the available backends, and a device with
// a fabric, a solver and a cloth that are destroyed together with the scene.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "clothc.h"
#include "support/calls.h"
#include "support/quad_sheet.h"
#include "support/shared_devices.h"
#include "support/structs.h"

namespace clothc_test {

constexpr float infinity = __builtin_huge_valf();
const float not_a_number = __builtin_nanf("");
constexpr uint64_t second = 1'000'000'000;
// Upper bound in nanoseconds for waits that succeed. A software device compiles its kernels when it first runs them,
// which may take a minute while other tests keep the processor busy.
constexpr uint64_t longest_work = 600 * second;

// Expects a call to have failed with the given result and a message that contains all the parts.
inline void expect_failure(clothc_result expected, clothc_result got, std::initializer_list<const char*> parts,
                           const char* call) {
  ASSERT_EQ(got, expected) << call << " gave " << clothc_result_name(got) << ": " << clothc_last_error_message();
  for (const char* part : parts) {
    EXPECT_NE(std::string(clothc_last_error_message()).find(part), std::string::npos)
        << call << " says \"" << clothc_last_error_message() << "\", without \"" << part << "\"";
  }
}
#define EXPECT_FAILS(expected, call, ...) ::clothc_test::expect_failure(expected, call, {__VA_ARGS__}, #call)
#define EXPECT_OK(call) EXPECT_EQ(call, CLOTHC_SUCCESS) << clothc_last_error_message()
#define ASSERT_OK(call) ASSERT_EQ(call, CLOTHC_SUCCESS) << clothc_last_error_message()

// Returns the backends that work on this machine and prints why the others do not.
inline std::vector<clothc_backend> available_backends() {
  static const std::vector<clothc_backend> found = [] {
    std::vector<clothc_backend> backends;
    for (const clothc_device_info& info : enumerate_devices()) {
      if (info.available != 0 && info.device_index == 0) backends.push_back(info.backend);
      if (info.available == 0) std::printf("backend %u is skipped: %s\n", info.backend, info.reason);
    }
    return backends;
  }();
  return found;
}

inline std::string backend_name(const testing::TestParamInfo<clothc_backend>& info) {
  const char* const names[] = {"auto", "cpu", "cuda", "vulkan"};
  return info.param < 4 ? names[info.param] : "unknown";
}

// A suite whose tests run on every available backend.
class OnEveryBackend : public testing::TestWithParam<clothc_backend> {};
#define CLOTHC_ON_EVERY_BACKEND(suite)                                                             \
  class suite : public ::clothc_test::OnEveryBackend {};                                           \
  INSTANTIATE_TEST_SUITE_P(Backend, suite, testing::ValuesIn(::clothc_test::available_backends()), \
                           ::clothc_test::backend_name)

// Some tests run a second time with this flag, so that work too small for tasks is also tested in tasks.
inline uint32_t device_flags() {
  return std::getenv("CLOTHC_TEST_TASKS_ONLY") != nullptr ? uint32_t{CLOTHC_DEVICE_TASKS_ONLY} : 0u;
}

struct SceneOptions {
  clothc_device_desc device = initialised<clothc_device_desc>();
  // A device that exists already and outlives the scene, in place of that description.
  clothc_device given_device = nullptr;
  clothc_solver_desc solver = initialised<clothc_solver_desc>();
  uint32_t columns = 6;
  uint32_t rows = 5;
  bool has_cloth = true;
  // Set for tests of the device itself and for programs that make devices fail.
#ifdef CLOTHC_TEST_OWN_DEVICES
  bool wants_own_device = true;
#else
  bool wants_own_device = false;
#endif
  explicit SceneOptions(clothc_backend backend) {
    device.backend = backend;
    device.hang_timeout_ms = longest_work / 1'000'000;
    device.worker_count = 2;
    device.flags = device_flags();
    solver.particle_capacity = 1024;
    solver.cloth_capacity = 8;
    solver.collider_set_capacity = 4;
  }
  // Returns whether a shared device may serve this scene: one with default settings, unless it is a CPU device. CPU
  // devices are quick to make, and destroying them at the end of each test reveals leaks.
  bool may_share_device() const {
    const clothc_device_desc plain = SceneOptions(device.backend).device;
    // The validation layer becomes slower with every object that a device has ever had.
    if (std::getenv("CLOTHC_TEST_OWN_DEVICES") != nullptr) return false;
    return !wants_own_device && device.backend != CLOTHC_BACKEND_CPU &&
           std::memcmp(&plain, &device, sizeof(plain)) == 0;
  }
};

inline SceneOptions with_own_device(clothc_backend backend) {
  SceneOptions options(backend);
  options.wants_own_device = true;
  return options;
}

class Scene {
 public:
  // lender: a scene whose device is used instead of a new one, or null. Tests with many scenes use it because drivers
  // take long to make a device.
  explicit Scene(const SceneOptions& options, const Scene* lender = nullptr)
      : sheet(options.columns, options.rows),
        owns_device(lender == nullptr && options.given_device == nullptr && !options.may_share_device()) {
    if (lender != nullptr) {
      device = lender->device;
    } else if (options.given_device != nullptr) {
      device = options.given_device;
    } else if (!owns_device) {
      device = shared_device(options.device);
    } else {
      device = create_device(options.device);
    }
    solver = create_solver(device, options.solver);
    fabric = cook_fabric(device, sheet.desc());
    if (options.has_cloth) cloth = add();
  }
  explicit Scene(clothc_backend backend) : Scene(SceneOptions(backend)) {}
  ~Scene() {
    if (!owns_device) {
      clothc_solver_destroy(solver);
      clothc_fabric_destroy(fabric);
    } else if (device != nullptr) {
      clothc_device_destroy(device);
    }
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  clothc_device device = nullptr;
  clothc_fabric fabric = nullptr;
  clothc_solver solver = nullptr;
  clothc_cloth_id cloth = 0;
  Sheet sheet;
  bool owns_device;

  clothc_cloth_desc cloth_desc() const {
    clothc_cloth_desc desc = initialised<clothc_cloth_desc>();
    desc.fabric = fabric;
    return desc;
  }
  clothc_cloth_id add(const clothc_cloth_desc& desc) { return add_cloth(solver, desc); }
  clothc_cloth_id add() { return add(cloth_desc()); }
  // Puts another fabric in the place of the scene's fabric, for the cloths that are added from now on.
  void replace_fabric(const clothc_mesh_desc& mesh) {
    require(clothc_fabric_destroy(fabric));
    fabric = cook_fabric(device, mesh);
  }
  void replace_fabric(const clothc_fabric_desc& desc) {
    require(clothc_fabric_destroy(fabric));
    fabric = create_fabric(device, desc);
  }
  void step(int count = 1, float dt = 1.0f / 60) {
    for (int k = 0; k < count; ++k) update_solver(solver, dt);
  }
  uint64_t hash() const { return state_hash(solver); }
  clothc_solver_info info() const {
    clothc_solver_info value = initialised<clothc_solver_info>();
    require(clothc_solver_get_info(solver, &value));
    return value;
  }
  clothc_cloth_info info(clothc_cloth_id id) const { return cloth_info(solver, id); }
  clothc_cloth_status status(clothc_cloth_id id) const { return cloth_status(solver, id); }
  clothc_cloth_parameters parameters(clothc_cloth_id id) const {
    clothc_cloth_parameters value = initialised<clothc_cloth_parameters>();
    require(clothc_cloth_get_parameters(solver, id, &value));
    return value;
  }
  template <class Change>
  void change_parameters(clothc_cloth_id id, Change change) {
    clothc_cloth_parameters value = parameters(id);
    change(value);
    require(clothc_cloth_set_parameters(solver, id, &value));
  }
  clothc_cloth_frame frame(clothc_cloth_id id) const {
    clothc_cloth_frame value = initialised<clothc_cloth_frame>();
    require(clothc_cloth_get_frame(solver, id, &value));
    return value;
  }
  clothc_buffer buffer(uint64_t count, clothc_format format = CLOTHC_FORMAT_FLOAT4, uint32_t stride = 0) const {
    return create_buffer(device, count, format, stride);
  }
  clothc_fence fence(uint64_t value = 0) const {
    clothc_fence made = nullptr;
    require(clothc_fence_create(device, value, &made));
    return made;
  }
  // Returns all of a cloth's elements of a FLOAT4 channel.
  std::vector<float> get(clothc_channel channel, clothc_cloth_id id) const {
    return get_particles<float>(device, solver, id, channel);
  }
  void set(clothc_channel channel, clothc_cloth_id id, const std::vector<float>& values, uint32_t flags = 0) const {
    set_particles(device, solver, id, channel, values, flags);
  }
  std::vector<uint8_t> snapshot() const { return take_snapshot(solver); }
  // Makes a collider set with one sphere.
  clothc_collider_set_id sphere_set(float x, float y, float z, float radius) {
    clothc_collider_set_id set = 0;
    require(clothc_collider_set_create(solver, &set));
    write_sphere(set, x, y, z, radius);
    return set;
  }
  void write_sphere(clothc_collider_set_id set, float x, float y, float z, float radius) {
    const float sphere[4] = {x, y, z, radius};
    clothc_collider_shapes shapes = initialised<clothc_collider_shapes>();
    shapes.sphere_count = 1;
    shapes.spheres = sphere;
    require(clothc_collider_set_write(solver, set, &shapes));
  }
  // Queues an update that waits for a fence which has not been signalled, so that later work queues behind it.
  void block_behind(clothc_fence fence, uint64_t value = 1) {
    clothc_update update = initialised<clothc_update>();
    update.wait_fence = fence;
    update.wait_value = value;
    require(clothc_solver_update(solver, &update, nullptr));
  }
};

}  // namespace clothc_test
