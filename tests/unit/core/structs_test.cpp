// structs_test.cpp - defaults of the public structs, and a check that nothing beyond a caller's size is written.
#include "core/base/structs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "support/structs.h"

namespace clothc::structs_test {
namespace {

// Expects T's defaults to be those that `document` sets and zero elsewhere, including padding. older: sizes that T had
// in earlier versions.
template <class T>
void expect_defaults(
    void (*document)(T&) = [](T&) {}, std::initializer_list<size_t> older = {}) {
  SCOPED_TRACE(StructTraits<T>::name);
  T expected;
  std::memset(&expected, 0, sizeof(T));
  expected.struct_size = sizeof(T);
  document(expected);
  std::vector<unsigned char> bytes(sizeof(T) + 64, 0xab);
  ASSERT_TRUE(init_struct(StructTraits<T>::kind, bytes.data(), sizeof(T)));
  EXPECT_EQ(std::memcmp(bytes.data(), &expected, sizeof(T)), 0);
  for (size_t k = sizeof(T); k < bytes.size(); ++k) ASSERT_EQ(bytes[k], 0xab) << "wrote byte " << k;

  std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0xab));
  for (size_t size = 0; size < sizeof(T) + 64; ++size) {
    if (size == sizeof(T) || std::find(older.begin(), older.end(), size) != older.end()) continue;
    ASSERT_FALSE(init_struct(StructTraits<T>::kind, bytes.data(), size)) << "no release had size " << size;
  }
  for (size_t k = 0; k < bytes.size(); ++k) ASSERT_EQ(bytes[k], 0xab) << "a call that failed wrote byte " << k;

  for (const size_t size : older) {
    std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0xab));
    ASSERT_TRUE(init_struct(StructTraits<T>::kind, bytes.data(), size));
    expected.struct_size = static_cast<uint32_t>(size);
    EXPECT_EQ(std::memcmp(bytes.data(), &expected, size), 0);
    for (size_t k = size; k < bytes.size(); ++k) ASSERT_EQ(bytes[k], 0xab) << "wrote byte " << k;
  }
  const T value = make_default<T>();
  EXPECT_EQ(value.struct_size, sizeof(T));
}

TEST(Structs, have_the_defaults_that_the_header_documents) {
  expect_defaults<clothc_device_desc>(
      [](clothc_device_desc& d) {
        d.backend = CLOTHC_BACKEND_AUTO;
        d.hang_timeout_ms = 60000;
      },
      {offsetof(clothc_device_desc, uuid), offsetof(clothc_device_desc, cache)});
  expect_defaults<clothc_device_info>();
  expect_defaults<clothc_buffer_desc>(
      [](clothc_buffer_desc& d) {
        d.kind = CLOTHC_BUFFER_HOST;
        d.format = CLOTHC_FORMAT_FLOAT4;
      },
      {offsetof(clothc_buffer_desc, external), offsetof(clothc_buffer_desc, flags)});
  expect_defaults<clothc_buffer_info>([](clothc_buffer_info&) {}, {offsetof(clothc_buffer_info, requested_kind)});
  expect_defaults<clothc_mesh_desc>(
      [](clothc_mesh_desc& d) {
        d.index_size = 4;
        d.tethers_per_particle = 1;
      },
      {offsetof(clothc_mesh_desc, triangle_stride), offsetof(clothc_mesh_desc, long_range_edges)});
  expect_defaults<clothc_fabric_desc>(
      [](clothc_fabric_desc&) {},
      {offsetof(clothc_fabric_desc, flags), offsetof(clothc_fabric_desc, texture_coordinates),
       offsetof(clothc_fabric_desc, virtual_particle_count), offsetof(clothc_fabric_desc, constraint_sets)});
  expect_defaults<clothc_constraint_set>();
  expect_defaults<clothc_verification>();
  expect_defaults<clothc_verification_row>();
  expect_defaults<clothc_fabric_info>([](clothc_fabric_info&) {}, {offsetof(clothc_fabric_info, diagnostic_count),
                                                                   offsetof(clothc_fabric_info, constraint_set_count)});
  expect_defaults<clothc_diagnostic>();
  expect_defaults<clothc_solver_desc>(
      [](clothc_solver_desc& d) {
        d.particle_capacity = 65536;
        d.cloth_capacity = 1024;
        d.collider_set_capacity = 256;
        d.schedule = CLOTHC_SCHEDULE_AUTO;
        d.updates_in_flight = 3;
      },
      {offsetof(clothc_solver_desc, contact_capacity)});
  expect_defaults<clothc_solver_info>(
      [](clothc_solver_info&) {},
      {offsetof(clothc_solver_info, last_update_submissions), offsetof(clothc_solver_info, contact_capacity)});
  expect_defaults<clothc_cloth_desc>([](clothc_cloth_desc& d) { d.scale = 1; }, {offsetof(clothc_cloth_desc, scale)});
  expect_defaults<clothc_cloth_info>([](clothc_cloth_info&) {}, {offsetof(clothc_cloth_info, scale)});
  expect_defaults<clothc_cloth_parameters>(
      [](clothc_cloth_parameters& d) {
        d.acceleration_filter_width = 30;
        d.gravity[1] = -9.81f;
        d.solver_frequency = 300;
        d.stiffness_frequency = 10;
        d.tether_stiffness = 1;
        d.tether_scale = 1;
        d.motion_constraint_stiffness = 1;
        d.motion_constraint_scale = 1;
        for (float* inertia : {d.linear_inertia, d.angular_inertia, d.centrifugal_inertia})
          std::fill_n(inertia, 3, 1.0f);
        d.fluid_density = 1;
        d.sleep_test_interval = 200;
        d.sleep_after_count = 10;
        d.sleep_policy = CLOTHC_SLEEP_SKIP;
        d.statistics = CLOTHC_STATISTIC_BOUNDS;
        d.collision_flags = CLOTHC_COLLISION_VIRTUAL_PARTICLES;
        d.self_collision_stiffness = 1;
        d.inter_collision_stiffness = 1;
        d.inter_collision_group = 1;
        d.inter_collision_mask = UINT32_MAX;
        d.hierarchy_stiffness = 1;
      },
      {offsetof(clothc_cloth_parameters, linear_drag), offsetof(clothc_cloth_parameters, collision_flags),
       offsetof(clothc_cloth_parameters, self_collision_distance)});
  expect_defaults<clothc_cloth_status>([](clothc_cloth_status&) {}, {offsetof(clothc_cloth_status, kinetic_energy)});
  expect_defaults<clothc_cloth_frame>([](clothc_cloth_frame& d) { d.rotation[3] = d.start_rotation[3] = 1; });
  expect_defaults<clothc_phase_config>([](clothc_phase_config& d) {
    d.stiffness = 1;
    d.stiffness_multiplier = 1;
    d.compression_limit = 1;
    d.stretch_limit = 1;
  });
  expect_defaults<clothc_collider_shapes>([](clothc_collider_shapes& d) { d.triangle_reach = 0.1f; },
                                          {offsetof(clothc_collider_shapes, capsule_count)});
  expect_defaults<clothc_channel_info>();
  expect_defaults<clothc_view>([](clothc_view& d) { d.format = CLOTHC_FORMAT_FLOAT4; });
  expect_defaults<clothc_update>([](clothc_update& d) { d.dt = 1.0f / 60.0f; });
  expect_defaults<clothc_external_handle>([](clothc_external_handle& d) {
#if defined(_WIN32)
    d.type = CLOTHC_EXTERNAL_OPAQUE_WIN32;
#else
    d.type = CLOTHC_EXTERNAL_OPAQUE_FD;
#endif
    d.handle = -1;
  });
  expect_defaults<clothc_collider_mesh_desc>();
  expect_defaults<clothc_sdf_cook_desc>([](clothc_sdf_cook_desc& d) { d.resolution = 64; });
  expect_defaults<clothc_sdf_desc>();
  expect_defaults<clothc_contact>();
  expect_defaults<clothc_parameter_info>();
  expect_defaults<clothc_debug_desc>([](clothc_debug_desc& d) {
    d.flags = CLOTHC_DEBUG_PHASES | CLOTHC_DEBUG_COLLIDERS;
    d.phase = UINT32_MAX;
    d.full_strain = 0.1f;
    d.velocity_time = 0.05f;
  });
}

TEST(Structs, of_unknown_kinds_are_left_alone) {
  std::vector<unsigned char> bytes(2048, 0xab);
  for (const clothc_struct_kind kind : {0u, clothc_test::last_struct_kind() + 1, 1000u, 0xffffffffu}) {
    for (size_t size = 0; size < 1024; ++size) ASSERT_FALSE(init_struct(kind, bytes.data(), size));
  }
  for (const unsigned char byte : bytes) ASSERT_EQ(byte, 0xab);
}

TEST(Structs, are_filled_at_any_address) {
  std::vector<unsigned char> bytes(sizeof(clothc_update) + 16);
  const clothc_update expected = make_default<clothc_update>();
  for (size_t shift = 0; shift < 16; ++shift) {
    ASSERT_TRUE(init_struct(CLOTHC_STRUCT_UPDATE, bytes.data() + shift, sizeof(clothc_update)));
    EXPECT_EQ(std::memcmp(bytes.data() + shift, &expected, sizeof(expected)), 0);
  }
}

template <class Call>
clothc_result result_of(Call call) {
  return guard([&] {
    call();
    return CLOTHC_SUCCESS;
  });
}

TEST(Structs, that_a_caller_gives_are_copied) {
  clothc_phase_config config = make_default<clothc_phase_config>();
  config.phase = 3;
  config.stretch_limit = 1.5f;
  const clothc_phase_config copy = adopt(&config);
  EXPECT_EQ(std::memcmp(&copy, &config, sizeof(config)), 0);
}

TEST(Structs, of_sizes_that_no_release_had_are_refused) {
  for (const size_t size : {size_t{0}, size_t{4}, sizeof(clothc_update) - 1, sizeof(clothc_update) + 8}) {
    clothc_update update = make_default<clothc_update>();
    update.struct_size = static_cast<uint32_t>(size);
    EXPECT_EQ(result_of([&] { adopt(&update); }), CLOTHC_ERROR_INVALID_STRUCT) << size;
    EXPECT_NE(std::strstr(last_message(), "clothc_update.struct_size"), nullptr) << last_message();
    EXPECT_EQ(result_of([&] { checked_output(&update); }), CLOTHC_ERROR_INVALID_STRUCT) << size;
  }
  EXPECT_EQ(result_of([] { adopt(static_cast<const clothc_update*>(nullptr)); }), CLOTHC_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(result_of([] { checked_output(static_cast<clothc_view*>(nullptr)); }), CLOTHC_ERROR_INVALID_ARGUMENT);
  const clothc_view view = make_default<clothc_view>();
  EXPECT_EQ(checked_output(&view), sizeof(clothc_view));
}

TEST(Structs, are_put_up_to_the_callers_size) {
  clothc_solver_info info;
  for (size_t size = sizeof(uint32_t); size <= sizeof(info); size += 4) {
    std::memset(&info, 0xab, sizeof(info));
    clothc_solver_info value = make_default<clothc_solver_info>();
    value.cloth_count = 7;
    put(&info, size, value);
    value.struct_size = static_cast<uint32_t>(size);
    EXPECT_EQ(std::memcmp(&info, &value, size), 0);
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&info);
    for (size_t k = size; k < sizeof(info); ++k) ASSERT_EQ(bytes[k], 0xab) << "size " << size << ", byte " << k;
  }
}

TEST(Structs, in_arrays_are_as_far_apart_as_the_first_ones_size) {
  std::vector<clothc_phase_config> configs(8);
  configs[0].struct_size = 2 * sizeof(clothc_phase_config);
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(element(static_cast<const clothc_phase_config*>(configs.data()), k), &configs[2 * k]);
    EXPECT_EQ(element(configs.data(), sizeof(clothc_phase_config), k), &configs[k]);
  }
}

}  // namespace
}  // namespace clothc::structs_test
