// struct_sizes_test.cpp - programs built with the header of the last release: the missing tail of their shorter structs
// and records has defaults, and nothing is written beyond their end.
#include <cstddef>

#include "support/refusals.h"

using namespace clothc_test;

namespace struct_sizes_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(StructSizes);

constexpr uint32_t old_parameters = offsetof(clothc_cloth_parameters, linear_drag);
constexpr uint32_t parameters_before_collision_flags = offsetof(clothc_cloth_parameters, collision_flags);
constexpr uint32_t old_shapes = offsetof(clothc_collider_shapes, capsule_count);
constexpr uint32_t old_status = offsetof(clothc_cloth_status, kinetic_energy);
constexpr uint32_t old_fabrics[] = {
    offsetof(clothc_fabric_desc, flags), offsetof(clothc_fabric_desc, texture_coordinates),
    offsetof(clothc_fabric_desc, virtual_particle_count), offsetof(clothc_fabric_desc, constraint_sets)};

// Makes a struct of an older size. The bytes beyond it do not belong to the library and are filled with 0xa5.
template <class T>
T shortened(T value, uint32_t size) {
  std::memset(reinterpret_cast<char*>(&value) + size, 0xa5, sizeof(T) - size);
  value.struct_size = size;
  return value;
}

template <class T>
void expect_untouched_behind(const T& value, uint32_t size) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (size_t k = size; k < sizeof(T); ++k) ASSERT_EQ(bytes[k], 0xa5) << "byte " << k << " was written";
}

// Returns the parameters with defaults in the fields that an earlier release did not have.
clothc_cloth_parameters with_default_tail(const clothc_cloth_parameters& old, uint32_t size = old_parameters) {
  clothc_cloth_parameters all = initialised<clothc_cloth_parameters>();
  std::memcpy(&all.acceleration_filter_width, &old.acceleration_filter_width, size - 4);
  return all;
}

void expect_same(const clothc_cloth_parameters& a, const clothc_cloth_parameters& b) {
  EXPECT_EQ(std::memcmp(&a, &b, sizeof(a)), 0);
}

TEST_P(StructSizes, parameters_of_earlier_releases_set_defaults_in_the_tail) {
  for (const uint32_t size : {old_parameters, parameters_before_collision_flags}) {
    Scene scene(GetParam());
    scene.change_parameters(scene.cloth, [](auto& p) {
      p.drag_coefficient = 0.5f, p.sleep_threshold = 1;
      p.collision_flags = CLOTHC_COLLISION_CONTINUOUS, p.contact_margin = 0.5f, p.collision_mass_scale = 2;
    });
    clothc_cloth_parameters old = initialised<clothc_cloth_parameters>();
    old.friction = 0.25f;
    old.fluid_density = 2;
    old = shortened(old, size);
    ASSERT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &old));
    expect_same(scene.parameters(scene.cloth), with_default_tail(old, size));
    EXPECT_EQ(scene.parameters(scene.cloth).collision_flags, uint32_t{CLOTHC_COLLISION_VIRTUAL_PARTICLES});
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.parameters = &old;
    clothc_cloth_id added = 0;
    ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &added));
    expect_same(scene.parameters(added), with_default_tail(old, size));
  }
}

// Programs of the last release know of no buffer in place of another.
TEST_P(StructSizes, buffer_descs_and_infos_of_the_last_release_have_no_flags_and_no_reason) {
  Scene scene(GetParam());
  clothc_external_handle foreign = initialised<clothc_external_handle>();
  foreign.type = CLOTHC_EXTERNAL_OPAQUE_FD + CLOTHC_EXTERNAL_OPAQUE_WIN32 - foreign.type;
  foreign.size = 4096;
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.count = 4;
  clothc_buffer buffer = nullptr;
  clothc_buffer_desc old = shortened(desc, offsetof(clothc_buffer_desc, flags));
  ASSERT_OK(clothc_buffer_create(scene.device, &old, &buffer));
  desc.kind = CLOTHC_BUFFER_IMPORTED;
  desc.external = &foreign;
  desc.flags = CLOTHC_BUFFER_HOST_IF_UNSUPPORTED;
  old = shortened(desc, offsetof(clothc_buffer_desc, flags));
  clothc_buffer refused = nullptr;
  EXPECT_FAILS(CLOTHC_ERROR_UNSUPPORTED, clothc_buffer_create(scene.device, &old, &refused), "type");

  constexpr uint32_t old_info = offsetof(clothc_buffer_info, requested_kind);
  clothc_buffer_info info = shortened(initialised<clothc_buffer_info>(), old_info);
  ASSERT_OK(clothc_buffer_get_info(buffer, &info));
  EXPECT_EQ(info.size, 64u);
  EXPECT_EQ(info.kind, static_cast<uint32_t>(CLOTHC_BUFFER_HOST));
  expect_untouched_behind(info, old_info);
}

// Programs of the last release know only spheres and planes. All other shapes must be absent, and the set must be in
// the frame of each cloth.
TEST_P(StructSizes, shapes_of_the_last_release_have_defaults_in_the_tail) {
  const float spheres[] = {0.5f, 0.75f, 0.5f, 0.25f, 0, 0, 0, 1}, planes[] = {0, 1, 0, 1, 1, 0, 0, 1};
  const uint32_t capsule[] = {0, 1}, ends[] = {2}, members[] = {0, 1};
  clothc_collider_shapes now = initialised<clothc_collider_shapes>();
  now.sphere_count = now.plane_count = 2;
  now.spheres = spheres, now.planes = planes;
  now.convex_count = 1, now.convex_ends = ends, now.convex_planes = members;
  // The set already has these shapes.
  clothc_collider_shapes before = now;
  before.capsule_count = 1, before.capsules = capsule;
  before.space = CLOTHC_COLLIDER_SPACE_WORLD, before.triangle_reach = infinity;
  const clothc_collider_shapes old = shortened(now, old_shapes);
  uint64_t hashes[2];
  for (const bool is_old : {false, true}) {
    Scene scene(GetParam());
    const clothc_collider_set_id set = scene.sphere_set(0, 0, 0, 1);
    ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
    ASSERT_OK(clothc_collider_set_write(scene.solver, set, &before));
    scene.step();
    ASSERT_OK(clothc_collider_set_write(scene.solver, set, is_old ? &old : &now));
    scene.step(10);
    hashes[is_old ? 1 : 0] = scene.hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  clothc_collider_shapes shapes;
  std::memset(&shapes, 0xa5, sizeof(shapes));
  ASSERT_OK(clothc_struct_init(CLOTHC_STRUCT_COLLIDER_SHAPES, &shapes, old_shapes));
  EXPECT_EQ(shapes.struct_size, old_shapes);
  expect_untouched_behind(shapes, old_shapes);
}

TEST_P(StructSizes, parameters_and_status_are_got_into_structs_of_the_last_release) {
  Scene scene(GetParam());
  scene.change_parameters(scene.cloth, [](auto& p) { p.friction = 0.5f, p.lift_coefficient = 1, p.statistics = 3; });
  scene.step();
  clothc_cloth_parameters parameters = shortened(initialised<clothc_cloth_parameters>(), old_parameters);
  ASSERT_OK(clothc_cloth_get_parameters(scene.solver, scene.cloth, &parameters));
  EXPECT_EQ(parameters.struct_size, old_parameters);
  EXPECT_EQ(parameters.friction, 0.5f);
  expect_untouched_behind(parameters, old_parameters);
  clothc_cloth_status status = shortened(initialised<clothc_cloth_status>(), old_status);
  ASSERT_OK(clothc_cloth_get_status(scene.solver, scene.cloth, &status));
  EXPECT_EQ(status.struct_size, old_status);
  EXPECT_EQ(status.iteration_count, 5u);
  expect_untouched_behind(status, old_status);
}

TEST_P(StructSizes, a_fabric_desc_of_any_release_has_nothing_of_what_came_later) {
  Scene scene(GetParam());
  RawFabric raw;
  for (const uint32_t old_size : old_fabrics) {
    const clothc_fabric_desc desc = shortened(raw.desc(), old_size);
    clothc_fabric fabric = nullptr;
    ASSERT_OK(clothc_fabric_create(scene.device, &desc, &fabric));
    for (const clothc_fabric_array array : {CLOTHC_FABRIC_TEXTURE_COORDINATES, CLOTHC_FABRIC_VIRTUAL_PARTICLES,
                                            CLOTHC_FABRIC_VIRTUAL_WEIGHTS, CLOTHC_FABRIC_CONSTRAINT_TYPES}) {
      uint64_t size = 77;
      ASSERT_OK(clothc_fabric_read(fabric, array, nullptr, &size));
      EXPECT_EQ(size, 0u) << "array " << array << " of a desc of " << old_size << " bytes";
    }
    ASSERT_OK(clothc_fabric_destroy(fabric));
  }
}

// Three cloths, and a buffer in which every byte is 0x5a.
struct Records {
  Scene scene;
  clothc_cloth_id ids[3];
  std::vector<uint8_t> bytes;
  clothc_buffer buffer = nullptr;
  uint32_t stride;
  Records(clothc_backend backend, uint32_t record_stride)
      : scene(backend), bytes(size_t{3} * record_stride, 0x5a), stride(record_stride) {
    ids[0] = scene.cloth;
    for (int k = 1; k < 3; ++k) ids[k] = scene.add();
    buffer = scene.buffer(3, CLOTHC_FORMAT_RECORD, stride);
    EXPECT_OK(clothc_buffer_write(buffer, 0, bytes.size(), bytes.data()));
  }
  void read() { EXPECT_OK(clothc_buffer_read(buffer, 0, bytes.size(), bytes.data())); }
  template <class T>
  T record(uint32_t k, uint32_t size) const {
    T value = initialised<T>();
    std::memcpy(&value, &bytes[size_t{k} * stride], size);
    return value;
  }
  // Expects only the first `size` bytes of the elements in `written` to have been written.
  void expect_written(std::initializer_list<uint32_t> written, uint32_t size) const {
    for (uint32_t at = 0; at < bytes.size(); ++at) {
      bool may_differ = false;
      for (const uint32_t k : written) may_differ = may_differ || (at / stride == k && at % stride < size);
      ASSERT_TRUE(may_differ || bytes[at] == 0x5a) << "byte " << at << " was written, stride " << stride;
    }
  }
};

TEST_P(StructSizes, parameter_records_of_the_last_release_are_got_and_nothing_behind_them_is_written) {
  for (const uint32_t stride : {old_parameters, old_parameters + 8}) {
    Records records(GetParam(), stride);
    for (int k = 0; k < 3; ++k) {
      records.scene.change_parameters(records.ids[k],
                                      [&](auto& p) { p.friction = static_cast<float>(k + 1), p.wind_velocity[0] = 3; });
    }
    const clothc_region region{1, 1, 1};
    ASSERT_OK(clothc_solver_get(records.scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, records.buffer, nullptr, &region,
                                1, 0));
    records.read();
    const auto got = records.record<clothc_cloth_parameters>(1, old_parameters);
    EXPECT_EQ(got.struct_size, old_parameters);
    EXPECT_EQ(got.friction, 2);
    records.expect_written({1}, old_parameters);
    ASSERT_OK(clothc_solver_get(records.scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, records.buffer, nullptr, nullptr,
                                0, 0));
    records.read();
    for (uint32_t k = 0; k < 3; ++k) {
      EXPECT_EQ(records.record<clothc_cloth_parameters>(k, old_parameters).friction, static_cast<float>(k + 1));
    }
    records.expect_written({0, 1, 2}, old_parameters);
    // The records are set again unchanged. Their tails become defaults, as for a program that does not know the newer
    // fields.
    ASSERT_OK(clothc_solver_set(records.scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, records.buffer, nullptr, nullptr,
                                0, 0));
    for (uint32_t k = 0; k < 3; ++k) {
      expect_same(records.scene.parameters(records.ids[k]),
                  with_default_tail(records.record<clothc_cloth_parameters>(k, old_parameters)));
    }
  }
}

TEST_P(StructSizes, status_records_of_the_last_release_are_got_and_nothing_behind_them_is_written) {
  for (const uint32_t stride : {old_status, old_status + 4}) {
    Records records(GetParam(), stride);
    for (int k = 0; k < 3; ++k) {
      records.scene.change_parameters(records.ids[k], [&](auto& p) {
        p.solver_frequency = 60.0f * static_cast<float>(k + 1), p.statistics = CLOTHC_STATISTIC_STRETCH;
      });
    }
    records.scene.step();
    const clothc_region region{0, 2, 1};
    ASSERT_OK(
        clothc_solver_get(records.scene.solver, CLOTHC_CHANNEL_CLOTH_STATUS, records.buffer, nullptr, &region, 1, 0));
    records.read();
    EXPECT_EQ(records.record<clothc_cloth_status>(2, old_status).iteration_count, 1u);
    records.expect_written({2}, old_status);
    ASSERT_OK(
        clothc_solver_get(records.scene.solver, CLOTHC_CHANNEL_CLOTH_STATUS, records.buffer, nullptr, nullptr, 0, 0));
    records.read();
    for (uint32_t k = 0; k < 3; ++k) {
      const auto got = records.record<clothc_cloth_status>(k, old_status);
      EXPECT_EQ(got.struct_size, old_status);
      clothc_cloth_status direct = records.scene.status(records.ids[k]);
      direct.struct_size = old_status;
      EXPECT_EQ(std::memcmp(&got, &direct, old_status), 0) << "cloth " << k;
    }
    records.expect_written({0, 1, 2}, old_status);
  }
}

TEST_P(StructSizes, records_that_claim_more_bytes_than_they_have_are_refused) {
  Records records(GetParam(), old_parameters);
  const clothc_cloth_parameters before = records.scene.parameters(records.ids[0]);
  for (uint32_t k = 0; k < 3; ++k) {
    clothc_cloth_parameters value = initialised<clothc_cloth_parameters>();
    value.friction = 1;
    if (k < 2) value.struct_size = old_parameters;
    ASSERT_OK(clothc_buffer_write(records.buffer, size_t{k} * old_parameters, old_parameters, &value));
  }
  EXPECT_FAILS(
      CLOTHC_ERROR_INVALID_STRUCT,
      clothc_solver_set(records.scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, records.buffer, nullptr, nullptr, 0, 0),
      std::to_string(sizeof(clothc_cloth_parameters)).c_str(), std::to_string(old_parameters).c_str());
  expect_same(records.scene.parameters(records.ids[0]), before);
}

TEST_P(StructSizes, records_shorter_than_any_release_had_are_refused) {
  Scene scene(GetParam());
  const struct {
    clothc_channel channel;
    uint32_t stride;
  } cases[] = {{CLOTHC_CHANNEL_CLOTH_PARAMETERS, old_parameters - 4},
               {CLOTHC_CHANNEL_CLOTH_STATUS, old_status - 4},
               {CLOTHC_CHANNEL_CLOTH_FRAME, sizeof(clothc_cloth_frame) - 4}};
  for (const auto& c : cases) {
    const clothc_buffer buffer = scene.buffer(1, CLOTHC_FORMAT_RECORD, c.stride);
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
                 clothc_solver_get(scene.solver, c.channel, buffer, nullptr, nullptr, 0, 0),
                 std::to_string(c.stride).c_str(), "records of");
  }
}

}  // namespace
}  // namespace struct_sizes_test
