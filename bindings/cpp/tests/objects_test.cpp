// objects_test.cpp - what the objects of clothc.hpp own, what happens to them in the wrong order or thread, and that
// their results carry the library's words.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <clothc.hpp>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

using Particle = std::array<float, 4>;

constexpr uint32_t side = 20;

clothc::Device cpu_device() {
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  return clothc::Device::create(desc).value();
}

clothc::Fabric sheet(const clothc::Device& device) {
  std::vector<std::array<float, 3>> positions;
  std::vector<float> inverse_masses;
  std::vector<std::array<uint32_t, 4>> quads;
  for (uint32_t vertex = 0; vertex < side * side; ++vertex) {
    positions.push_back({0.05f * static_cast<float>(vertex % side), 0, 0.05f * static_cast<float>(vertex / side)});
    inverse_masses.push_back(vertex < side ? 0.0f : 1.0f);
    if (vertex % side + 1 < side && vertex / side + 1 < side)
      quads.push_back({vertex, vertex + 1, vertex + side + 1, vertex + side});
  }
  auto mesh = clothc::initialised<clothc_mesh_desc>();
  mesh.vertex_count = positions.size();
  mesh.positions = positions[0].data();
  mesh.inverse_masses = inverse_masses.data();
  mesh.quad_count = quads.size();
  mesh.quads = quads.data();
  return device.cook(mesh).value();
}

clothc::Cloth add_cloth(const clothc::Solver& solver, const clothc::Fabric& fabric) {
  auto desc = clothc::initialised<clothc_cloth_desc>();
  desc.fabric = fabric;
  return solver.add(desc).value();
}

// A device with a solver and a cloth, and a buffer for its particles.
struct World {
  clothc::Device device = cpu_device();
  clothc::Fabric fabric = sheet(device);
  clothc::Solver solver = device.create_solver().value();
  clothc::Cloth cloth = add_cloth(solver, fabric);
  clothc::Buffer buffer = device.create_buffer(CLOTHC_FORMAT_FLOAT4, side* side).value();
};

template <class Function>
clothc_result error_of(Function function) {
  try {
    function();
  } catch (const clothc::Error& error) {
    return error.result();
  }
  return CLOTHC_SUCCESS;
}

// The message belongs to the last failing call, so it is read at once.
void expect_error(const clothc::Status& status, const char* part) {
  EXPECT_EQ(status, CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(status.message()).find(part), std::string::npos) << status.message();
}

TEST(Cpp, a_sheet_falls_and_its_mapping_shows_it) {
  World world;
  for (int frame = 0; frame < 10; ++frame) world.solver.update().check();
  world.cloth.get(CLOTHC_CHANNEL_POSITION, world.buffer).check();
  const auto particles = world.buffer.map<const Particle>().value();
  ASSERT_EQ(particles.size(), size_t{side * side});
  for (uint32_t i = 0; i < side; ++i) EXPECT_EQ(particles[i][1], 0);
  EXPECT_LT(particles[side * side - 1][1], -0.01f);
  EXPECT_EQ(world.cloth.info().value().particle_count, side * side);
  EXPECT_EQ(world.solver.info().value().update_count, 10u);
}

TEST(Cpp, errors_carry_the_library_s_words) {
  World world;
  auto parameters = world.cloth.parameters().value();
  parameters.friction = -3;
  const clothc::Status status = world.cloth.set_parameters(parameters);
  EXPECT_TRUE(status.is_error());
  EXPECT_STREQ(status.name(), "CLOTHC_ERROR_INVALID_ARGUMENT");
  EXPECT_NE(std::string(status.message()).find("friction is -3"), std::string::npos) << status.message();
  try {
    status.check();
    FAIL() << "check() did not throw";
  } catch (const clothc::Error& error) {
    EXPECT_EQ(error.result(), CLOTHC_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(error.what()).find("friction is -3"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("CLOTHC_ERROR_INVALID_ARGUMENT"), std::string::npos) << error.what();
  }
}

TEST(Cpp, a_device_is_prepared_and_its_cache_is_saved_and_loaded) {
  const clothc::Device device = cpu_device();
  EXPECT_EQ(device.prepare(), CLOTHC_SUCCESS);
  EXPECT_EQ(device.prepare(1u << CLOTHC_STAGE_TETHERS), CLOTHC_SUCCESS);
  EXPECT_EQ(device.wait_prepared(), CLOTHC_SUCCESS);
  const clothc::Progress progress = device.progress().value();
  EXPECT_EQ(progress.done, 0u) << "the processor compiles nothing";
  EXPECT_EQ(progress.total, 0u);
  expect_error(device.prepare(1u << 31), "stages is 0x80000000");

  std::vector<char> cache = device.save_cache().value();
  EXPECT_EQ(cpu_device().load_cache(cache), CLOTHC_SUCCESS);
  cache.back() ^= 1;
  expect_error(device.load_cache(cache), "damaged");
  expect_error(device.load_cache({}), "data is null");
}

TEST(Cpp, a_mapping_ends_once_and_keeps_the_buffer_from_others) {
  World world;
  auto mapping = world.buffer.map<Particle>().value();
  EXPECT_EQ(world.buffer.map<Particle>().status(), CLOTHC_ERROR_INVALID_STATE);
  EXPECT_EQ(world.cloth.get(CLOTHC_CHANNEL_POSITION, world.buffer), CLOTHC_ERROR_INVALID_STATE);
  EXPECT_EQ(world.cloth.set(CLOTHC_CHANNEL_POSITION, world.buffer), CLOTHC_ERROR_INVALID_STATE);
  auto moved = std::move(mapping);
  EXPECT_TRUE(mapping.span().empty());
  EXPECT_EQ(mapping.unmap(), CLOTHC_SUCCESS);
  EXPECT_EQ(moved.size(), size_t{side * side});
  EXPECT_EQ(moved.unmap(), CLOTHC_SUCCESS);
  EXPECT_EQ(moved.size(), 0u);
  EXPECT_EQ(moved.unmap(), CLOTHC_SUCCESS);
  EXPECT_EQ(world.cloth.get(CLOTHC_CHANNEL_POSITION, world.buffer), CLOTHC_SUCCESS);
  EXPECT_EQ(world.buffer.map<const Particle>(CLOTHC_MAP_WRITE).status(), CLOTHC_ERROR_INVALID_ARGUMENT);
}

TEST(Cpp, a_buffer_that_the_device_cannot_make_is_a_host_buffer_that_says_why) {
  World world;
  auto desc = clothc::initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_EXPORTABLE;
  desc.count = side * side;
  EXPECT_EQ(world.device.create_buffer(desc).status(), CLOTHC_ERROR_UNSUPPORTED);
  desc.flags = CLOTHC_BUFFER_HOST_IF_UNSUPPORTED;
  const clothc::Buffer buffer = world.device.create_buffer(desc).value();
  const clothc_buffer_info info = buffer.info().value();
  EXPECT_EQ(info.kind, uint32_t{CLOTHC_BUFFER_HOST});
  EXPECT_EQ(info.requested_kind, uint32_t{CLOTHC_BUFFER_EXPORTABLE});
  EXPECT_NE(std::string(info.reason).find("CLOTHC_CAPABILITY_EXTERNAL_MEMORY"), std::string::npos) << info.reason;
  world.cloth.get(CLOTHC_CHANNEL_POSITION, buffer).check();
  EXPECT_EQ(buffer.map<const Particle>().value().size(), size_t{side * side});
}

TEST(Cpp, a_mapping_without_waiting_has_a_status_in_place_of_a_value) {
  auto desc = clothc::initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  desc.flags = CLOTHC_DEVICE_TASKS_ONLY;
  const clothc::Device device = clothc::Device::create(desc).value();
  const clothc::Solver solver = device.create_solver().value();
  const clothc::Fabric fabric = sheet(device);
  const clothc::Cloth cloth = add_cloth(solver, fabric);
  const clothc::Buffer buffer = device.create_buffer(CLOTHC_FORMAT_FLOAT4, side * side).value();
  const clothc::Fence fence = device.create_fence().value();
  auto update = clothc::initialised<clothc_update>();
  update.wait_fence = fence;
  update.wait_value = 1;
  solver.update(update).check();
  cloth.get(CLOTHC_CHANNEL_POSITION, buffer).check();
  auto mapping = buffer.map<const Particle>(CLOTHC_MAP_READ | CLOTHC_MAP_NO_WAIT);
  EXPECT_FALSE(mapping);
  EXPECT_EQ(mapping.status(), CLOTHC_NOT_READY);
  EXPECT_FALSE(mapping.status().is_error());
  EXPECT_EQ(error_of([&] { (void)std::move(mapping).value(); }), CLOTHC_NOT_READY);
  fence.signal(1).check();
  EXPECT_TRUE(buffer.map<const Particle>());
}

TEST(Cpp, objects_of_a_destroyed_device_are_invalid_and_harmless) {
  World world;
  auto mapping = world.buffer.map<Particle>().value();
  world.device.reset();
  EXPECT_EQ(world.solver.update(), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(world.cloth.info().status(), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(world.buffer.map<Particle>().status(), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(mapping.unmap(), CLOTHC_ERROR_INVALID_HANDLE);
  // The destructors of solver, fabric and buffer follow.
}

TEST(Cpp, names_of_removed_things_are_invalid) {
  World world;
  const clothc::Cloth copy = world.cloth.clone().value();
  world.cloth.remove().check();
  EXPECT_EQ(world.cloth.info().status(), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(world.cloth.remove(), CLOTHC_ERROR_INVALID_HANDLE);
  EXPECT_EQ(copy.info().value().particle_count, side * side);
  EXPECT_EQ(world.solver.cloths().value(), std::vector<clothc_cloth_id>{copy.id()});
  EXPECT_EQ(copy.reset(std::array<float, 4>{}), CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(copy.reset(), CLOTHC_SUCCESS);
}

TEST(Cpp, moving_moves_ownership) {
  clothc::Device device = cpu_device();
  const clothc_device handle = device.get();
  clothc::Device other = std::move(device);
  EXPECT_EQ(device.get(), nullptr);
  EXPECT_EQ(other.get(), handle);
  other = cpu_device();
  auto info = clothc::initialised<clothc_device_info>();
  EXPECT_EQ(clothc_device_get_info(handle, &info), CLOTHC_ERROR_INVALID_HANDLE) << "the first device was destroyed";
  EXPECT_TRUE(other.info());
}

TEST(Cpp, objects_are_destroyed_during_an_update_and_on_another_thread) {
  World world;
  for (int round = 0; round < 20; ++round) {
    clothc::Buffer buffer = world.device.create_buffer(CLOTHC_FORMAT_FLOAT4, side * side).value();
    clothc::Fabric fabric = sheet(world.device);
    const clothc::Cloth cloth = add_cloth(world.solver, fabric);
    world.solver.update().check();
    cloth.get(CLOTHC_CHANNEL_POSITION, buffer).check();
    std::thread([buffer = std::move(buffer), fabric = std::move(fabric)]() mutable {
      buffer.reset();
      fabric.reset();
    }).join();
    cloth.remove().check();
  }
  EXPECT_TRUE(world.solver.state_hash());
}

std::atomic<int64_t> allocated{0}, allocations{0};

void* CLOTHC_CALL allocate(size_t size, size_t alignment, void*) {
  ++allocated, ++allocations;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void CLOTHC_CALL release(void* pointer, void*) {
  --allocated;
  std::free(pointer);
}

TEST(Cpp, thousands_of_objects_leave_nothing_behind) {
  {
    auto desc = clothc::initialised<clothc_device_desc>();
    desc.backend = CLOTHC_BACKEND_CPU;
    desc.allocate = allocate;
    desc.free = release;
    const clothc::Device device = clothc::Device::create(desc).value();
    const clothc::Fabric fabric = sheet(device);
    auto solver_desc = clothc::initialised<clothc_solver_desc>();
    solver_desc.particle_capacity = 1024;
    int64_t after_first = 0;
    for (int round = 0; round < 2000; ++round) {
      const clothc::Solver solver = device.create_solver(solver_desc).value();
      const clothc::Cloth cloth = add_cloth(solver, fabric);
      const clothc::Buffer buffer = device.create_buffer(CLOTHC_FORMAT_FLOAT4, side * side).value();
      const clothc::Fence fence = device.create_fence().value();
      solver.update().check();
      cloth.get(CLOTHC_CHANNEL_POSITION, buffer).check();
      solver.wait().check();
      if (round == 0) after_first = allocated;
      EXPECT_LE(allocated, after_first + 8) << "round " << round;
    }
  }
  EXPECT_GT(allocations, 4000);
  EXPECT_EQ(allocated, 0);
}

TEST(Cpp, snapshots_and_saved_fabrics_continue_elsewhere) {
  World world;
  for (int frame = 0; frame < 5; ++frame) world.solver.update().check();
  const std::vector<char> snapshot = world.solver.snapshot().value(), blob = world.fabric.save().value();
  for (int frame = 0; frame < 5; ++frame) world.solver.update().check();

  const clothc::Device device = cpu_device();
  const clothc::Fabric fabric = clothc::Fabric::load(device, blob).value();
  const clothc::Solver solver = device.create_solver().value();
  const clothc_fabric fabrics[] = {fabric};
  solver.restore(snapshot, fabrics).check();
  for (int frame = 0; frame < 5; ++frame) solver.update().check();
  EXPECT_EQ(solver.state_hash().value(), world.solver.state_hash().value());
  EXPECT_EQ(fabric.read<float>(CLOTHC_FABRIC_POSITIONS).value().size(), size_t{4} * side * side);
  EXPECT_EQ(solver.restore(clothc::Span<const char>(snapshot.data(), 10), fabrics), CLOTHC_ERROR_INVALID_ARGUMENT);
}

TEST(Cpp, groups_colliders_and_descriptions) {
  World world;
  const std::vector<float> positions = {0, 1, 0, 1, 0.5f, 1, 0, 1};
  auto desc = clothc::initialised<clothc_group_desc>();
  desc.particle_count = 2;
  desc.positions = positions.data();
  const clothc::Group group = world.solver.add(desc).value();
  const std::vector<uint32_t> all = {0, 1};
  EXPECT_EQ(group.active().value(), all);
  const clothc::Buffer indices = world.device.create_buffer(CLOTHC_FORMAT_UINT, 2).value();
  const clothc::Buffer lengths = world.device.create_buffer(CLOTHC_FORMAT_FLOAT, 1).value();
  indices.write(clothc::Span<const uint32_t>(all)).check();
  lengths.write<float>(std::array<float, 1>{0.5f}).check();
  group.set_springs(indices, lengths, nullptr, 1).check();
  EXPECT_EQ(group.group_info().value().spring_count, 1u);

  const clothc::ColliderSet set = world.solver.create_collider_set().value();
  const float ground[] = {0, 1, 0, 0};
  auto shapes = clothc::initialised<clothc_collider_shapes>();
  shapes.plane_count = 1;
  shapes.planes = ground;
  set.write(shapes).check();
  const clothc_collider_set_id sets[] = {set.id()};
  group.set_collider_sets(sets).check();
  for (int frame = 0; frame < 120; ++frame) world.solver.update().check();
  EXPECT_GE(group.status().value().bounds_minimum[1], -1e-6f);
  group.remove().check();
  EXPECT_EQ(group.group_info().status(), CLOTHC_ERROR_INVALID_HANDLE);

  EXPECT_STREQ(clothc::describe_channel(CLOTHC_CHANNEL_POSITION).value().name, "position");
  EXPECT_EQ(world.solver.describe(CLOTHC_CHANNEL_POSITION).value().count, 65536u);
  EXPECT_EQ(clothc::describe_parameter(100000).status(), CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_FALSE(clothc::Device::enumerate().value().empty());
  EXPECT_EQ(world.cloth.phases().value().size(), world.fabric.info().value().phase_count);
}

TEST(Cpp, debug_lines_are_a_vector) {
  World world;
  EXPECT_EQ(world.solver.debug_lines().value().size(), world.fabric.info().value().constraint_count);
  auto desc = clothc::initialised<clothc_debug_desc>();
  desc.flags = CLOTHC_DEBUG_FRAMES;
  desc.size = 0.25f;
  const std::vector<clothc_debug_line> axes = world.solver.debug_lines(desc).value();
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[0].first[0], 0);
  EXPECT_EQ(axes[0].second[0], 1);
  desc.cloth = 12345;
  EXPECT_EQ(world.solver.debug_lines(desc).status(), CLOTHC_ERROR_INVALID_HANDLE);
}

TEST(Cpp, a_distance_field_owns_its_values) {
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  auto desc = clothc::initialised<clothc_sdf_cook_desc>();
  desc.vertex_count = 4;
  desc.vertices = corners[0];
  desc.triangle_count = 4;
  desc.triangles = faces[0];
  desc.resolution = 8;
  const clothc::DistanceField moved = clothc::DistanceField::cook(desc).value();
  EXPECT_EQ(moved.desc().values, moved.values().data());
  EXPECT_EQ(moved.values().size(), size_t{moved.desc().counts[0]} * moved.desc().counts[1] * moved.desc().counts[2]);
  World world;
  const clothc_collider_asset_id asset = world.solver.create_asset(moved.desc()).value();
  EXPECT_EQ(world.solver.destroy_asset(asset), CLOTHC_SUCCESS);
  desc.triangle_count = 0;
  EXPECT_EQ(clothc::DistanceField::cook(desc).status(), CLOTHC_ERROR_INVALID_ARGUMENT);
}

}  // namespace
