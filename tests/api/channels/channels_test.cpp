// channels_test.cpp - sets and gets: descriptions of channels, views, regions, records, and what the values mean to an
// update.
#include <cmath>

#include "support/scene.h"

using namespace clothc_test;

namespace channels_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Channels);

constexpr clothc_channel particle_channels[] = {
    CLOTHC_CHANNEL_POSITION,     CLOTHC_CHANNEL_PREVIOUS_POSITION, CLOTHC_CHANNEL_VELOCITY,
    CLOTHC_CHANNEL_ACCELERATION, CLOTHC_CHANNEL_MOTION_CONSTRAINT, CLOTHC_CHANNEL_MOTION_CONSTRAINT_START};

// Returns values from which the particle that they belong to can be told.
std::vector<float> numbered(uint32_t particles, float base) {
  std::vector<float> values;
  for (uint32_t k = 0; k < particles * 4; ++k) values.push_back(base + static_cast<float>(k) / 64);
  return values;
}

TEST_P(Channels, are_listed_from_1_without_gaps) {
  SceneOptions options(GetParam());
  options.solver.contact_capacity = 5;
  Scene scene(options);
  clothc_channel_info info = initialised<clothc_channel_info>();
  clothc_channel channel = 1;
  for (; clothc_channel_describe(nullptr, channel, &info) == CLOTHC_SUCCESS; ++channel) {
    EXPECT_EQ(info.channel, channel);
    EXPECT_EQ(info.count, 0u);
    EXPECT_NE(info.name[0], 0);
    const bool only_bound = channel == CLOTHC_CHANNEL_START_POSITION;
    EXPECT_EQ(info.gettable, only_bound ? 0u : 1u);
    ASSERT_OK(clothc_channel_describe(scene.solver, channel, &info));
    const bool of_contacts = channel == CLOTHC_CHANNEL_CONTACT || channel == CLOTHC_CHANNEL_CONTACT_COUNT;
    const bool per_cloth = info.format == CLOTHC_FORMAT_RECORD && !of_contacts;
    const uint32_t contacts = channel == CLOTHC_CHANNEL_CONTACT ? 5 : 1;
    EXPECT_EQ(info.count, of_contacts ? contacts : per_cloth ? 1u : scene.info().particle_capacity);
    const bool worked_out = channel == CLOTHC_CHANNEL_NORMAL || channel == CLOTHC_CHANNEL_TANGENT ||
                            channel == CLOTHC_CHANNEL_INTERSECTION_COUNT || of_contacts || only_bound;
    EXPECT_EQ(info.settable, worked_out || channel == CLOTHC_CHANNEL_CLOTH_STATUS ? 0u : 1u);
  }
  EXPECT_EQ(channel, CLOTHC_CHANNEL_START_POSITION + 1u);
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_channel_describe(nullptr, channel, &info), "channel 20");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_channel_describe(nullptr, 0, &info), "channel 0");
}

TEST_P(Channels, what_is_set_is_what_is_got) {
  Scene scene(GetParam());
  for (const clothc_channel channel : particle_channels) {
    const std::vector<float> values = numbered(30, static_cast<float>(channel));
    scene.set(channel, scene.cloth, values);
    std::vector<float> got = scene.get(channel, scene.cloth);
    std::vector<float> wanted = values;
    const bool has_w = channel == CLOTHC_CHANNEL_POSITION || channel >= CLOTHC_CHANNEL_MOTION_CONSTRAINT;
    for (size_t k = 3; k < wanted.size() && !has_w; k += 4) wanted[k] = 0;
    EXPECT_EQ(got, wanted) << "channel " << channel;
  }
}

TEST_P(Channels, float3_leaves_inverse_masses_alone_and_views_pick_from_interleaved_vertices) {
  Scene scene(GetParam());
  const std::vector<float> before = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  struct Vertex {
    float uv[2];
    float position[3];
    uint32_t colour;
  };
  std::vector<Vertex> vertices(30);
  for (size_t k = 0; k < 30; ++k) vertices[k] = {{1, 2}, {static_cast<float>(k), 0.5f, -1.0f}, 0xabcdef01u};
  const clothc_buffer buffer = scene.buffer(30, CLOTHC_FORMAT_RECORD, sizeof(Vertex));
  ASSERT_OK(clothc_buffer_write(buffer, 0, sizeof(Vertex) * 30, vertices.data()));
  clothc_view view = initialised<clothc_view>();
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = offsetof(Vertex, position);
  ASSERT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, &view, nullptr, 0, 0));
  const std::vector<float> after = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (size_t k = 0; k < 30; ++k) {
    EXPECT_EQ(after[4 * k], static_cast<float>(k));
    EXPECT_EQ(after[4 * k + 1], 0.5f);
    EXPECT_EQ(after[4 * k + 3], before[4 * k + 3]) << "the inverse mass changed";
  }
  // A get writes only the view's bytes.
  std::vector<Vertex> out(30, Vertex{{3, 4}, {0, 0, 0}, 0x12345678u});
  ASSERT_OK(clothc_buffer_write(buffer, 0, sizeof(Vertex) * 30, out.data()));
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, &view, nullptr, 0, 0));
  ASSERT_OK(clothc_buffer_read(buffer, 0, sizeof(Vertex) * 30, out.data()));
  for (size_t k = 0; k < 30; ++k) {
    EXPECT_EQ(out[k].position[0], static_cast<float>(k));
    EXPECT_EQ(out[k].uv[1], 4);
    EXPECT_EQ(out[k].colour, 0x12345678u);
  }
  // Tests FLOAT4 through a view with its own stride and offset.
  const clothc_buffer wide = scene.buffer(200, CLOTHC_FORMAT_FLOAT);
  view = initialised<clothc_view>();
  view.byte_offset = 8;
  view.stride = 24;
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, wide, &view, nullptr, 0, 0));
  float values[200];
  ASSERT_OK(clothc_buffer_read(wide, 0, sizeof(values), values));
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(values[2 + 6 * 5], 5);
  EXPECT_EQ(values[2 + 6 * 5 + 3], before[4 * 5 + 3]);
  EXPECT_EQ(values[2 + 6 * 5 + 4], 0);
}

TEST_P(Channels, views_and_formats_that_do_not_fit_are_refused_naming_both_sides) {
  Scene scene(GetParam());
  const clothc_result bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  const uint64_t hash = scene.hash();
  const auto both = [&](clothc_channel channel, clothc_buffer buffer, const clothc_view* view,
                        std::initializer_list<const char*> parts) {
    const clothc_result set = clothc_solver_set(scene.solver, channel, buffer, view, nullptr, 0, 0);
    if (channel != CLOTHC_CHANNEL_CLOTH_STATUS) expect_failure(bad, set, parts, "set");
    expect_failure(bad, clothc_solver_get(scene.solver, channel, buffer, view, nullptr, 0, 0), parts, "get");
  };
  const clothc_buffer floats = scene.buffer(4, CLOTHC_FORMAT_FLOAT);
  const clothc_buffer float3s = scene.buffer(4, CLOTHC_FORMAT_FLOAT3);
  const clothc_buffer float4s = scene.buffer(4);
  const clothc_buffer records = scene.buffer(1, CLOTHC_FORMAT_RECORD, 40);
  both(CLOTHC_CHANNEL_POSITION, floats, nullptr, {"position", "FLOAT4 or FLOAT3", "has FLOAT"});
  both(CLOTHC_CHANNEL_POSITION, records, nullptr, {"position", "FLOAT4", "RECORD", "view"});
  both(CLOTHC_CHANNEL_MOTION_CONSTRAINT, float3s, nullptr, {"motion_constraint", "FLOAT4", "FLOAT3"});
  both(CLOTHC_CHANNEL_CLOTH_PARAMETERS, float4s, nullptr, {"cloth_parameters", "RECORD", "FLOAT4"});
  both(CLOTHC_CHANNEL_CLOTH_PARAMETERS, records, nullptr,
       {"cloth_parameters", std::to_string(sizeof(clothc_cloth_parameters)).c_str(), "40"});
  both(0, float4s, nullptr, {"channel 0"});
  both(20, float4s, nullptr, {"channel 20"});
  both(CLOTHC_CHANNEL_PARTICLE_PHASE, float4s, nullptr, {"particle_phase", "UINT", "FLOAT4"});
  const clothc_buffer status = scene.buffer(1, CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_status));
  EXPECT_FAILS(bad, clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_STATUS, status, nullptr, nullptr, 0, 0),
               "cloth_status", "not set");
  const clothc_view good = initialised<clothc_view>();
  clothc_view view = good;
  for (const clothc_format format : {0u, 6u}) {
    view.format = format;
    both(CLOTHC_CHANNEL_POSITION, float4s, &view, {"view.format is"});
  }
  view = good;
  view.byte_offset = 2;
  both(CLOTHC_CHANNEL_POSITION, float4s, &view, {"byte_offset is 2", "64"});
  view.byte_offset = 64;
  both(CLOTHC_CHANNEL_POSITION, float4s, &view, {"byte_offset is 64", "64"});
  view = good;
  view.stride = 6;
  both(CLOTHC_CHANNEL_POSITION, float4s, &view, {"stride is 6"});
  view.stride = 8;
  both(CLOTHC_CHANNEL_POSITION, float4s, &view, {"stride is 8", "16 bytes"});
  view.stride = 5000;
  both(CLOTHC_CHANNEL_POSITION, float4s, &view, {"stride is 5000", "4096"});
  view = good;
  view.flags = 1;
  both(CLOTHC_CHANNEL_POSITION, float4s, &view, {"view.flags is 0x1"});
  both(CLOTHC_CHANNEL_START_POSITION, float4s, nullptr, {"start_position", "neither be set nor got"});
  EXPECT_FAILS(bad, clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, float4s, nullptr, nullptr, 0, 2), "0x2",
               "position");
  EXPECT_FAILS(
      bad, clothc_solver_set(scene.solver, CLOTHC_CHANNEL_VELOCITY, float4s, nullptr, nullptr, 0, CLOTHC_SET_AT_REST),
      "velocity");
  EXPECT_FAILS(bad, clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, float4s, nullptr, nullptr, 0, 1), "0x1",
               "get");
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Channels, regions_out_of_range_are_refused_naming_both_ends_and_nothing_is_copied) {
  Scene scene(GetParam());
  const uint32_t capacity = scene.info().particle_capacity;
  const uint64_t hash = scene.hash();
  const clothc_buffer buffer = scene.buffer(4);
  const clothc_result bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  const clothc_region good{0, 0, 4};
  const auto set = [&](clothc_region last) {
    const clothc_region regions[2] = {good, last};
    return clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, regions, 2, 0);
  };
  const auto get = [&](clothc_region last) {
    const clothc_region regions[2] = {good, last};
    return clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, regions, 2, 0);
  };
  EXPECT_FAILS(bad, set({1, 0, 4}), "region 1 ends at element 5 of the buffer", "has 4");
  EXPECT_FAILS(bad, set({0, capacity - 1, 2}), "region 1 ends at element 1025 of channel position", "1024");
  EXPECT_FAILS(bad, set({0xffffffffu, 0, 2}), "4294967297");
  EXPECT_FAILS(bad, set({0, 0xffffffffu, 1}), "4294967296");
  EXPECT_FAILS(bad, get({0, 1, 4}), "region 1 ends at element 5 of the buffer", "has 4");
  EXPECT_FAILS(bad, get({capacity, 0, 1}), "1025");
  const clothc_buffer large = scene.buffer(capacity + 1);
  EXPECT_FAILS(bad, clothc_solver_get(scene.solver, CLOTHC_CHANNEL_POSITION, large, nullptr, nullptr, 0, 0), "1025",
               "1024", "regions");
  const clothc_buffer records = scene.buffer(2, CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_status));
  EXPECT_FAILS(bad, clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CLOTH_STATUS, records, nullptr, nullptr, 0, 0),
               "2 elements", "only 1");
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Channels, regions_copy_in_order_and_elements_outside_cloths_are_skipped) {
  Scene scene(GetParam());
  const clothc_cloth_id other = scene.add();
  const uint32_t first = scene.info(other).first_particle;
  const std::vector<float> untouched = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const std::vector<float> values = numbered(8, 2);
  const clothc_buffer buffer = scene.buffer(8);
  ASSERT_OK(clothc_buffer_write(buffer, 0, 128, values.data()));
  // The second region covers the hole after the last cloth. The third overwrites a part of the first.
  const clothc_region regions[3] = {{0, first, 4}, {0, 1000, 8}, {7, first + 1, 1}};
  ASSERT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_POSITION, buffer, nullptr, regions, 3, 0));
  const std::vector<float> got = scene.get(CLOTHC_CHANNEL_POSITION, other);
  EXPECT_EQ(got[0], values[0]);
  EXPECT_EQ(got[4], values[28]);
  EXPECT_EQ(got[8], values[8]);
  EXPECT_EQ(got[16], untouched[16]);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), untouched);
  scene.step(2);
  EXPECT_EQ(scene.status(other).non_finite_count, 0u);
}

TEST_P(Channels, a_set_of_positions_keeps_the_velocity_unless_at_rest) {
  Scene scene(GetParam());
  scene.change_parameters(scene.cloth, [](auto& p) { p.gravity[1] = 0; });
  const std::vector<float> start = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  std::vector<float> moved = start;
  for (size_t k = 0; k < moved.size(); k += 4) moved[k] += 0.25f;
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, moved);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, scene.cloth)[0], start[0]);
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, moved, CLOTHC_SET_AT_REST);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_PREVIOUS_POSITION, scene.cloth)[0], moved[0]);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_VELOCITY, scene.cloth)[4 * 20], 0);
}

// Adds a cloth of free particles without constraints, gravity or damping.
clothc_cloth_id add_free_particles(Scene& scene) {
  clothc_cloth_desc desc = scene.cloth_desc();
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.gravity[1] = 0;
  parameters.tether_stiffness = 0;
  desc.parameters = &parameters;
  desc.flags = CLOTHC_CLOTH_NO_PHASES;
  return scene.add(desc);
}

TEST_P(Channels, the_first_iteration_moves_by_a_set_velocity_times_its_time_step) {
  for (const bool has_moved : {false, true}) {
    Scene scene(GetParam());
    const clothc_cloth_id cloth = add_free_particles(scene);
    if (has_moved) scene.step(1, 1.0f / 30);
    std::vector<float> velocity(30 * 4, 0.0f);
    for (size_t k = 0; k < velocity.size(); k += 4) velocity[k] = 3;
    scene.set(CLOTHC_CHANNEL_VELOCITY, cloth, velocity);
    for (size_t k = 0; k < velocity.size(); k += 4) velocity[k + 1] = -2, velocity[k] = 1;
    // The later set wins.
    scene.set(CLOTHC_CHANNEL_VELOCITY, cloth, velocity);
    EXPECT_EQ(scene.get(CLOTHC_CHANNEL_VELOCITY, cloth), velocity);
    // No time passes, so the velocity is still pending.
    scene.step(1, 0);
    const std::vector<float> before = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
    scene.step(1, 1.0f / 300);
    const std::vector<float> after = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
    EXPECT_NEAR(after[4 * 20] - before[4 * 20], 1.0f / 300, 1e-6f);
    EXPECT_NEAR(after[4 * 20 + 1] - before[4 * 20 + 1], -2.0f / 300, 1e-6f);
    EXPECT_EQ(after[0], before[0]) << "a pinned particle moved";
    EXPECT_NEAR(scene.get(CLOTHC_CHANNEL_VELOCITY, cloth)[4 * 20 + 1], -2.0f, 1e-3f);
  }
}

TEST_P(Channels, getting_velocities_changes_no_state_even_while_set_ones_wait) {
  Scene scene(GetParam());
  scene.step(2);
  scene.set(CLOTHC_CHANNEL_VELOCITY, scene.cloth, std::vector<float>(4 * 7, 0.5f));
  const uint64_t hash = scene.hash();
  const std::vector<uint8_t> bytes = scene.snapshot();
  const std::vector<float> velocities = scene.get(CLOTHC_CHANNEL_VELOCITY, scene.cloth);
  EXPECT_EQ(velocities[4], 0.5f);
  // The particle falls.
  EXPECT_LT(velocities[4 * 20 + 1], 0);
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_EQ(scene.snapshot(), bytes);
}

TEST_P(Channels, accelerations_act_every_update_until_cleared_and_are_0_by_default) {
  Scene scene(GetParam());
  const clothc_cloth_id cloth = add_free_particles(scene);
  const std::vector<float> zeros(30 * 4, 0.0f);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_ACCELERATION, cloth), zeros);
  std::vector<float> up = zeros;
  for (size_t k = 0; k < up.size(); k += 4) up[k + 1] = 9;
  scene.set(CLOTHC_CHANNEL_ACCELERATION, cloth, up);
  const float height = scene.get(CLOTHC_CHANNEL_POSITION, cloth)[4 * 20 + 1];
  scene.step(1, 1.0f / 300);
  EXPECT_NEAR(scene.get(CLOTHC_CHANNEL_POSITION, cloth)[4 * 20 + 1] - height, 9.0f / 90000, 1e-6f);
  ASSERT_OK(clothc_cloth_clear(scene.solver, cloth, CLOTHC_CHANNEL_ACCELERATION));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_ACCELERATION, cloth), zeros);
  // Values that were set for a removed cloth must not appear in the cloth that reuses its memory.
  scene.set(CLOTHC_CHANNEL_ACCELERATION, cloth, up);
  scene.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, cloth, up);
  ASSERT_OK(clothc_cloth_remove(scene.solver, cloth));
  const clothc_cloth_id next = add_free_particles(scene);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_ACCELERATION, next), zeros);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_MOTION_CONSTRAINT, next)[3], -1.0f) << "unconstrained";
}

TEST_P(Channels, motion_constraints_carry_particles_from_start_to_target) {
  Scene scene(GetParam());
  const clothc_cloth_id cloth = add_free_particles(scene);
  std::vector<float> target = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
  for (size_t k = 0; k < target.size(); k += 4) target[k] += 0.5f, target[k + 3] = 0;
  scene.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, cloth, target);
  scene.step();
  const std::vector<float> after = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
  for (size_t k = 0; k < 30; ++k) EXPECT_NEAR(after[4 * k], target[4 * k], 1e-3f) << "pinned ones follow too";
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_MOTION_CONSTRAINT, cloth), target);
  ASSERT_OK(clothc_cloth_clear(scene.solver, cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_MOTION_CONSTRAINT, cloth)[3], -1.0f);
}

TEST_P(Channels, particles_are_pinned_and_unpinned_at_run_time) {
  Scene scene(GetParam());
  // Tethers would also pull pinned particles.
  scene.change_parameters(scene.cloth, [](auto& p) { p.tether_stiffness = 0; });
  scene.step(3);
  std::vector<float> state = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  ASSERT_EQ(state[3], 0);
  ASSERT_EQ(state[4 * 29 + 3], 1);
  state[4 * 29 + 3] = 0;
  for (int k = 0; k < 6; ++k) state[4 * static_cast<size_t>(k) + 3] = 2;
  scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, state);
  scene.step(30);
  const std::vector<float> after = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (int axis = 0; axis < 4; ++axis)
    EXPECT_EQ(after[4 * 29 + static_cast<size_t>(axis)], state[4 * 29 + static_cast<size_t>(axis)]);
  EXPECT_LT(after[1], state[1] - 0.1f) << "the unpinned edge falls";
  EXPECT_EQ(after[3], 2);
}

TEST_P(Channels, values_that_are_not_finite_are_counted_and_never_reach_the_state) {
  Scene scene(GetParam());
  scene.step();
  uint32_t expected = 0;
  for (const clothc_channel channel : particle_channels) {
    const std::vector<float> before = scene.get(channel, scene.cloth);
    for (const float bad : {not_a_number, infinity, -infinity, 1e30f}) {
      std::vector<float> values = before;
      values[4 * 9 + 2] = bad;
      scene.set(channel, scene.cloth, values);
      ++expected;
      EXPECT_EQ(scene.status(scene.cloth).non_finite_count, expected) << "channel " << channel << " value " << bad;
    }
    for (const float value : scene.get(channel, scene.cloth)) EXPECT_TRUE(std::isfinite(value));
    if (channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT_START) {
      EXPECT_OK(clothc_cloth_clear(scene.solver, scene.cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT));
    }
  }
  for (const float bad : {not_a_number, infinity, -1.0f, 2e9f}) {
    std::vector<float> values = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
    values[4 * 9 + 3] = bad;
    scene.set(CLOTHC_CHANNEL_POSITION, scene.cloth, values);
    EXPECT_EQ(scene.status(scene.cloth).non_finite_count, ++expected) << "inverse mass " << bad;
  }
  scene.step(10);
  for (const float value : scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth)) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(scene.status(scene.cloth).non_finite_count, expected);
}

TEST_P(Channels, tiny_values_become_zero) {
  Scene scene(GetParam());
  const auto expected = [](float value) { return std::fabs(value) < 5.5e-20f ? 0.0f : value; };
  std::vector<float> values = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  const float tiny[] = {1e-45f, -1e-40f, 1.2e-38f, 1e-25f, -5.4e-20f, 5.5e-20f, -1e-18f, 1e-10f};
  for (size_t k = 0; k < values.size(); ++k) values[k] = k % 4 == 3 ? std::fabs(tiny[k / 4 % 8]) : tiny[k % 8];
  for (const clothc_channel channel :
       {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION, CLOTHC_CHANNEL_VELOCITY, CLOTHC_CHANNEL_ACCELERATION,
        CLOTHC_CHANNEL_MOTION_CONSTRAINT, CLOTHC_CHANNEL_MOTION_CONSTRAINT_START}) {
    scene.set(channel, scene.cloth, values);
    const std::vector<float> got = scene.get(channel, scene.cloth);
    const bool has_w = channel == CLOTHC_CHANNEL_POSITION || channel >= CLOTHC_CHANNEL_MOTION_CONSTRAINT;
    for (size_t k = 0; k < values.size(); ++k)
      ASSERT_EQ(got[k], k % 4 < 3 || has_w ? expected(values[k]) : 0) << "channel " << channel << ", value " << k;
  }
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.positions = values.data();
  clothc_cloth_id added = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &added));
  const std::vector<float> got = scene.get(CLOTHC_CHANNEL_POSITION, added);
  for (size_t k = 0; k < values.size(); ++k) ASSERT_EQ(got[k], expected(values[k]));
}

TEST_P(Channels, records_set_and_get_the_parameters_of_many_cloths_at_once) {
  Scene scene(GetParam());
  const clothc_cloth_id ids[3] = {scene.cloth, scene.add(), scene.add()};
  constexpr uint32_t stride = sizeof(clothc_cloth_parameters) + 12;
  const clothc_buffer buffer = scene.buffer(3, CLOTHC_FORMAT_RECORD, stride);
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, buffer, nullptr, nullptr, 0, 0));
  void* memory = nullptr;
  ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_WRITE, &memory));
  const auto record = [&](int k) {
    return reinterpret_cast<clothc_cloth_parameters*>(static_cast<char*>(memory) + k * static_cast<int>(stride));
  };
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(record(k)->struct_size, sizeof(clothc_cloth_parameters));
    EXPECT_EQ(record(k)->solver_frequency, 300);
    record(k)->friction = static_cast<float>(k + 1);
  }
  ASSERT_OK(clothc_buffer_unmap(buffer));
  const clothc_region reversed[3] = {{0, 2, 1}, {1, 1, 1}, {2, 0, 1}};
  ASSERT_OK(clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, buffer, nullptr, reversed, 3, 0));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(scene.parameters(ids[k]).friction, static_cast<float>(3 - k));
  // If one record is bad, none is applied.
  ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_WRITE, &memory));
  record(0)->friction = 50;
  record(2)->friction = not_a_number;
  ASSERT_OK(clothc_buffer_unmap(buffer));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, buffer, nullptr, nullptr, 0, 0),
               "friction", "nan");
  EXPECT_EQ(scene.parameters(ids[0]).friction, 3);
  ASSERT_OK(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_WRITE, &memory));
  record(2)->friction = 0;
  record(2)->struct_size = 8;
  ASSERT_OK(clothc_buffer_unmap(buffer));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT,
               clothc_solver_set(scene.solver, CLOTHC_CHANNEL_CLOTH_PARAMETERS, buffer, nullptr, nullptr, 0, 0),
               "struct_size is 8");
  EXPECT_EQ(scene.parameters(ids[0]).friction, 3);
}

TEST_P(Channels, status_tells_iterations_bounds_and_time_step) {
  Scene scene(GetParam());
  const clothc_cloth_id slow = scene.add();
  scene.change_parameters(slow, [](auto& p) { p.solver_frequency = 60; });
  scene.step(1, 0.1f);
  const clothc_buffer buffer = scene.buffer(2, CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_status));
  ASSERT_OK(clothc_solver_get(scene.solver, CLOTHC_CHANNEL_CLOTH_STATUS, buffer, nullptr, nullptr, 0, 0));
  clothc_cloth_status status[2];
  ASSERT_OK(clothc_buffer_read(buffer, 0, sizeof(status), status));
  EXPECT_EQ(status[0].struct_size, sizeof(clothc_cloth_status));
  EXPECT_EQ(status[0].iteration_count, 30u);
  EXPECT_EQ(status[1].iteration_count, 6u);
  EXPECT_EQ(status[1].iteration_dt, 0.1f / 6);
  EXPECT_EQ(status[0].bounds_maximum[1], 1);
  EXPECT_LT(status[0].bounds_minimum[1], 1);
  const clothc_cloth_status direct = scene.status(slow);
  EXPECT_EQ(std::memcmp(&direct, &status[1], sizeof(direct)), 0);
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, slow);
  float lowest = 1e9f;
  for (size_t k = 1; k < positions.size(); k += 4) lowest = std::min(lowest, positions[k]);
  EXPECT_EQ(status[1].bounds_minimum[1], lowest);
}

}  // namespace
}  // namespace channels_test
