// recorded_scene.cpp - see recorded_scene.h.
#include "unit/core/recorded_scene.h"

#include <random>

#include "core/base/structs.h"
#include "support/calls.h"
#include "support/quad_sheet.h"

namespace clothc::test {
namespace {

constexpr float spacing = 0.1f;  // m
constexpr uint32_t columns = 9;
constexpr uint32_t rows = 7;
constexpr uint32_t rope_particles = 17;

clothc_cloth_parameters parameters_with(float solver_frequency) {
  clothc_cloth_parameters parameters = make_default<clothc_cloth_parameters>();
  parameters.solver_frequency = solver_frequency;
  parameters.friction = 0.5f;
  parameters.tether_stiffness = parameters.tether_scale = 0.5f;
  parameters.motion_constraint_stiffness = 0.5f;
  for (float& damping : parameters.damping) damping = 0.2f;
  return parameters;
}

// Returns the fabric's positions, stretched and slightly displaced, so that every constraint has an error to correct.
std::vector<float> disordered(clothc_fabric fabric) {
  std::vector<float> positions = clothc_test::read_fabric<float>(fabric, CLOTHC_FABRIC_POSITIONS);
  std::mt19937 random(3);
  for (size_t k = 0; k < positions.size(); ++k) {
    if (k % 4 != 3) positions[k] = 1.1f * positions[k] + 0.02f * static_cast<float>(random() % 256) / 256;
  }
  return positions;
}

}  // namespace

RecordedScene::RecordedScene(bool with_triangles) : with_triangles_(with_triangles) {
  device_ = reinterpret_cast<clothc_device>(handle_table().insert(make_host_device(recordings_)));
  clothc_solver_desc desc = make_default<clothc_solver_desc>();
  desc.particle_capacity = 1024;
  desc.cloth_capacity = 4;
  desc.collider_set_capacity = 1;
  desc.schedule = CLOTHC_SCHEDULE_PASS;
  solver_ = clothc_test::create_solver(device_, desc);
  clothc_test::require(clothc_collider_set_create(solver_, &shapes_));
  write_shapes(0);
  const clothc_cloth_id cloths[] = {add_sheet(0, 300), add_sheet(0.05f, 120), add_rope()};
  for (int k = 0; k < 4; ++k) {
    write_shapes(static_cast<float>(k));
    for (const clothc_cloth_id cloth : cloths) {
      set_motion(cloth, static_cast<float>(k));
      const std::vector<float> values(clothc_test::cloth_info(solver_, cloth).particle_count * size_t{4}, 0.3f);
      if (k == 1) set(CLOTHC_CHANNEL_ACCELERATION, cloth, values);
      if (k % 2 == 0) set(CLOTHC_CHANNEL_VELOCITY, cloth, values);
    }
    update(1.0f / static_cast<float>(60 - 10 * k));
    read_velocities(cloths[0]);
    clothc_test::state_hash(solver_);
  }
}

RecordedScene::~RecordedScene() { clothc_device_destroy(device_); }

// Adds a sheet in the plane y = 1 with its first row pinned.
clothc_cloth_id RecordedScene::add_sheet(float x, float solver_frequency) {
  const clothc_test::Sheet sheet(columns, rows, spacing, 1, x);
  clothc_cloth_parameters parameters = parameters_with(solver_frequency);
  // Short tethers leave nothing to correct on coarse levels.
  if (x > 0) parameters.tether_scale = 2;
  return add(clothc_test::cook_fabric(device_, sheet.desc()), parameters);
}

// Adds a rope. Its particles are tethered to each other, which gives tether levels, and its constraints have
// stiffnesses of their own.
clothc_cloth_id RecordedScene::add_rope() {
  std::vector<float> positions, rest_lengths, stiffness, tether_lengths;
  std::vector<uint32_t> indices, anchors;
  for (uint32_t k = 0; k < rope_particles; ++k) {
    positions.insert(positions.end(), {spacing * static_cast<float>(k), 1.0f, 0.35f, k == 0 ? 0.0f : 1.0f});
    anchors.push_back(k < 4 ? 0 : k - 4);
    tether_lengths.push_back(0.1f * spacing);
  }
  // Every other constraint is added first, so that there are two colours.
  for (const uint32_t first : {0u, 1u}) {
    for (uint32_t k = first; k + 1 < rope_particles; k += 2) {
      indices.insert(indices.end(), {k, k + 1});
      rest_lengths.push_back(0.95f * spacing);
      stiffness.push_back(0.5f + 0.03f * static_cast<float>(k));
    }
  }
  const uint32_t set = 0;
  const uint32_t set_end = rope_particles - 1;
  clothc_fabric_desc desc = make_default<clothc_fabric_desc>();
  desc.particle_count = rope_particles;
  desc.phase_count = desc.set_count = 1;
  desc.phase_sets = &set;
  desc.set_ends = &set_end;
  desc.constraint_count = rest_lengths.size();
  desc.indices = indices.data();
  desc.rest_lengths = rest_lengths.data();
  desc.stiffness_values = stiffness.data();
  desc.tethers_per_particle = 1;
  desc.tether_anchors = anchors.data();
  desc.tether_lengths = tether_lengths.data();
  desc.positions = positions.data();
  return add(clothc_test::create_fabric(device_, desc), parameters_with(180));
}

clothc_cloth_id RecordedScene::add(clothc_fabric fabric, clothc_cloth_parameters parameters) {
  clothc_cloth_desc desc = make_default<clothc_cloth_desc>();
  desc.fabric = fabric;
  desc.parameters = &parameters;
  desc.collider_sets = &shapes_;
  desc.collider_set_count = 1;
  const std::vector<float> positions = disordered(fabric);
  desc.positions = positions.data();
  return clothc_test::add_cloth(solver_, desc);
}

// Writes a capsule and a slanted floor that squeeze the cloths, so that each pushes them into the other, and a wall of
// triangles at the side.
void RecordedScene::write_shapes(float time) {
  const float spheres[8] = {0.4f + 0.01f * time, 1.5f - 0.02f * time, 0.3f, 0.8f, 0.9f, 1.5f, 0.3f, 0.7f};
  const uint32_t capsule[2] = {0, 1};
  const float x = 0.1f + 0.01f * time;
  const float vertices[18] = {x, -9, -9, x, 9, -9, x, -9, 9, x, 9, -9, x, 9, 9, x, -9, 9};
  const float plane[4] = {-0.28f, 0.96f, 0, -0.9f - 0.01f * time};
  const uint32_t convex_end = 1;
  const uint32_t convex_plane = 0;
  clothc_collider_shapes shapes = make_default<clothc_collider_shapes>();
  shapes.sphere_count = 2;
  shapes.spheres = spheres;
  shapes.capsule_count = shapes.plane_count = shapes.convex_count = 1;
  shapes.capsules = capsule;
  shapes.vertex_count = 6;
  shapes.vertices = vertices;
  shapes.triangle_count = with_triangles_ ? 2 : 0;
  shapes.triangle_reach = 0.15f;
  shapes.planes = plane;
  shapes.convex_ends = &convex_end;
  shapes.convex_planes = &convex_plane;
  clothc_test::require(clothc_collider_set_write(solver_, shapes_, &shapes));
}

void RecordedScene::set(clothc_channel channel, clothc_cloth_id cloth, const std::vector<float>& values) {
  clothc_test::set_particles(device_, solver_, cloth, channel, values);
}

// Confines most particles to a moving sphere between the shapes.
void RecordedScene::set_motion(clothc_cloth_id cloth, float time) {
  std::vector<float> values;
  for (uint32_t k = 0; k < clothc_test::cloth_info(solver_, cloth).particle_count; ++k) {
    const auto at = static_cast<float>(k % columns);
    values.insert(values.end(), {spacing * at, 1.0f + 0.02f * time, 0.3f, k % 5 == 0 ? -1.0f : 0.05f});
  }
  set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, cloth, values);
}

void RecordedScene::read_velocities(clothc_cloth_id cloth) {
  const clothc_cloth_info info = clothc_test::cloth_info(solver_, cloth);
  const clothc_buffer buffer = clothc_test::create_buffer(device_, info.particle_count);
  const clothc_region region{info.first_particle, 0, info.particle_count};
  clothc_test::require(clothc_solver_get(solver_, CLOTHC_CHANNEL_VELOCITY, buffer, nullptr, &region, 1, 0));
  clothc_test::require(clothc_buffer_destroy(buffer));
}

void RecordedScene::update(float dt) { clothc_test::update_solver(solver_, dt); }

}  // namespace clothc::test
