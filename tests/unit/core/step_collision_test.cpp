// step_collision_test.cpp - the jobs of a cloth that collides with itself. Collisions between cloths are tested in
// inter_collision_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/core/made_cloths.h"

namespace clothc::test::step_collision_test {
namespace {

bool is_of_collision_particles(const StagedJob& staged) {
  return is_about_collision_particles(static_cast<Kernel>(staged.job.kernel));
}

Cloth make_colliding(uint32_t particles) {
  Cloth cloth = make_cloth(2, make_fabric(particles, {}));
  cloth.parameters.self_collision_distance = 0.1f;
  build_jobs(cloth, {}, {}, cloth.jobs);
  return cloth;
}

TEST(StepCollision, a_cloth_collides_with_itself_once_it_has_with_shapes_and_before_it_is_tested_for_sleep) {
  Cloth cloth = make_colliding(100);
  cloth.parameters.collision_mass_scale = 1;
  build_jobs(cloth, shapes_for(true, true), {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.iteration),
            (Names{"begin_iteration", "transform_rounded_shapes", "transform_flat_shapes", "integrate",
                   "restore_masses", "collide_convexes", "collide_curved", "gather_collision_particles",
                   "refit_particle_bvh", "collide_self counts", "collide_self pushes"}));
  for (const auto part : {&JobList::before, &JobList::after, &JobList::inter_collision}) {
    const std::vector<StagedJob>& jobs = cloth.jobs.*part;
    EXPECT_EQ(std::count_if(jobs.begin(), jobs.end(), is_of_collision_particles), 0);
  }
}

TEST(StepCollision, a_cloth_that_does_not_collide_with_itself_has_no_jobs_for_it) {
  for (float clothc_cloth_parameters::*off :
       {&clothc_cloth_parameters::self_collision_distance, &clothc_cloth_parameters::self_collision_stiffness}) {
    Cloth cloth = make_colliding(100);
    cloth.set_inputs(channel_groups[group_rest].present());
    cloth.parameters.self_collision_friction = 1;
    cloth.parameters.*off = 0;
    build_jobs(cloth, {}, {}, cloth.jobs);
    EXPECT_EQ(names(cloth.jobs.before), (Names{"begin_group"}));
    EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration", "integrate"}));
  }
}

TEST(StepCollision, particles_are_slowed_down_where_there_is_friction_or_damping) {
  for (const bool has_friction : {false, true}) {
    for (const bool damps : {false, true}) {
      Cloth cloth = make_colliding(100);
      cloth.parameters.self_collision_friction = has_friction ? 0.5f : 0;
      cloth.parameters.self_collision_damping = damps ? 0.5f : 0;
      cloth.parameters.inter_collision_friction = cloth.parameters.inter_collision_damping = 1;
      build_jobs(cloth, {}, {}, cloth.jobs);
      Names expected{"begin_iteration",    "integrate",           "gather_collision_particles",
                     "refit_particle_bvh", "collide_self counts", "collide_self pushes"};
      if (has_friction || damps) expected.push_back("collide_self friction");
      EXPECT_EQ(names(cloth.jobs.iteration), expected);
      EXPECT_EQ(cloth.jobs.iteration[2].job.argument, has_friction || damps ? particles_move : 0u)
          << "previous positions";
    }
  }
}

TEST(StepCollision, jobs_have_the_range_of_the_particles_that_were_chosen) {
  Cloth cloth = make_colliding(5000);
  const auto expect_ranges = [&](uint32_t particles, const std::vector<Range>& boxes) {
    build_jobs(cloth, {}, {}, cloth.jobs);
    uint32_t level = static_cast<uint32_t>(boxes.size());
    for (const StagedJob& staged : cloth.jobs.iteration) {
      if (!is_of_collision_particles(staged)) continue;
      EXPECT_EQ(staged.job.record, 2u);
      EXPECT_EQ(staged.job.begin, 0u);
      if (staged.job.kernel != static_cast<uint32_t>(Kernel::refit_particle_bvh)) {
        EXPECT_EQ(staged.job.end, particles);
        continue;
      }
      ASSERT_GT(level, 0u);
      EXPECT_EQ(staged.job.argument, --level) << "the last level is fitted first";
      EXPECT_EQ(staged.job.end, boxes[level].end);
    }
    EXPECT_EQ(level, 0u);
  };
  // There are 2, 20 and 313 boxes.
  expect_ranges(5008, {{0, 16}, {0, 32}, {0, 320}});
  cloth.self_collision_particles = {7};
  expect_ranges(16, {{0, 16}});
  cloth.self_collision_particles.resize(256);
  expect_ranges(256, {{0, 16}});
  cloth.self_collision_particles.resize(257);
  expect_ranges(272, {{0, 16}, {0, 32}});
}

TEST(StepCollision, rest_positions_are_gathered_once_an_update_where_there_are_some) {
  Cloth cloth = make_colliding(100);
  EXPECT_EQ(names(cloth.jobs.before), (Names{"begin_group"}));
  cloth.set_inputs(channel_groups[group_rest].present());
  build_jobs(cloth, {}, {}, cloth.jobs);
  ASSERT_EQ(names(cloth.jobs.before), (Names{"begin_group", "gather_rest"}));
  EXPECT_EQ(cloth.jobs.before[1].job.end, 112u);
  cloth.self_collision_particles = {3, 4};
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(cloth.jobs.before[1].job.end, 16u);
}

TEST(StepCollision, a_cloth_that_collides_with_itself_is_tested_for_sleep_by_update) {
  Cloth cloth = make_cloth(2, make_fabric(100, {}));
  cloth.parameters.sleep_threshold = 1;
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.before), (Names{"begin_group"}));
  EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration", "integrate", "test_sleep"}));
  EXPECT_EQ(names(cloth.jobs.after), (Names{"reduce_bounds", "end_group"}));
  cloth.parameters.self_collision_distance = 0.1f;
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.before), (Names{"begin_group", "save_for_sleep"}));
  EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration", "integrate", "gather_collision_particles",
                                                "refit_particle_bvh", "collide_self counts", "collide_self pushes"}));
  EXPECT_EQ(names(cloth.jobs.after), (Names{"test_sleep_of_update", "reduce_bounds", "end_group"}));
  cloth.parameters.sleep_threshold = 0;
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.before), (Names{"begin_group"}));
  EXPECT_EQ(names(cloth.jobs.after), (Names{"reduce_bounds", "end_group"}));
}

}  // namespace
}  // namespace clothc::test::step_collision_test
