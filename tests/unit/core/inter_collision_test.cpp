// inter_collision_test.cpp - which cloths of a solver collide, and which jobs they get for it.
#include <algorithm>
#include <set>
#include <tuple>

#include "core/schedule/schedule.h"
#include "unit/core/made_cloths.h"
#include "unit/core/host_scene.h"

namespace clothc::test::core_inter_collision_test {
namespace {

using Slots = std::set<uint32_t>;

bool has(const std::vector<StagedJob>& jobs, Kernel kernel) {
  return std::any_of(jobs.begin(), jobs.end(),
                     [&](const StagedJob& staged) { return staged.job.kernel == static_cast<uint32_t>(kernel); });
}

bool is_about_inter_collision(const StagedJob& staged) {
  const auto kernel = static_cast<Kernel>(staged.job.kernel);
  return is_about_collision_particles(kernel) || info_of(kernel).scope == Scope::solver;
}

// A pass over collision particles or over boxes around them: its kernel, its argument and the cloths that have jobs in
// it.
using CollisionParticlePass = std::tuple<std::string, uint32_t, Slots>;

std::vector<CollisionParticlePass> collision_particle_passes(const Schedule& schedule, uint32_t begin, uint32_t end) {
  std::vector<CollisionParticlePass> passes;
  for (uint32_t k = begin; k < end; ++k) {
    const Pass& pass = schedule.passes[k];
    const Job& first = schedule.jobs[pass.first_job];
    if (!is_about_collision_particles(static_cast<Kernel>(first.kernel))) continue;
    Slots slots;
    for (uint32_t w = 0; w < pass.job_count; ++w) {
      const Job& job = schedule.jobs[pass.first_job + w];
      EXPECT_TRUE(job.kernel == first.kernel && job.argument == first.argument) << "cloths are out of step";
      slots.insert(job.record);
    }
    passes.push_back({name_of(first), first.argument, slots});
  }
  return passes;
}

TEST(InterCollision, a_cloth_that_has_none_to_collide_with_has_no_jobs_for_it) {
  clothc_cloth_parameters unlike[4];
  for (clothc_cloth_parameters& parameters : unlike) parameters = inter_collision(0);
  unlike[0].inter_collision_distance = unlike[1].inter_collision_stiffness = 0;
  unlike[2].inter_collision_group = unlike[3].inter_collision_mask = 0;
  HostScene scene;
  const clothc_cloth_id cloth = scene.add(inter_collision(0));
  const auto expect_alone = [&](const char* why) {
    EXPECT_EQ(scene.update().size(), 1u) << why;
    for (const Cloth* one : scene.cloths()) {
      EXPECT_FALSE(one->collides_with_cloths || one->only_in_passes) << why;
      EXPECT_TRUE(one->jobs.inter_collision.empty()) << why;
      EXPECT_TRUE(has(one->jobs.after, Kernel::end_group)) << why;
      for (const auto part : {&JobList::before, &JobList::iteration}) {
        const std::vector<StagedJob>& jobs = one->jobs.*part;
        EXPECT_EQ(std::count_if(jobs.begin(), jobs.end(), is_about_inter_collision), 0) << why;
      }
    }
  };
  expect_alone("it is alone in the solver");
  for (const clothc_cloth_parameters& parameters : unlike) {
    const clothc_cloth_id other = scene.add(parameters);
    expect_alone("the other one collides with none");
    scene.set(other, inter_collision(0));
    EXPECT_EQ(scene.update().size(), 2u);
    for (const Cloth* one : scene.cloths()) {
      EXPECT_TRUE(one->collides_with_cloths && one->only_in_passes);
      EXPECT_TRUE(has(one->jobs.iteration, Kernel::collide_cloths));
      EXPECT_TRUE(one->jobs.after.empty());
      EXPECT_TRUE(has(one->jobs.inter_collision, Kernel::end_group));
    }
    scene.remove(other);
    expect_alone("the other one is gone");
  }
  EXPECT_EQ(scene.cloth(cloth).inter_index, 0u);
}

TEST(InterCollision, an_update_ends_with_as_many_passes_as_a_cloth_wants_at_most) {
  HostScene scene;
  const clothc_cloth_id cloths[] = {scene.add(inter_collision(1)), scene.add(inter_collision(3)),
                                    scene.add(inter_collision(2))};
  const auto expect_passes = [&](const std::vector<Slots>& expected) {
    const auto schedules = scene.update();
    ASSERT_EQ(schedules.size(), 2u);
    EXPECT_TRUE(
        collision_particle_passes(*schedules[0], 0, static_cast<uint32_t>(schedules[0]->passes.size())).empty());
    std::vector<CollisionParticlePass> found;
    for (const CollisionParticlePass& pass :
         collision_particle_passes(*schedules[1], 0, static_cast<uint32_t>(schedules[1]->passes.size()))) {
      if (std::get<0>(pass) == "collide_cloths pushes") found.push_back(pass);
    }
    ASSERT_EQ(found.size(), expected.size());
    for (uint32_t k = 0; k < expected.size(); ++k)
      EXPECT_EQ(found[k], CollisionParticlePass("collide_cloths pushes", k | 1u << walk_shift, expected[k]));
  };
  expect_passes({{0, 1, 2}, {1, 2}, {1}});
  scene.set(cloths[1], inter_collision(2));
  expect_passes({{0, 1, 2}, {1, 2}});
  scene.set(cloths[0], inter_collision(64));
  std::vector<Slots> many(64, Slots{0});
  many[0] = {0, 1, 2};
  many[1] = {0, 1, 2};
  expect_passes(many);
  scene.remove(cloths[0]);
  expect_passes({{1, 2}, {1, 2}});
}

TEST(InterCollision, cloths_collide_in_iterations_in_passes_whatever_the_solver_wants) {
  HostScene scene;
  const clothc_cloth_id in_iterations = scene.add(inter_collision(0)), afterwards = scene.add(inter_collision(2));
  const clothc_cloth_id alone = scene.add(make_default<clothc_cloth_parameters>());
  const auto programs = [&] {
    scene.update();
    const auto schedule = build_schedule(divide(scene.cloths(), CLOTHC_SCHEDULE_CLOTH, {2, 8}), {2, 8});
    Slots slots;
    for (const Program& program : schedule->programs) slots.insert(program.record);
    return slots;
  };
  EXPECT_EQ(programs(), Slots{scene.cloth(alone).slot});
  EXPECT_TRUE(has(scene.cloth(in_iterations).jobs.iteration, Kernel::collide_cloths));
  EXPECT_FALSE(has(scene.cloth(in_iterations).jobs.inter_collision, Kernel::collide_cloths));
  EXPECT_FALSE(has(scene.cloth(afterwards).jobs.iteration, Kernel::collide_cloths));
  EXPECT_TRUE(has(scene.cloth(afterwards).jobs.inter_collision, Kernel::collide_cloths));
  scene.set(in_iterations, inter_collision(1));
  EXPECT_EQ(programs(), (Slots{0, 1, 2})) << "none collide in iterations";
  scene.set(in_iterations, inter_collision(0));
  EXPECT_EQ(programs(), Slots{scene.cloth(alone).slot});
  scene.remove(in_iterations);
  EXPECT_EQ(programs(), (Slots{1, 2})) << "none are left to collide with";
}

TEST(InterCollision, cloths_whose_bvhs_differ_in_depth_stay_in_step) {
  clothc_cloth_parameters parameters = inter_collision(0);
  parameters.self_collision_distance = 0.05f;
  HostScene scene;
  for (const uint32_t particles : {4500u, 20u, 300u}) scene.add(parameters, particles);
  parameters.inter_collision_iterations = 1;
  scene.add(parameters, 20);
  const auto schedules = scene.update();
  ASSERT_EQ(schedules.size(), 2u);
  const uint32_t of_self = 0, in_world = particles_in_world;
  EXPECT_EQ(collision_particle_passes(*schedules[0], schedules[0]->repeat_begin, schedules[0]->repeat_end),
            (std::vector<CollisionParticlePass>{
                {"gather_collision_particles", of_self, {0, 1, 2, 3}},
                {"refit_particle_bvh", 2, {0}},
                {"refit_particle_bvh", 1, {0, 2}},
                {"refit_particle_bvh", 0, {0, 1, 2, 3}},
                {"collide_self counts", 0, {0, 1, 2, 3}},
                {"collide_self pushes", 1u << walk_shift, {0, 1, 2, 3}},
                {"gather_collision_particles", in_world, {0, 1, 2}},
                {"refit_particle_bvh", 2, {0}},
                {"refit_particle_bvh", 1, {0, 2}},
                {"refit_particle_bvh", 0, {0, 1, 2}},
                {"collide_cloths counts", inter_in_iteration, {0, 1, 2}},
                {"collide_cloths pushes", inter_in_iteration | 1u << walk_shift, {0, 1, 2}}}));
  EXPECT_EQ(collision_particle_passes(*schedules[0], 0, schedules[0]->repeat_begin),
            (std::vector<CollisionParticlePass>{{"gather_collision_particles", in_world, {0, 1, 2}},
                                                {"refit_particle_bvh", 2, {0}},
                                                {"refit_particle_bvh", 1, {0, 2}},
                                                {"refit_particle_bvh", 0, {0, 1, 2}}}))
      << "cloths that sleep are there too";
}

TEST(InterCollision, jobs_for_the_bvh_of_all_are_listed_with_the_first_of_the_cloths_that_collide) {
  HostScene scene;
  const clothc_cloth_id first = scene.add(inter_collision(1));
  for (uint32_t k = 1; k < 20; ++k) scene.add(inter_collision(k % 3));
  for (const uint32_t expected : {0u, 1u}) {
    scene.update();
    for (const Cloth* cloth : scene.cloths()) {
      EXPECT_EQ(cloth->inter_index, cloth->slot - expected);
      EXPECT_EQ(has(cloth->jobs.inter_collision, Kernel::refit_cloth_bvh), cloth->slot == expected);
    }
    if (expected == 0) scene.remove(first);
  }
}

TEST(InterCollision, all_that_collide_have_friction_where_one_has_friction_or_damping) {
  for (float clothc_cloth_parameters::*field :
       {&clothc_cloth_parameters::inter_collision_friction, &clothc_cloth_parameters::inter_collision_damping}) {
    HostScene scene;
    clothc_cloth_parameters with_friction = inter_collision(1);
    with_friction.*field = 0.5f;
    const clothc_cloth_id cloth = scene.add(inter_collision(0)), other = scene.add(inter_collision(1));
    const auto find_friction = [&] {
      scene.update();
      std::vector<uint32_t> arguments;
      for (const StagedJob& staged : scene.cloth(cloth).jobs.iteration) {
        if (staged.job.kernel == static_cast<uint32_t>(Kernel::gather_collision_particles))
          arguments.push_back(staged.job.argument & particles_move);
      }
      EXPECT_EQ(arguments.size(), 1u);
      const bool has_friction = has_named(scene.cloth(cloth).jobs.iteration, "collide_cloths friction");
      EXPECT_EQ(has_named(scene.cloth(other).jobs.inter_collision, "collide_cloths friction"), has_friction);
      EXPECT_EQ(arguments, std::vector<uint32_t>{has_friction ? particles_move : 0u}) << "previous positions";
      return has_friction;
    };
    EXPECT_FALSE(find_friction());
    scene.set(other, with_friction);
    EXPECT_TRUE(find_friction());
    scene.set(other, inter_collision(1));
    EXPECT_FALSE(find_friction());
  }
}

TEST(InterCollision, cloths_that_collide_are_tested_for_sleep_by_update_once_they_have_collided) {
  for (const uint32_t iterations : {0u, 3u}) {
    HostScene scene;
    clothc_cloth_parameters sleepy = inter_collision(iterations);
    sleepy.sleep_threshold = 0.1f;
    const clothc_cloth_id cloth = scene.add(sleepy), wakeful = scene.add(inter_collision(iterations));
    scene.update();
    const JobList& jobs = scene.cloth(cloth).jobs;
    EXPECT_TRUE(has(jobs.before, Kernel::save_for_sleep));
    EXPECT_FALSE(has(jobs.iteration, Kernel::test_sleep));
    EXPECT_TRUE(jobs.after.empty());
    Names end = names(jobs.inter_collision);
    ASSERT_GE(end.size(), 4u);
    EXPECT_EQ((Names{end.end() - 4, end.end()}),
              (Names{"collide_cloths wakes", "test_sleep_of_update", "reduce_bounds", "end_group"}));
    const Job& wake = jobs.inter_collision[end.size() - 4].job;
    EXPECT_EQ(wake.argument, inter_restless | (iterations == 0 ? inter_in_iteration : 0u));
    EXPECT_EQ(wake.end, 32u);
    for (const auto part : {&JobList::before, &JobList::iteration, &JobList::inter_collision}) {
      for (const Kernel kernel : {Kernel::save_for_sleep, Kernel::test_sleep, Kernel::test_sleep_of_update})
        EXPECT_FALSE(has(scene.cloth(wakeful).jobs.*part, kernel)) << info_of(kernel).name;
      EXPECT_FALSE(has_named(scene.cloth(wakeful).jobs.*part, "collide_cloths wakes"));
    }
    scene.remove(wakeful);
    scene.update();
    EXPECT_EQ(names(jobs.before), (Names{"begin_group"}));
    EXPECT_TRUE(has(jobs.iteration, Kernel::test_sleep)) << "alone it is tested in iterations";
    EXPECT_EQ(names(jobs.after), (Names{"reduce_bounds", "end_group"}));
  }
}

}  // namespace
}  // namespace clothc::test::core_inter_collision_test
