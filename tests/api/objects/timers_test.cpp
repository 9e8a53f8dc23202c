// timers_test.cpp - the times of updates: they are measured only when asked for, arrive without waiting, add up, and
// change nothing else. How long anything takes is not tested.
#include <numeric>

#include "support/everything.h"
#include "support/timed.h"

using namespace clothc_test;

namespace timers_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Timers);

uint64_t sum(const uint64_t* first, size_t count) { return std::accumulate(first, first + count, uint64_t{0}); }

// Expects parts and stages to be no more than what they divide.
void expect_sums(const clothc_timers& timers) {
  const uint64_t parts = sum(timers.part_ns, CLOTHC_PART_COUNT);
  EXPECT_GT(timers.total_ns, 0u);
  EXPECT_LE(parts, timers.total_ns);
  const uint64_t staged = parts - timers.part_ns[CLOTHC_PART_UPLOAD] - timers.part_ns[CLOTHC_PART_CHANNELS];
  EXPECT_LE(sum(timers.stage_ns, CLOTHC_STAGE_COUNT), staged);
  for (size_t k = CLOTHC_PART_COUNT; k < 16; ++k) EXPECT_EQ(timers.part_ns[k], 0u);
  for (size_t k = CLOTHC_STAGE_COUNT; k < 32; ++k) EXPECT_EQ(timers.stage_ns[k], 0u);
}

TEST_P(Timers, are_not_measured_unless_asked_for) {
  Scene scene(GetParam());
  scene.step(5);
  EXPECT_EQ(timers_of(scene).update, 0u);
  EXPECT_EQ(timers_of(scene).total_ns, 0u);
  EXPECT_EQ(timed_step(scene).update, 6u);
  scene.step(3);
  EXPECT_EQ(timers_of(scene).update, 6u) << "the last update that was measured";
  EXPECT_EQ(timed_step(scene).update, 11u);
}

TEST_P(Timers, arrive_only_once_the_update_has_ended) {
  Scene scene(GetParam());
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  step_timed(scene);
  EXPECT_EQ(timers_of(scene).update, 0u) << "the update cannot have begun";
  require(clothc_fence_signal(fence, 1));
  require(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  scene.step();
  EXPECT_EQ(timers_of(scene).update, 2u);
}

TEST_P(Timers, name_the_parts_and_stages_of_an_update) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    SceneOptions options(GetParam());
    options.solver.schedule = schedule;
    Scene scene(options);
    scene.change_parameters(scene.cloth, [](auto& p) { p.solver_frequency = 600; });
    const clothc_timers timers = timed_step(scene);
    expect_sums(timers);
    EXPECT_EQ(timers.particle_count, 30u);
    EXPECT_EQ(timers.iteration_count, 10u);
    EXPECT_EQ(timers.contact_count, 0u);
    const clothc_fabric_info fabric = fabric_info(scene.fabric);
    EXPECT_GE(timers.constraint_count, fabric.constraint_count);
    for (const uint32_t stage : {CLOTHC_STAGE_WIND, CLOTHC_STAGE_SELF_COLLISION, CLOTHC_STAGE_CLOTH_COLLISION,
                                 CLOTHC_STAGE_CONTACTS, CLOTHC_STAGE_MOTION_CONSTRAINTS})
      EXPECT_EQ(timers.stage_ns[stage], 0u) << "stage " << stage << " does not run";
    const bool in_programs = timers.part_ns[CLOTHC_PART_PROGRAMS] > 0;
    if (in_programs) {
      EXPECT_EQ(timers.part_ns[CLOTHC_PART_ITERATIONS], 0u);
    } else {
      EXPECT_GT(timers.part_ns[CLOTHC_PART_BEFORE], 0u);
      EXPECT_GT(timers.part_ns[CLOTHC_PART_ITERATIONS], 0u);
      EXPECT_GT(timers.part_ns[CLOTHC_PART_AFTER], 0u);
    }
    const bool is_split = !in_programs || GetParam() == CLOTHC_BACKEND_CPU;
    EXPECT_EQ(timers.stage_ns[CLOTHC_STAGE_PHASES] > 0, is_split);
    EXPECT_EQ(timers.stage_ns[CLOTHC_STAGE_HIERARCHY] > 0, is_split);
    EXPECT_EQ(timers.stage_ns[CLOTHC_STAGE_PROGRAM] > 0, !is_split);
    EXPECT_EQ(in_programs && schedule == CLOTHC_SCHEDULE_PASS, false);
  }
}

TEST_P(Timers, cover_every_stage_and_change_no_state) {
  Everything scene(GetParam()), plain(GetParam(), &scene);
  for (int frame = 0; frame < 5; ++frame) {
    step_timed(scene);
    plain.step();
  }
  EXPECT_EQ(scene.hash(), plain.hash());
  const clothc_timers timers = timed_step(scene);
  expect_sums(timers);
  for (const uint32_t part : {CLOTHC_PART_ITERATIONS, CLOTHC_PART_CLOTH_COLLISION, CLOTHC_PART_CONTACTS})
    EXPECT_GT(timers.part_ns[part], 0u) << "part " << part;
  for (uint32_t stage = 0; stage < CLOTHC_STAGE_PROGRAM; ++stage) {
    const bool is_set_per_particle =
        stage == CLOTHC_STAGE_MOTION_CONSTRAINTS || stage == CLOTHC_STAGE_SEPARATION_CONSTRAINTS;
    // Cloths of 9 particles have no coarse levels.
    if (is_set_per_particle || stage == CLOTHC_STAGE_HIERARCHY) continue;
    EXPECT_GT(timers.stage_ns[stage], 0u) << "stage " << stage;
  }
  EXPECT_GT(timers.contact_count, 0u);
  EXPECT_EQ(timers.particle_count, 18u);
}

// Where a program does the iterations, only a processor tells their stages apart.
TEST_P(Timers, of_updates_without_time_and_of_many_iterations_add_up) {
  for (const clothc_schedule schedule : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    SceneOptions options(GetParam());
    options.solver.schedule = schedule;
    Scene scene(options);
    step_timed(scene, 0);
    const clothc_timers still = timed_step(scene);
    expect_sums(still);
    scene.change_parameters(scene.cloth, [](auto& p) { p.solver_frequency = 60 * 1500.0f; });
    const clothc_timers timers = timed_step(scene);
    EXPECT_EQ(timers.iteration_count, 1500u);
    expect_sums(timers);
    const bool in_programs = timers.part_ns[CLOTHC_PART_PROGRAMS] > 0 && GetParam() != CLOTHC_BACKEND_CPU;
    EXPECT_GT(timers.stage_ns[in_programs ? CLOTHC_STAGE_PROGRAM : CLOTHC_STAGE_PHASES], 0u);
  }
}

TEST_P(Timers, of_more_updates_than_are_in_flight_stay_in_order) {
  Scene scene(GetParam());
  for (uint64_t k = 1; k <= 100; ++k) {
    step_timed(scene);
    const uint64_t arrived = timers_of(scene).update;
    EXPECT_LE(arrived, k);
    EXPECT_GE(arrived + 4, k) << "three updates are in flight at most, and times arrive with the next one";
  }
}

// The numbers of contacts of updates that are this far apart must not share memory.
TEST_P(Timers, keep_their_number_of_contacts_until_other_times_arrive) {
  SceneOptions options(GetParam());
  options.solver.contact_capacity = 64;
  Scene scene(options);
  const clothc_collider_set_id set = scene.sphere_set(0.5f, 1, 0.5f, 0.3f);
  require(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
  scene.change_parameters(scene.cloth, [](auto& p) { p.collision_flags = CLOTHC_COLLISION_REPORT; });
  const clothc_timers first = timed_step(scene);
  ASSERT_GT(first.contact_count, 0u);
  scene.write_sphere(set, 0, 100, 0, 0.3f);
  scene.step(30);
  step_timed(scene);
  require(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  const clothc_timers next = timers_of(scene);
  EXPECT_EQ(next.contact_count, next.update == first.update ? first.contact_count : 0u);
  scene.step();
  EXPECT_EQ(timers_of(scene).update, first.update + 32);
  EXPECT_EQ(timers_of(scene).contact_count, 0u);
}

TEST(TimersErrors, name_what_is_wrong) {
  Scene scene(CLOTHC_BACKEND_CPU);
  clothc_update update = initialised<clothc_update>();
  update.flags = 1u << 2;
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_update(scene.solver, &update, nullptr), "flags", "0x4");
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_solver_get_timers(scene.solver, nullptr), "timers");
  clothc_timers timers{};
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_STRUCT, clothc_solver_get_timers(scene.solver, &timers), "struct_size");
  EXPECT_EQ(clothc_solver_get_timers(nullptr, &timers), CLOTHC_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace timers_test
