// waits_test.cpp - what the headers say of waiting is true: with a solver whose work is held up, calls whose comments
// have no "Waits:" return, and the others do not until the work may go on. coverage.py checks that no function is left
// out.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <clothc.hpp>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr uint32_t vertex_count = 4;

// A solver with an update that waits for a fence, and buffers that later work uses.
struct HeldUp {
  clothc::Device device = make_device();
  clothc::Fabric fabric = make_fabric();
  clothc::Solver solver = device.create_solver().value();
  clothc::Cloth cloth = add_cloth(solver);
  clothc::Group group = add_group();
  clothc::Fence fence = device.create_fence().value();
  clothc::Buffer busy = device.create_buffer(CLOTHC_FORMAT_FLOAT4, vertex_count).value();
  clothc::Buffer records = make_records();
  std::array<float, 4 * vertex_count> memory = {};
  clothc::Buffer wrapped = wrap();
  clothc::Buffer words = device.create_buffer(CLOTHC_FORMAT_UINT, 2).value();
  clothc::Buffer lengths = device.create_buffer(CLOTHC_FORMAT_FLOAT, 1).value();

  HeldUp() {
    auto update = clothc::initialised<clothc_update>();
    update.wait_fence = fence;
    update.wait_value = 1;
    solver.update(update).check();
    const clothc_region one = {cloth.info().value().first_particle, 0, 1};
    cloth.get(CLOTHC_CHANNEL_POSITION, busy).check();
    cloth.get(CLOTHC_CHANNEL_POSITION, wrapped).check();
    auto view = clothc::initialised<clothc_view>();
    solver.get(CLOTHC_CHANNEL_POSITION, records, {&one, 1}, &view).check();
    solver.get(CLOTHC_CHANNEL_CONTACT_COUNT, words, {&first, 1}).check();
    view.format = CLOTHC_FORMAT_UINT;
    solver.get(CLOTHC_CHANNEL_CONTACT_COUNT, lengths, {&first, 1}, &view).check();
  }

  void release() const { fence.signal(1).check(); }

 private:
  static constexpr clothc_region first = {0, 0, 1};

  static clothc::Device make_device() {
    auto desc = clothc::initialised<clothc_device_desc>();
    desc.backend = CLOTHC_BACKEND_CPU;
    desc.flags = CLOTHC_DEVICE_TASKS_ONLY;
    return clothc::Device::create(desc).value();
  }
  clothc::Fabric make_fabric() const {
    const float positions[vertex_count][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    const uint32_t quad[4] = {0, 1, 2, 3};
    auto mesh = clothc::initialised<clothc_mesh_desc>();
    mesh.vertex_count = vertex_count;
    mesh.positions = positions[0];
    mesh.quad_count = 1;
    mesh.quads = quad;
    return device.cook(mesh).value();
  }
  clothc::Cloth add_cloth(const clothc::Solver& to) const {
    auto desc = clothc::initialised<clothc_cloth_desc>();
    desc.fabric = fabric;
    return to.add(desc).value();
  }
  clothc::Group add_group() const {
    const float positions[2][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}};
    auto desc = clothc::initialised<clothc_group_desc>();
    desc.particle_count = 2;
    desc.positions = positions[0];
    return solver.add(desc).value();
  }
  clothc::Buffer make_records() const {
    auto desc = clothc::initialised<clothc_buffer_desc>();
    desc.format = CLOTHC_FORMAT_RECORD;
    desc.stride = sizeof(clothc_cloth_parameters);
    desc.count = 2;
    return device.create_buffer(desc).value();
  }
  clothc::Buffer wrap() {
    auto desc = clothc::initialised<clothc_buffer_desc>();
    desc.kind = CLOTHC_BUFFER_WRAPPED_HOST;
    desc.count = vertex_count;
    desc.memory = memory.data();
    return device.create_buffer(desc).value();
  }
};

struct Call {
  std::string function;
  std::function<clothc_result()> run;
};

// Runs calls on a thread of its own, so that the test can see whether they return.
class Runner {
 public:
  explicit Runner(std::vector<Call> calls)
      : thread_([this, calls = std::move(calls)] {
          for (const Call& call : calls) {
            const clothc_result result = call.run();
            EXPECT_GE(result, 0) << call.function << ": " << clothc_last_error_message();
            ++returned_;
          }
        }) {}
  ~Runner() { thread_.join(); }

  bool returns(size_t count, std::chrono::milliseconds patience) const {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (returned_ < count && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return returned_ >= count;
  }
  size_t returned() const { return returned_; }

 private:
  std::atomic<size_t> returned_{0};
  std::thread thread_;
};

#define CALL(function, ...)                                                      \
  {                                                                              \
#function, [&] { return static_cast<clothc_result>(function(__VA_ARGS__)); } \
  }

// What calls that do not wait need, on a solver that is held up.
struct Arguments {
  HeldUp held;
  const clothc_solver solver = held.solver;
  const clothc_device device = held.device;
  const clothc_fabric fabric = held.fabric;
  const clothc_cloth_id cloth = held.cloth.id();
  const std::vector<char> blob = held.fabric.save().value();
  std::vector<char> cache = held.device.save_cache().value();
  const clothc::Solver empty = held.device.create_solver().value();
  const std::vector<char> snapshot = empty.snapshot().value();
  clothc_buffer made_buffer = nullptr;
  clothc_fabric made_fabric = nullptr, raw_fabric = nullptr, loaded_fabric = nullptr;
  clothc_solver made_solver = nullptr;
  clothc_device made_device = nullptr;
  clothc_fence made_fence = nullptr;
  clothc_cloth_id made_cloth = 0, made_group = 0, clone = 0;
  clothc_collider_set_id set = 0;
  clothc_collider_asset_id mesh_asset = 0, sdf_asset = 0;
  uint32_t count = 8, active_count = 8, move_count = 8, info_count = 64;
  uint64_t value = 0, size = blob.size(), cache_size = cache.size(), array_size = 64, field_size = 0;
  clothc_cloth_id ids[8] = {};
  uint32_t particles[8] = {};
  clothc_move moves[8] = {};
  std::vector<char> saved = blob;
  char array[64] = {};
  std::vector<clothc_device_info> infos =
      std::vector<clothc_device_info>(64, clothc::initialised<clothc_device_info>());
  std::vector<clothc_phase_config> phases =
      std::vector<clothc_phase_config>(8, clothc::initialised<clothc_phase_config>());

  clothc_device_desc device_desc = clothc::initialised<clothc_device_desc>();
  clothc_buffer_desc buffer_desc = clothc::initialised<clothc_buffer_desc>();
  const clothc_solver_desc solver_desc = clothc::initialised<clothc_solver_desc>();
  clothc_cloth_desc cloth_desc = clothc::initialised<clothc_cloth_desc>();
  const float positions[4][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  clothc_group_desc group_desc = clothc::initialised<clothc_group_desc>();
  clothc_mesh_desc mesh = clothc::initialised<clothc_mesh_desc>();
  clothc_fabric_desc raw = clothc::initialised<clothc_fabric_desc>();
  clothc_collider_mesh_desc mesh_desc = clothc::initialised<clothc_collider_mesh_desc>();
  clothc_sdf_cook_desc cook_desc = clothc::initialised<clothc_sdf_cook_desc>();
  clothc::DistanceField field;
  clothc_sdf_desc field_desc;
  const clothc_collider_shapes shapes = clothc::initialised<clothc_collider_shapes>();
  clothc_cloth_parameters parameters = held.cloth.parameters().value();
  clothc_cloth_frame frame = held.cloth.frame().value();
  clothc_cloth_info cloth_info = clothc::initialised<clothc_cloth_info>();
  clothc_group_info group_info = clothc::initialised<clothc_group_info>();
  clothc_solver_info solver_info = clothc::initialised<clothc_solver_info>();
  clothc_timers timers = clothc::initialised<clothc_timers>();
  clothc_channel_info channel_info = clothc::initialised<clothc_channel_info>();
  clothc_parameter_info parameter_info = clothc::initialised<clothc_parameter_info>();
  clothc_buffer_info buffer_info = clothc::initialised<clothc_buffer_info>();
  clothc_fabric_info fabric_info = clothc::initialised<clothc_fabric_info>();
  clothc_diagnostic diagnostic = clothc::initialised<clothc_diagnostic>();
  clothc_device_info device_info = clothc::initialised<clothc_device_info>();
  clothc_external_handle external = clothc::initialised<clothc_external_handle>();
  clothc_sdf_desc grid = clothc::initialised<clothc_sdf_desc>();
  clothc_view view = clothc::initialised<clothc_view>();
  const clothc::Buffer mapped = held.device.create_buffer(CLOTHC_FORMAT_FLOAT4, 4).value();
  clothc::Mapping<float> mapping = mapped.map<float>().value();

  Arguments() {
    device_desc.backend = CLOTHC_BACKEND_CPU;
    buffer_desc.count = 4;
    cloth_desc.fabric = fabric;
    group_desc.particle_count = 2;
    group_desc.positions = positions[0];
    mesh.vertex_count = 4;
    mesh.positions = corners[0];
    mesh.triangle_count = 4;
    mesh.triangles = faces;
    raw.particle_count = 4;
    raw.positions = positions[0];
    mesh_desc.vertex_count = 4;
    mesh_desc.vertices = corners[0];
    mesh_desc.triangle_count = 4;
    mesh_desc.triangles = faces[0];
    cook_desc.vertex_count = 4;
    cook_desc.vertices = corners[0];
    cook_desc.triangle_count = 4;
    cook_desc.triangles = faces[0];
    cook_desc.resolution = 4;
    field = clothc::DistanceField::cook(cook_desc).value();
    field_desc = field.desc();
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() { clothc_device_destroy(made_device); }

  // Those for which a device on the processor or this fabric has nothing fail, which they do at once too.
  static clothc_result refused(clothc_result result) { return result < 0 ? CLOTHC_SUCCESS : CLOTHC_ERROR_INTERNAL; }

  std::vector<Call> calls() {
    return {
        {"clothc_last_error_message", [] { return clothc_last_error_message() != nullptr ? 0 : -1; }},
        {"clothc_result_name", [] { return clothc_result_name(0) != nullptr ? 0 : -1; }},
        {"clothc_version", [] { return clothc_version() != 0 ? 0 : -1; }},
        CALL(clothc_struct_init, CLOTHC_STRUCT_VIEW, &view, sizeof view),
        CALL(clothc_device_create, &device_desc, &made_device),
        CALL(clothc_device_enumerate, infos.data(), &info_count),
        CALL(clothc_device_get_info, device, &device_info),
        CALL(clothc_device_prepare, device, 0),
        CALL(clothc_device_wait, device, CLOTHC_WAIT_FOREVER, nullptr, nullptr),
        CALL(clothc_device_save_cache, device, cache.data(), &cache_size),
        CALL(clothc_device_verify, device, CLOTHC_VERIFY_IN_BACKGROUND),
        CALL(clothc_device_get_verification, device, nullptr, nullptr, nullptr),
        CALL(clothc_device_load_cache, device, cache.data(), cache.size()),
        CALL(clothc_buffer_create, device, &buffer_desc, &made_buffer),
        CALL(clothc_buffer_unmap, mapped),
        CALL(clothc_buffer_get_info, held.busy, &buffer_info),
        {"clothc_buffer_export", [&] { return refused(clothc_buffer_export(held.busy, &external)); }},
        CALL(clothc_fabric_cook, device, &mesh, &made_fabric),
        CALL(clothc_fabric_create, device, &raw, &raw_fabric),
        CALL(clothc_fabric_load, device, blob.data(), blob.size(), &loaded_fabric),
        CALL(clothc_fabric_save, fabric, saved.data(), &size),
        CALL(clothc_fabric_get_info, fabric, &fabric_info),
        {"clothc_fabric_get_diagnostic",
         [&] { return refused(clothc_fabric_get_diagnostic(fabric, 99, &diagnostic)); }},
        CALL(clothc_fabric_read, fabric, CLOTHC_FABRIC_VERTEX_MAP, array, &array_size),
        CALL(clothc_fabric_destroy, made_fabric),
        CALL(clothc_solver_create, device, &solver_desc, &made_solver),
        {"clothc_solver_poll",
         [&] { return clothc_solver_poll(solver, UINT64_MAX, &value) == CLOTHC_NOT_READY ? 0 : -1; }},
        CALL(clothc_solver_get_info, solver, &solver_info),
        CALL(clothc_solver_get_timers, solver, &timers),
        CALL(clothc_channel_describe, solver, CLOTHC_CHANNEL_POSITION, &channel_info),
        CALL(clothc_parameter_describe, 0, &parameter_info),
        CALL(clothc_cloth_add, solver, &cloth_desc, &made_cloth),
        CALL(clothc_cloth_set_parameters, solver, cloth, &parameters),
        CALL(clothc_cloth_get_parameters, solver, cloth, &parameters),
        CALL(clothc_cloth_get_phases, solver, cloth, phases.data(), &count),
        CALL(clothc_cloth_set_phases, solver, cloth, phases.data(), 1),
        CALL(clothc_cloth_set_frame, solver, cloth, &frame),
        CALL(clothc_cloth_get_frame, solver, cloth, &frame),
        CALL(clothc_cloth_get_info, solver, cloth, &cloth_info),
        {"clothc_cloth_list", [&] { return clothc_cloth_list(solver, ids, &(count = 8)); }},
        CALL(clothc_cloth_set_self_collision_particles, solver, cloth, nullptr, 0),
        CALL(clothc_cloth_reset, solver, cloth, nullptr),
        CALL(clothc_cloth_clone, solver, cloth, &clone),
        CALL(clothc_cloth_clear, solver, cloth, CLOTHC_CHANNEL_ACCELERATION),
        CALL(clothc_cloth_bind, solver, cloth, CLOTHC_CHANNEL_POSITION, held.busy, nullptr),
        CALL(clothc_collider_set_create, solver, &set),
        CALL(clothc_collider_set_write, solver, set, &shapes),
        CALL(clothc_cloth_set_collider_sets, solver, cloth, &set, 1),
        CALL(clothc_collider_set_destroy, solver, set),
        CALL(clothc_collider_mesh_create, solver, &mesh_desc, &mesh_asset),
        CALL(clothc_collider_sdf_create, solver, &field_desc, &sdf_asset),
        CALL(clothc_collider_asset_destroy, solver, mesh_asset),
        CALL(clothc_sdf_cook, &cook_desc, &grid, nullptr, &field_size),
        CALL(clothc_group_add, solver, &group_desc, &made_group),
        CALL(clothc_group_get_active, solver, made_group, particles, &active_count),
        CALL(clothc_group_get_info, solver, made_group, &group_info),
        CALL(clothc_group_remove, solver, made_group),
        CALL(clothc_cloth_remove, solver, made_cloth),
        CALL(clothc_solver_compact, solver, moves, &move_count),
        CALL(clothc_solver_restore, solver, snapshot.data(), snapshot.size(), nullptr, 0),
        CALL(clothc_fence_create, device, 0, &made_fence),
        CALL(clothc_fence_signal, made_fence, 5),
        CALL(clothc_fence_get_value, made_fence, &value),
        {"clothc_fence_export", [&] { return refused(clothc_fence_export(made_fence, &external)); }},
        {"clothc_fence_import", [&] { return refused(clothc_fence_import(device, &external, &made_fence)); }},
        CALL(clothc_fence_destroy, made_fence),
    };
  }
};

TEST(CppWaits, calls_that_do_not_wait_return_while_work_is_held_up) {
  Arguments arguments;
  const std::vector<Call> calls = arguments.calls();
  const Runner runner(calls);
  EXPECT_TRUE(runner.returns(calls.size(), std::chrono::seconds(60)))
      << calls[runner.returned()].function << " waits, which its comment does not say";
  arguments.held.release();
}

TEST(CppWaits, calls_that_wait_return_when_the_work_may_go_on) {
  auto status = clothc::initialised<clothc_cloth_status>();
  auto update = clothc::initialised<clothc_update>();
  void* pointer = nullptr;
  float bytes[4];
  uint64_t hash = 0;
  const std::vector<std::pair<std::string, std::function<clothc_result(HeldUp&)>>> calls = {
      {"clothc_solver_wait", [](HeldUp& h) { return clothc_solver_wait(h.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER); }},
      {"clothc_solver_update",
       [&](HeldUp& h) {
         // Three updates may be queued, of which the first waits for the fence.
         for (int more = 0; more < 3; ++more) clothc_solver_update(h.solver, &update, nullptr);
         return CLOTHC_SUCCESS;
       }},
      {"clothc_solver_set",
       [](HeldUp& h) {
         const clothc_region region = {0, 0, 0};
         return clothc_solver_set(h.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, h.records, nullptr, &region, 1, 0);
       }},
      {"clothc_solver_get",
       [](HeldUp& h) {
         return clothc_solver_get(h.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, h.records, nullptr, nullptr, 0, 0);
       }},
      {"clothc_solver_state_hash", [&](HeldUp& h) { return clothc_solver_state_hash(h.solver, &hash); }},
      {"clothc_solver_get_debug_lines", [](HeldUp& h) { return h.solver.debug_lines().status().result(); }},
      {"clothc_solver_snapshot", [](HeldUp& h) { return h.solver.snapshot().status().result(); }},
      {"clothc_cloth_get_status", [&](HeldUp& h) { return clothc_cloth_get_status(h.solver, h.cloth.id(), &status); }},
      {"clothc_buffer_map", [&](HeldUp& h) { return clothc_buffer_map(h.busy, CLOTHC_MAP_READ, &pointer); }},
      {"clothc_buffer_read", [&](HeldUp& h) { return clothc_buffer_read(h.busy, 0, sizeof bytes, bytes); }},
      {"clothc_buffer_write", [&](HeldUp& h) { return clothc_buffer_write(h.busy, 0, sizeof bytes, bytes); }},
      {"clothc_buffer_destroy", [](HeldUp& h) { return clothc_buffer_destroy(h.wrapped.release()); }},
      {"clothc_group_set_springs",
       [](HeldUp& h) {
         // It fails after the wait, because the indices that arrive are both 0.
         const clothc_result result = clothc_group_set_springs(h.solver, h.group.id(), h.words, h.lengths, nullptr, 1);
         return result == CLOTHC_ERROR_INVALID_ARGUMENT ? CLOTHC_SUCCESS : CLOTHC_ERROR_INTERNAL;
       }},
      {"clothc_group_set_active",
       [](HeldUp& h) { return clothc_group_set_active(h.solver, h.group.id(), h.words, 1); }},
      {"clothc_fence_wait", [](HeldUp& h) { return clothc_fence_wait(h.fence, 1, CLOTHC_WAIT_FOREVER); }},
  };
  for (const auto& [function, run] : calls) {
    HeldUp held;
    const Runner runner({{function, [&held, &run = run] { return run(held); }}});
    EXPECT_FALSE(runner.returns(1, std::chrono::milliseconds(20))) << function << " does not wait";
    held.release();
    EXPECT_TRUE(runner.returns(1, std::chrono::seconds(60))) << function << " waits for ever";
  }
}

}  // namespace
