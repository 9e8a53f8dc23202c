// step_collision_test.cpp - the works of a cloth that collides with itself. Those of cloths that meet are in meeting_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "made_cloths.h"

namespace clothc::test {
namespace {

// Which kernels have works over points or over boxes around them.
bool is_about_points(const StagedWork& staged) {
  const Domain domain = info_of(static_cast<Kernel>(staged.work.kernel)).domain;
  return domain == Domain::point || domain == Domain::box;
}

Cloth make_colliding(uint32_t particles) {
  Cloth cloth = make_cloth(2, make_fabric(particles, {}));
  cloth.parameters.self_collision_distance = 0.1f;
  list_works(cloth, {}, {}, cloth.works);
  return cloth;
}

TEST(StepCollision, a_cloth_collides_with_itself_once_it_has_with_shapes_and_before_it_is_tested_for_sleep) {
  Cloth cloth = make_colliding(100);
  cloth.parameters.collision_mass_scale = 1;
  list_works(cloth, shapes_for(true, true), {}, cloth.works);
  EXPECT_EQ(names(cloth.works.iteration),
            (Names{"begin_iteration", "place_shapes", "integrate", "restore_masses", "collide_convexes",
                   "collide_rounds", "gather_points", "bound_points", "count_self", "collide_self"}));
  for (const auto part : {&WorkList::before, &WorkList::after, &WorkList::meeting}) {
    const std::vector<StagedWork>& works = cloth.works.*part;
    EXPECT_EQ(std::count_if(works.begin(), works.end(), is_about_points), 0);
  }
}

TEST(StepCollision, a_cloth_that_does_not_collide_with_itself_has_no_works_for_it) {
  for (float clothc_cloth_parameters::*off :
       {&clothc_cloth_parameters::self_collision_distance, &clothc_cloth_parameters::self_collision_stiffness}) {
    Cloth cloth = make_colliding(100);
    cloth.has_rest = true;
    cloth.parameters.self_collision_friction = 1;
    cloth.parameters.*off = 0;
    list_works(cloth, {}, {}, cloth.works);
    EXPECT_EQ(names(cloth.works.before), (Names{"begin_cloth"}));
    EXPECT_EQ(names(cloth.works.iteration), (Names{"begin_iteration", "integrate"}));
  }
}

TEST(StepCollision, points_settle_where_there_is_friction_or_damping) {
  for (const bool rubs : {false, true}) {
    for (const bool damps : {false, true}) {
      Cloth cloth = make_colliding(100);
      cloth.parameters.self_collision_friction = rubs ? 0.5f : 0;
      cloth.parameters.self_collision_damping = damps ? 0.5f : 0;
      cloth.parameters.inter_collision_friction = cloth.parameters.inter_collision_damping = 1;
      list_works(cloth, {}, {}, cloth.works);
      Names expected{"begin_iteration", "integrate", "gather_points", "bound_points", "count_self", "collide_self"};
      if (rubs || damps) expected.push_back("settle_self");
      EXPECT_EQ(names(cloth.works.iteration), expected);
      EXPECT_EQ(cloth.works.iteration[2].work.argument, rubs || damps ? points_move : 0u) << "previous positions";
    }
  }
}

TEST(StepCollision, works_have_the_range_of_the_points_that_were_chosen) {
  Cloth cloth = make_colliding(5000);
  const auto expect_ranges = [&](uint32_t points, const std::vector<Range>& boxes) {
    list_works(cloth, {}, {}, cloth.works);
    uint32_t level = static_cast<uint32_t>(boxes.size());
    for (const StagedWork& staged : cloth.works.iteration) {
      if (!is_about_points(staged)) continue;
      EXPECT_EQ(staged.work.cloth, 2u);
      EXPECT_EQ(staged.work.begin, 0u);
      if (staged.work.kernel != static_cast<uint32_t>(Kernel::bound_points)) {
        EXPECT_EQ(staged.work.end, points);
        continue;
      }
      ASSERT_GT(level, 0u);
      EXPECT_EQ(staged.work.argument, --level) << "the last level is fitted first";
      EXPECT_EQ(staged.work.end, boxes[level].end);
    }
    EXPECT_EQ(level, 0u);
  };
  expect_ranges(5008, {{0, 16}, {0, 32}, {0, 320}});  // 2, 20 and 313 boxes
  cloth.self_collision_particles = {7};
  expect_ranges(16, {{0, 16}});
  cloth.self_collision_particles.resize(256);
  expect_ranges(256, {{0, 16}});
  cloth.self_collision_particles.resize(257);
  expect_ranges(272, {{0, 16}, {0, 32}});
}

TEST(StepCollision, rest_positions_are_gathered_once_an_update_where_there_are_some) {
  Cloth cloth = make_colliding(100);
  EXPECT_EQ(names(cloth.works.before), (Names{"begin_cloth"}));
  cloth.has_rest = true;
  list_works(cloth, {}, {}, cloth.works);
  ASSERT_EQ(names(cloth.works.before), (Names{"begin_cloth", "gather_rest"}));
  EXPECT_EQ(cloth.works.before[1].work.end, 112u);
  cloth.self_collision_particles = {3, 4};
  list_works(cloth, {}, {}, cloth.works);
  EXPECT_EQ(cloth.works.before[1].work.end, 16u);
}

TEST(StepCollision, a_cloth_that_collides_with_itself_is_tested_for_sleep_by_update) {
  Cloth cloth = make_cloth(2, make_fabric(100, {}));
  cloth.parameters.sleep_threshold = 1;
  list_works(cloth, {}, {}, cloth.works);
  EXPECT_EQ(names(cloth.works.before), (Names{"begin_cloth"}));
  EXPECT_EQ(names(cloth.works.iteration), (Names{"begin_iteration", "integrate", "test_sleep"}));
  EXPECT_EQ(names(cloth.works.after), (Names{"reduce_bounds", "end_cloth"}));
  cloth.parameters.self_collision_distance = 0.1f;
  list_works(cloth, {}, {}, cloth.works);
  EXPECT_EQ(names(cloth.works.before), (Names{"begin_cloth", "keep_for_sleep"}));
  EXPECT_EQ(names(cloth.works.iteration),
            (Names{"begin_iteration", "integrate", "gather_points", "bound_points", "count_self", "collide_self"}));
  EXPECT_EQ(names(cloth.works.after), (Names{"test_sleep_of_update", "reduce_bounds", "end_cloth"}));
  cloth.parameters.sleep_threshold = 0;
  list_works(cloth, {}, {}, cloth.works);
  EXPECT_EQ(names(cloth.works.before), (Names{"begin_cloth"}));
  EXPECT_EQ(names(cloth.works.after), (Names{"reduce_bounds", "end_cloth"}));
}

}  // namespace
}  // namespace clothc::test
