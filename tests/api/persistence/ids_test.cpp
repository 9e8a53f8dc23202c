// ids_test.cpp - ids are part of the state: a restored solver gives the ids that its original gives, and a call that
// fails changes neither the snapshot nor the ids that come.
#include <random>

#include "support/every_shape.h"
#include "support/groups.h"
#include "support/scene.h"

using namespace clothc_test;

namespace ids_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Ids);

// A solver that is full with few objects.
SceneOptions small(clothc_backend backend) {
  SceneOptions options(backend);
  options.columns = options.rows = 3;
  options.solver.particle_capacity = 192;
  return options;
}

clothc_group_desc two_particles() {
  static const std::vector<float> positions = {0, 0, 0, 1, 1, 0, 0, 1};
  return group_desc(positions);
}

// Restores a snapshot of the scene into another solver.
struct Twin : Scene {
  explicit Twin(const Scene& original) : Scene(without_cloth(original), &original) {
    const std::vector<uint8_t> bytes = original.snapshot();
    require(clothc_solver_restore(solver, bytes.data(), bytes.size(), &original.fabric, 1));
  }
  static SceneOptions without_cloth(const Scene& original) {
    SceneOptions options = small(CLOTHC_BACKEND_CPU);
    options.solver.cloth_capacity = original.info().cloth_capacity;
    options.has_cloth = false;
    return options;
  }
};

TEST_P(Ids, of_a_restored_solver_are_those_of_the_original) {
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    std::mt19937 random(seed);
    Scene scene(small(GetParam()));
    std::vector<clothc_cloth_id> groups;
    std::vector<clothc_collider_set_id> sets;
    for (uint32_t k = 0; k < 4; ++k) {
      groups.push_back(add_group(scene.solver, two_particles()));
      clothc_collider_set_id set = 0;
      if (k < 3) require(clothc_collider_set_create(scene.solver, &set));
      if (k < 3) sets.push_back(set);
    }
    for (int k = 0; k < 3; ++k) {
      const size_t which = random() % groups.size();
      require(clothc_cloth_remove(scene.solver, groups[which]));
      groups.erase(groups.begin() + static_cast<long>(which));
    }
    require(clothc_collider_set_destroy(scene.solver, sets[random() % 3]));
    Twin twin(scene);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(add_group(scene.solver, two_particles()), add_group(twin.solver, two_particles())) << "seed " << seed;
      clothc_collider_set_id one = 0, other = 0;
      ASSERT_OK(clothc_collider_set_create(scene.solver, &one));
      ASSERT_OK(clothc_collider_set_create(twin.solver, &other));
      EXPECT_EQ(one, other) << "seed " << seed;
      if (k > 0) continue;
      ASSERT_OK(clothc_collider_set_destroy(scene.solver, one));
      ASSERT_OK(clothc_collider_set_destroy(twin.solver, other));
    }
    EXPECT_EQ(scene.snapshot(), twin.snapshot()) << "seed " << seed;
  }
}

TEST_P(Ids, and_snapshots_do_not_change_by_adds_that_find_no_range) {
  Scene scene(small(GetParam()));
  const std::vector<float> many(4 * 1000, 1.0f);
  clothc_group_desc too_large = group_desc(many);
  Sheet large(20, 20);
  const clothc_fabric fabric = cook_fabric(scene.device, large.desc());
  clothc_cloth_desc cloth = scene.cloth_desc();
  cloth.fabric = fabric;
  // Leaves a slot that is used again, and one that would be new.
  const clothc_group_id removed = add_group(scene.solver, two_particles());
  for (const bool reuses : {false, true}) {
    if (reuses) {
      ASSERT_OK(clothc_cloth_remove(scene.solver, removed));
    }
    const std::vector<uint8_t> before = scene.snapshot();
    Twin twin(scene);
    uint32_t id = 7;
    EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_group_add(scene.solver, &too_large, &id), "particle_capacity");
    EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_cloth_add(scene.solver, &cloth, &id), "particle_capacity");
    EXPECT_EQ(scene.snapshot(), before);
    EXPECT_EQ(id, 7u);
    // Clones until there is no range.
    clothc_result result = CLOTHC_SUCCESS;
    std::vector<clothc_cloth_id> clones;
    std::vector<uint8_t> full;
    while (result == CLOTHC_SUCCESS) {
      full = scene.snapshot();
      result = clothc_cloth_clone(scene.solver, scene.cloth, &id);
      if (result == CLOTHC_SUCCESS) clones.push_back(id);
    }
    EXPECT_EQ(result, CLOTHC_ERROR_CAPACITY);
    EXPECT_EQ(scene.snapshot(), full);
    for (const clothc_cloth_id clone : clones) {
      uint32_t other = 0;
      ASSERT_OK(clothc_cloth_clone(twin.solver, scene.cloth, &other));
      EXPECT_EQ(other, clone);
    }
    for (const clothc_cloth_id clone : clones) ASSERT_OK(clothc_cloth_remove(scene.solver, clone));
  }
  require(clothc_fabric_destroy(fabric));
}

// A snapshot has no more slots than cloths ever lived at a time, so it fits into a solver with as many.
TEST_P(Ids, of_failed_adds_take_no_slot_in_a_smaller_solver) {
  SceneOptions options = small(GetParam());
  Scene scene(options);
  const std::vector<float> many(4 * 1000, 1.0f);
  const clothc_group_desc too_large = group_desc(many);
  uint32_t id = 0;
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_group_add(scene.solver, &too_large, &id), "particle_capacity");
  options.solver.cloth_capacity = 1;
  options.has_cloth = false;
  Scene smaller(options, &scene);
  const std::vector<uint8_t> bytes = scene.snapshot();
  ASSERT_OK(clothc_solver_restore(smaller.solver, bytes.data(), bytes.size(), &scene.fabric, 1));
  EXPECT_EQ(smaller.hash(), scene.hash());
}

}  // namespace
}  // namespace ids_test
