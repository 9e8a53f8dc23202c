// colliding_cloths_test.cpp - cloths that collide with each other (colliding_cloths.h) while other cloths are added and
// removed and while their settings change. A cloth that no longer collides must not affect the bits of the others.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/colliding_cloths.h"

using namespace clothc_test;

namespace colliding_cloths_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(CollidingCloths);

clothc_result choose(const Scene& scene, clothc_cloth_id id, const std::vector<uint32_t>& particles) {
  return clothc_cloth_set_self_collision_particles(scene.solver, id, particles.data(),
                                                   static_cast<uint32_t>(particles.size()));
}

float greatest_speed(const Scene& scene, clothc_cloth_id id) {
  const std::vector<float> velocities = scene.get(CLOTHC_CHANNEL_VELOCITY, id);
  float most = 0;
  for (size_t k = 0; k < velocities.size(); k += 4)
    most = std::max({most, std::fabs(velocities[k]), std::fabs(velocities[k + 1]), std::fabs(velocities[k + 2])});
  return most;
}

TEST_P(CollidingCloths, go_on_alone_when_those_that_they_are_in_contact_with_are_removed) {
  CollidingScene scene(GetParam());
  const std::vector<uint8_t> bytes = scene.snapshot();
  scene.step(20);
  for (const clothc_cloth_id left : {scene.upper, scene.upper_in_passes}) {
    CollidingScene deserted(scene, bytes), alone(scene, bytes);
    alone.pass_through(left);
    for (const clothc_cloth_id id : {scene.lower, scene.lower_in_passes, scene.upper, scene.upper_in_passes}) {
      if (id == left) continue;
      ASSERT_OK(clothc_cloth_remove(deserted.solver, id));
    }
    for (int frame = 0; frame < 20; ++frame) {
      deserted.step();
      alone.step();
      ASSERT_EQ(deserted.positions(left), alone.positions(left)) << "update " << frame;
    }
    EXPECT_NE(deserted.positions(left), scene.positions(left));
  }
}

TEST_P(CollidingCloths, are_pushed_by_one_that_is_added) {
  CollidingScene scene(GetParam());
  const std::vector<uint8_t> bytes = scene.snapshot();
  scene.step(20);
  for (const uint32_t iterations : {0u, 3u}) {
    CollidingScene joined(scene, bytes), passed(scene, bytes);
    const clothc_cloth_id third = joined.add_sheet(iterations == 0 ? 0.45f : -1.55f, -10, iterations);
    passed.pass_through(passed.add_sheet(iterations == 0 ? 0.45f : -1.55f, -10, iterations));
    joined.step(20);
    passed.step(20);
    EXPECT_NE(joined.positions(third), passed.positions(third));
    for (const clothc_cloth_id id : {scene.lower, scene.upper, scene.lower_in_passes, scene.upper_in_passes}) {
      const bool overlaps_it = (id == scene.lower || id == scene.upper) == (iterations == 0);
      EXPECT_EQ(joined.positions(id) == scene.positions(id), !overlaps_it);
      EXPECT_EQ(passed.positions(id), scene.positions(id));
    }
  }
}

// The result is the same whether or not an update has run without the removed cloth.
TEST_P(CollidingCloths, may_be_replaced_between_updates) {
  CollidingScene scene(GetParam());
  CollidingScene twin(scene, scene.snapshot());
  for (const clothc_cloth_id id : {scene.lower, scene.upper_in_passes}) {
    clothc_cloth_id added[2] = {};
    for (CollidingScene* one : {&scene, &twin}) {
      ASSERT_OK(clothc_cloth_remove(one->solver, id));
      if (one == &twin) one->step(1, 0);
      added[one == &twin] = id == scene.lower ? one->add_sheet(-0.01f, 10, 0) : one->add_sheet(-1.76f, -10, 1);
    }
    EXPECT_EQ(added[0], added[1]);
    for (int frame = 0; frame < 10; ++frame) {
      EXPECT_EQ(scene.hash(), twin.hash()) << "update " << frame;
      scene.step();
      twin.step();
    }
    CollidingScene passed(scene, scene.snapshot());
    passed.pass_through(added[0]);
    passed.step(10);
    scene.step(10);
    twin.step(10);
    EXPECT_NE(passed.positions(added[0]), scene.positions(added[0])) << "it touches nothing";
  }
}

TEST_P(CollidingCloths, collide_with_the_particles_that_are_chosen_while_they_do) {
  CollidingScene scene(GetParam());
  std::vector<uint32_t> all(30);
  std::iota(all.begin(), all.end(), 0u);
  for (const clothc_cloth_id id : {scene.upper, scene.upper_in_passes}) {
    for (const std::vector<uint32_t>& chosen :
         {all, {7}, {}, {0, 6, 7, 8, 12, 13, 14, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}, {}}) {
      CollidingScene unchosen(scene, scene.snapshot());
      ASSERT_OK(choose(unchosen, id, {}));
      ASSERT_OK(choose(scene, id, chosen));
      CollidingScene twin(scene, scene.snapshot());
      for (int frame = 0; frame < 5; ++frame) {
        for (CollidingScene* one : {&scene, &twin, &unchosen}) one->step();
        ASSERT_EQ(twin.hash(), scene.hash()) << chosen.size() << " chosen, update " << frame;
      }
      const bool has_all = chosen.empty() || chosen.size() == 30;
      EXPECT_EQ(unchosen.positions(id) == scene.positions(id), has_all) << chosen.size() << " chosen";
    }
  }
}

TEST_P(CollidingCloths, pass_each_other_while_their_groups_and_masks_part_them) {
  const std::function<void(clothc_cloth_parameters&)> partings[] = {
      [](auto& p) { p.inter_collision_mask = 2; }, [](auto& p) { p.inter_collision_group = 0; },
      [](auto& p) { p.inter_collision_mask = 0; }, [](auto& p) { p.inter_collision_stiffness = 0; }};
  CollidingScene scene(GetParam());
  for (const auto& part : partings) {
    const std::vector<uint8_t> bytes = scene.snapshot();
    CollidingScene parted(scene, bytes), passed(scene, bytes);
    scene.step(5);
    for (const clothc_cloth_id id : {scene.upper, scene.upper_in_passes}) {
      parted.change_parameters(id, part);
      passed.pass_through(id);
    }
    parted.step(5);
    passed.step(5);
    for (const clothc_cloth_id id : {scene.upper, scene.lower, scene.upper_in_passes, scene.lower_in_passes}) {
      EXPECT_EQ(parted.positions(id), passed.positions(id)) << &part - partings;
      EXPECT_NE(parted.positions(id), scene.positions(id)) << &part - partings;
    }
    // The cloths collide again.
    for (const clothc_cloth_id id : {scene.upper, scene.upper_in_passes}) {
      parted.change_parameters(id, [&](auto& p) { p = CollidingScene::colliding(-10, id == scene.upper ? 0 : 2); });
    }
    parted.step(5);
    passed.step(5);
    EXPECT_NE(parted.positions(scene.upper), passed.positions(scene.upper)) << &part - partings;
  }
}

TEST_P(CollidingCloths, collide_only_with_those_that_collide_when_they_do) {
  CollidingScene scene(GetParam());
  for (const uint32_t iterations : {2u, 0u}) {
    const std::vector<uint8_t> bytes = scene.snapshot();
    CollidingScene passed(scene, bytes);
    scene.change_parameters(scene.upper, [&](auto& p) { p.inter_collision_iterations = iterations; });
    passed.pass_through(scene.upper);
    scene.step(5);
    passed.step(5);
    EXPECT_EQ(scene.positions(scene.upper) == passed.positions(scene.upper), iterations == 2) << iterations;
    EXPECT_EQ(scene.positions(scene.lower) == passed.positions(scene.lower), iterations == 2) << iterations;
  }
}

TEST_P(CollidingCloths, of_two_solvers_do_not_collide) {
  CollidingScene both(GetParam());
  const std::vector<uint8_t> bytes = both.snapshot();
  CollidingScene with_lower(both, bytes), with_upper(both, bytes), passed(both, bytes);
  for (const clothc_cloth_id id : {both.upper, both.upper_in_passes}) {
    ASSERT_OK(clothc_cloth_remove(with_lower.solver, id));
    passed.pass_through(id);
  }
  for (const clothc_cloth_id id : {both.lower, both.lower_in_passes})
    ASSERT_OK(clothc_cloth_remove(with_upper.solver, id));
  for (int frame = 0; frame < 10; ++frame) {
    for (CollidingScene* one : {&both, &with_lower, &with_upper, &passed}) one->step();
    for (const clothc_cloth_id id : {both.lower, both.lower_in_passes}) {
      ASSERT_EQ(with_lower.positions(id), passed.positions(id)) << "update " << frame;
      EXPECT_NE(with_lower.positions(id), both.positions(id)) << "update " << frame;
    }
    for (const clothc_cloth_id id : {both.upper, both.upper_in_passes}) {
      ASSERT_EQ(with_upper.positions(id), passed.positions(id)) << "update " << frame;
      EXPECT_NE(with_upper.positions(id), both.positions(id)) << "update " << frame;
    }
  }
}

// Adds a sheet without held particles, 5 m from the origin.
clothc_cloth_id add_loose(Scene& scene, float height, const clothc_cloth_parameters& parameters) {
  std::vector<float> positions;
  for (size_t k = 0; k < 30; ++k) {
    const float* p = &scene.sheet.positions[k * 3];
    positions.insert(positions.end(), {p[0] + 5, p[1] + height, p[2], 1.0f});
  }
  clothc_cloth_desc desc = scene.cloth_desc();
  desc.positions = positions.data();
  desc.parameters = &parameters;
  return scene.add(desc);
}

// A sheet moves at 1 m/s towards a sheet that no cloth has reached yet. The second sheet is asleep or not, and has the
// same number of iterations or fewer.
TEST_P(CollidingCloths, are_not_made_faster_by_those_that_rest) {
  struct Row {
    uint32_t passes;
    float frequency;
    bool sleeps;
  };
  for (const Row& row :
       {Row{0, 300, false}, {0, 300, true}, {0, 60, false}, {0, 60, true}, {2, 60, false}, {2, 300, true}}) {
    Scene scene(CollidingScene::without_cloth(SceneOptions(GetParam())));
    clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
    parameters.gravity[1] = 0;
    parameters.inter_collision_distance = 0.1f;
    parameters.inter_collision_damping = 1;
    parameters.inter_collision_iterations = row.passes;
    const clothc_cloth_id coming = add_loose(scene, 0.1443f + 10.0f / 60, parameters);
    std::vector<float> velocities;
    for (uint32_t k = 0; k < 30; ++k) velocities.insert(velocities.end(), {0, -1, 0, 0});
    scene.set(CLOTHC_CHANNEL_VELOCITY, coming, velocities);
    parameters.solver_frequency = row.frequency;
    parameters.sleep_threshold = row.sleeps ? 0.01f : 0;
    parameters.sleep_test_interval = 10, parameters.sleep_after_count = 3;
    const clothc_cloth_id resting = add_loose(scene, 0, parameters);
    scene.step(10);
    EXPECT_EQ(scene.status(resting).flags, row.sleeps ? uint32_t{CLOTHC_STATUS_ASLEEP} : 0u);
    float speed = 0;
    for (int frame = 0; frame < 20; ++frame) {
      scene.step();
      speed = std::max({speed, greatest_speed(scene, coming), greatest_speed(scene, resting)});
    }
    EXPECT_LT(speed, 1.01f) << row.passes << " passes, " << row.frequency << " Hz, sleeps " << row.sleeps;
    EXPECT_LT(greatest_speed(scene, coming), 0.9f) << "they never met";
  }
}

// Values derived from a set velocity are read by the first passes of an update, on every backend.
TEST_P(CollidingCloths, begin_with_velocities_rest_positions_and_what_is_kept_for_sleep) {
  for (const float threshold : {0.0f, 0.01f}) {
    Scene scene(CollidingScene::without_cloth(SceneOptions(GetParam())));
    clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
    parameters.gravity[1] = 0;
    parameters.self_collision_distance = 0.1f;
    parameters.sleep_threshold = threshold;
    const clothc_cloth_id cloth = add_loose(scene, 0, parameters);
    std::vector<float> rest = scene.get(CLOTHC_CHANNEL_POSITION, cloth);
    std::vector<float> velocities;
    for (uint32_t k = 0; k < 30; ++k) {
      velocities.insert(velocities.end(), {0, -1, 0, 0});
      // This gives the particle a rest position.
      rest[size_t{k} * 4 + 3] = 1;
    }
    scene.set(CLOTHC_CHANNEL_REST_POSITION, cloth, rest);
    scene.set(CLOTHC_CHANNEL_VELOCITY, cloth, velocities);
    scene.step();
    EXPECT_NEAR(greatest_speed(scene, cloth), 1, 1e-3f) << "threshold " << threshold;
  }
}

}  // namespace
}  // namespace colliding_cloths_test
