// phases_test.cpp - which particles collide with each other: by their phases within a cloth or group, and always between
// different ones.
#include <cmath>

#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace particle_phases_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ParticlePhases);

constexpr uint32_t collides = CLOTHC_PARTICLE_PHASE_SELF_COLLIDE;

SceneOptions without_cloth(clothc_backend backend) {
  SceneOptions options(backend);
  options.has_cloth = false;
  return options;
}

clothc_cloth_parameters floating_parameters() {
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.gravity[1] = 0;
  // Everything that a collision corrects is corrected at once, and no velocity remains.
  parameters.stiffness_frequency = 1000;
  for (float& damping : parameters.damping) damping = 1;
  return parameters;
}

// Pairs of particles, 1 m from pair to pair and 4 cm from the left to the right one.
struct Pairs : Scene {
  explicit Pairs(clothc_backend backend, float radius = 0.03f) : Scene(without_cloth(backend)) {
    parameters = floating_parameters();
    desc = group_desc(positions, radius);
    desc.parameters = &parameters;
  }
  clothc_group_id add(const std::vector<std::pair<uint32_t, uint32_t>>& phases, float height = 0) {
    positions.clear();
    std::vector<uint32_t> list;
    for (const auto& [left, right] : phases) {
      const auto x = static_cast<float>(list.size() / 2);
      positions.insert(positions.end(), {x, height, 0, 1, x + 0.04f, height, 0, 1});
      list.insert(list.end(), {left, right});
    }
    clothc_group_desc own = group_desc(positions, desc.radius);
    own.parameters = &parameters;
    const clothc_group_id group = add_group(solver, own);
    set_phases(device, solver, group, list);
    return group;
  }
  float gap(clothc_group_id group, uint32_t pair) const {
    const std::vector<float> now = get(CLOTHC_CHANNEL_POSITION, group);
    return now[(2 * pair + 1) * 4] - now[2 * pair * 4];
  }
  std::vector<float> positions;
  clothc_cloth_parameters parameters;
  clothc_group_desc desc;
};

TEST_P(ParticlePhases, decide_by_group_number_and_flag) {
  Pairs scene(GetParam());
  const std::vector<std::pair<uint32_t, uint32_t>> phases = {
      {0, 0},
      {collides, collides},
      {collides, 0},
      {1, 2},
      {1 | collides, 2},
      {0xffffff, 0xffffff},
      {0xffffff | collides, 0xffffff | collides},
      {0x800000, 0},
  };
  const bool expected[] = {false, true, false, true, true, false, true, true};
  const clothc_group_id group = scene.add(phases);
  scene.step(4);
  for (uint32_t k = 0; k < phases.size(); ++k) {
    if (expected[k]) {
      EXPECT_NEAR(scene.gap(group, k), 0.06f, 1e-4f) << "pair " << k;
    } else {
      EXPECT_EQ(scene.gap(group, k), static_cast<float>(k) + 0.04f - static_cast<float>(k)) << "pair " << k;
    }
  }
}

TEST_P(ParticlePhases, read_as_they_were_set) {
  Pairs scene(GetParam());
  const clothc_group_id group = scene.add({{0, 1}, {collides, 0xffffff}, {0x1ffffff, 0x123456}});
  EXPECT_EQ(get_phases(scene.device, scene.solver, group),
            (std::vector<uint32_t>{0, 1, collides, 0xffffff, 0x1ffffff, 0x123456}));
  // Unknown bits are refused where the value is used, and the phase stays.
  set_phases(scene.device, scene.solver, group, {7, 0x2000000, 0xffffffff, 8, 0x80000000, 9});
  EXPECT_EQ(get_phases(scene.device, scene.solver, group), (std::vector<uint32_t>{7, 1, collides, 8, 0x1ffffff, 9}));
  EXPECT_EQ(scene.status(group).non_finite_count, 3u);
  scene.step(2);
  EXPECT_EQ(get_phases(scene.device, scene.solver, group), (std::vector<uint32_t>{7, 1, collides, 8, 0x1ffffff, 9}));
}

TEST_P(ParticlePhases, that_were_never_set_let_groups_pass_through_themselves) {
  Pairs scene(GetParam());
  const clothc_group_id group = scene.add({{collides, collides}});
  scene.step(4);
  EXPECT_NEAR(scene.gap(group, 0), 0.06f, 1e-4f);
  require(clothc_cloth_reset(scene.solver, group, scene.positions.data()));
  require(clothc_cloth_clear(scene.solver, group, CLOTHC_CHANNEL_PARTICLE_PHASE));
  scene.step(4);
  EXPECT_EQ(scene.gap(group, 0), 0.04f);
  EXPECT_EQ(get_phases(scene.device, scene.solver, group), (std::vector<uint32_t>{0, 0}));
}

TEST_P(ParticlePhases, of_a_cloth_choose_which_of_its_particles_collide) {
  Pairs scene(GetParam());
  const std::vector<float> positions = {0, 0, 0, 1, 0.04f, 0, 0, 1, 1, 0, 0, 1, 1.04f, 0, 0, 1};
  clothc_fabric_desc loose = initialised<clothc_fabric_desc>();
  loose.particle_count = 4;
  loose.positions = positions.data();
  scene.replace_fabric(loose);
  scene.parameters.self_collision_distance = 0.06f;
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.parameters = &scene.parameters;
  const clothc_cloth_id cloth = add_cloth(scene.solver, desc);
  set_phases(scene.device, scene.solver, cloth, {0, 0, 0, 1});
  scene.step(4);
  EXPECT_EQ(scene.gap(cloth, 0), 0.04f);
  EXPECT_NEAR(scene.gap(cloth, 1), 0.06f, 1e-4f);
  // Without phases, all particles of a cloth collide.
  require(clothc_cloth_clear(scene.solver, cloth, CLOTHC_CHANNEL_PARTICLE_PHASE));
  scene.step(4);
  EXPECT_NEAR(scene.gap(cloth, 0), 0.06f, 1e-4f);
}

// Groups collide with groups and with cloths, whose own distance enters by the mean.
TEST_P(ParticlePhases, do_not_matter_between_groups_and_cloths) {
  Pairs scene(GetParam());
  const clothc_group_id low = scene.add({{0, 0}}, 0.0f), high = scene.add({{0, 0}}, 0.03f);
  clothc_fabric_desc loose = initialised<clothc_fabric_desc>();
  const float above[] = {0, 0.08f, 0, 1};
  loose.particle_count = 1;
  loose.positions = above;
  scene.replace_fabric(loose);
  scene.parameters.inter_collision_distance = 0.1f;
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.parameters = &scene.parameters;
  const clothc_cloth_id cloth = add_cloth(scene.solver, desc);
  scene.step(30);
  const std::vector<float> below = scene.get(CLOTHC_CHANNEL_POSITION, low);
  const std::vector<float> between = scene.get(CLOTHC_CHANNEL_POSITION, high);
  const std::vector<float> top = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
  const auto distance = [](const std::vector<float>& a, const std::vector<float>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  EXPECT_GT(distance(below, between), 0.0599f);
  EXPECT_GT(distance(between, top), 0.0799f);
  EXPECT_NEAR(scene.gap(low, 0), 0.04f, 0.02f);
}

}  // namespace
}  // namespace particle_phases_test
