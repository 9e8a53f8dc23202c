// cloth_collision_test.cpp - the settings of collisions between cloths: which values are refused, what can be read
// back, what affects the hash, and what copies and snapshots preserve. The effect on cloths is tested in tests/physics.
#include <cmath>

#include "support/copies.h"

using namespace clothc_test;

namespace cloth_collision_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(ClothCollision);

constexpr clothc_channel rest_channel = CLOTHC_CHANNEL_REST_POSITION;

std::vector<float> rests(float base, float w) {
  std::vector<float> values;
  for (uint32_t k = 0; k < 30; ++k)
    values.insert(values.end(), {base + static_cast<float>(k), 0.5f * base, -static_cast<float>(k), w});
  return values;
}

clothc_cloth_parameters colliding() {
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.self_collision_distance = 0.3f;
  parameters.self_collision_friction = 0.2f;
  parameters.inter_collision_distance = 0.2f;
  parameters.inter_collision_damping = 0.5f;
  return parameters;
}

TEST_P(ClothCollision, rest_positions_are_got_as_they_were_set_and_cleared) {
  Scene scene(GetParam());
  EXPECT_EQ(scene.get(rest_channel, scene.cloth), std::vector<float>(120, 0.0f));
  scene.set(rest_channel, scene.cloth, rests(2, 7));
  EXPECT_EQ(scene.get(rest_channel, scene.cloth), rests(2, 1));
  std::vector<float> bad = rests(3, 0);
  bad[9] = infinity;
  scene.set(rest_channel, scene.cloth, bad);
  EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 1u);
  EXPECT_EQ(scene.get(rest_channel, scene.cloth)[9], rests(2, 1)[9]);
  EXPECT_EQ(scene.get(rest_channel, scene.cloth)[12], rests(3, 1)[12]);
  ASSERT_OK(clothc_cloth_clear(scene.solver, scene.cloth, rest_channel));
  EXPECT_EQ(scene.get(rest_channel, scene.cloth), std::vector<float>(120, 0.0f));
}

TEST_P(ClothCollision, lists_of_particles_are_checked) {
  Scene scene(GetParam());
  const auto choose = [&](std::vector<uint32_t> particles) {
    return clothc_cloth_set_self_collision_particles(scene.solver, scene.cloth, particles.data(),
                                                     static_cast<uint32_t>(particles.size()));
  };
  EXPECT_OK(choose({29, 0, 7}));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, choose({29, 30}), "particle 30", "30");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, choose({4, 5, 4}), "particle 4", "twice");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, choose(std::vector<uint32_t>(31, 0)), "31", "30");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
               clothc_cloth_set_self_collision_particles(scene.solver, scene.cloth, nullptr, 2), "null");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cloth_set_self_collision_particles(scene.solver, 77, nullptr, 0),
               "0x4d");
  EXPECT_OK(clothc_cloth_set_self_collision_particles(scene.solver, scene.cloth, nullptr, 0));
}

TEST_P(ClothCollision, parameters_out_of_range_are_named) {
  Scene scene(GetParam());
  const struct {
    float clothc_cloth_parameters::*field;
    const char* name;
    float bad;
  } rows[] = {{&clothc_cloth_parameters::self_collision_distance, "self_collision_distance", -1},
              {&clothc_cloth_parameters::self_collision_stiffness, "self_collision_stiffness", 1.5f},
              {&clothc_cloth_parameters::self_collision_friction, "self_collision_friction", not_a_number},
              {&clothc_cloth_parameters::self_collision_damping, "self_collision_damping", 2},
              {&clothc_cloth_parameters::inter_collision_distance, "inter_collision_distance", infinity},
              {&clothc_cloth_parameters::inter_collision_stiffness, "inter_collision_stiffness", -0.5f},
              {&clothc_cloth_parameters::inter_collision_friction, "inter_collision_friction", 101},
              {&clothc_cloth_parameters::inter_collision_damping, "inter_collision_damping", -1}};
  for (const auto& row : rows) {
    clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
    parameters.*row.field = row.bad;
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_parameters(scene.solver, scene.cloth, &parameters),
                 row.name);
  }
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  parameters.inter_collision_iterations = 65;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_set_parameters(scene.solver, scene.cloth, &parameters),
               "inter_collision_iterations", "65", "64");
}

TEST_P(ClothCollision, the_hash_shows_every_setting_that_has_an_effect) {
  Scene scene(GetParam());
  const auto hash_of = [&](const std::function<void(clothc_cloth_parameters&)>& change) {
    clothc_cloth_parameters parameters = colliding();
    change(parameters);
    EXPECT_OK(clothc_cloth_set_parameters(scene.solver, scene.cloth, &parameters));
    return scene.hash();
  };
  const uint64_t before = hash_of([](auto&) {});
  const std::function<void(clothc_cloth_parameters&)> changes[] = {
      [](auto& p) { p.self_collision_distance = 0.31f; },  [](auto& p) { p.self_collision_stiffness = 0.9f; },
      [](auto& p) { p.self_collision_friction = 0.3f; },   [](auto& p) { p.self_collision_damping = 0.1f; },
      [](auto& p) { p.inter_collision_distance = 0.21f; }, [](auto& p) { p.inter_collision_stiffness = 0.9f; },
      [](auto& p) { p.inter_collision_friction = 0.1f; },  [](auto& p) { p.inter_collision_damping = 0.6f; },
      [](auto& p) { p.inter_collision_iterations = 2; },   [](auto& p) { p.inter_collision_group = 2; },
      [](auto& p) { p.inter_collision_mask = 1; }};
  for (const auto& change : changes) EXPECT_NE(hash_of(change), before) << &change - changes;
  EXPECT_EQ(hash_of([](auto&) {}), before);
  const uint32_t chosen[] = {3, 4};
  ASSERT_OK(clothc_cloth_set_self_collision_particles(scene.solver, scene.cloth, chosen, 2));
  EXPECT_NE(scene.hash(), before);
  ASSERT_OK(clothc_cloth_set_self_collision_particles(scene.solver, scene.cloth, nullptr, 0));
  scene.set(rest_channel, scene.cloth, rests(1, 0));
  EXPECT_NE(scene.hash(), before);
}

// Two cloths collide, and a third one is added and removed. Clones, snapshots and compaction must continue identically.
TEST_P(ClothCollision, is_kept_by_clones_snapshots_and_compaction) {
  SceneOptions options(GetParam());
  options.has_cloth = false;
  Scene scene(options);
  const clothc_cloth_parameters parameters = colliding();
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.parameters = &parameters;
  clothc_cloth_id first = 0, cloth = 0;
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &first));
  ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &cloth));
  const uint32_t chosen[] = {1, 2, 3, 8, 9, 10, 22, 29};
  ASSERT_OK(clothc_cloth_set_self_collision_particles(scene.solver, cloth, chosen, 8));
  scene.set(rest_channel, cloth, rests(1, 0));
  scene.step(3);
  Scene other(options);
  const clothc_cloth_id copy = copy_in_every_way(scene, first, cloth, other);
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(other.hash(), scene.hash()) << "update " << k;
    if (k < 3) {
      EXPECT_EQ(other.get(rest_channel, copy), rests(1, 1));
    }
    scene.step();
    other.step();
    if (k != 2) continue;
    for (Scene* s : {&scene, &other}) {
      ASSERT_OK(clothc_cloth_remove(s->solver, copy));
      clothc_cloth_id next = 0;
      clothc_cloth_desc again = s->cloth_desc();
      again.parameters = &parameters;
      ASSERT_OK(clothc_cloth_add(s->solver, &again, &next));
    }
  }
}

}  // namespace
}  // namespace cloth_collision_test
