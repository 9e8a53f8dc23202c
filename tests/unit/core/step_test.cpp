// step_test.cpp - the list of jobs of a cloth.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "unit/core/made_cloths.h"

namespace clothc::test::step_test {
namespace {

// Returns the full range that a kernel has in a cloth of 100 particles with shapes of every kind, or an empty range for
// kernels that have several jobs.
Range whole_range(Kernel kernel, uint32_t slot) {
  switch (kernel) {
    case Kernel::begin_group:
    case Kernel::begin_iteration:
    case Kernel::end_group:
      return {slot, slot + 1};
    case Kernel::reduce_bounds:
    case Kernel::reduce_statistics:
    case Kernel::wind_impulses:
      return {0, 16};
    case Kernel::constrain_tethers:
      return {0, 100};
    case Kernel::transform_vertices:
      return {0, 48};
    case Kernel::solve_edges:
    case Kernel::collide_virtual:
    case Kernel::refit_shape_blocks:
    case Kernel::transform_rounded_shapes:
    case Kernel::transform_flat_shapes:
    case Kernel::transform_posed_shapes:
      return {};
    default:
      return {0, 112};
  }
}

Cloth make_cloth_with_everything(uint32_t slot) {
  const auto fabric = make_fabric(100, {{20, 5}, {7}});
  add_set(*fabric, ConstraintType::tether, {100});
  add_set(*fabric, ConstraintType::virtual_particle, {9, 4});
  fabric->triangle_count = 5;
  fabric->wind.place_count = 16;
  Cloth cloth = make_cloth(slot, fabric);
  cloth.set_inputs(channel_groups[group_motion].present() | channel_groups[group_separation].present() |
                   channel_groups[group_velocity].present());
  cloth.parameters.fluid_density = cloth.parameters.drag_coefficient = 1;
  cloth.parameters.collision_mass_scale = cloth.parameters.sleep_threshold = 1;
  cloth.parameters.statistics = CLOTHC_STATISTIC_STRETCH;
  cloth.parameters.collision_flags |= CLOTHC_COLLISION_VIRTUAL_PARTICLES;
  build_jobs(cloth, shapes_of_every_kind(), {}, cloth.jobs);
  return cloth;
}

TEST(Step, the_jobs_of_a_cloth_with_everything_are_in_the_order_of_the_step) {
  const Cloth cloth = make_cloth_with_everything(3);
  EXPECT_EQ(names(cloth.jobs.before), (Names{"begin_group", "apply_velocity", "refit_shape_blocks"}));
  EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration",       "transform_rounded_shapes",
                                                "transform_flat_shapes", "transform_posed_shapes",
                                                "transform_vertices",    "integrate",
                                                "wind_impulses",         "apply_wind",
                                                "constrain_motion",      "constrain_tethers",
                                                "solve_edges",           "solve_edges",
                                                "solve_edges",           "constrain_separation",
                                                "restore_masses",        "collide_convexes",
                                                "collide_triangles",     "collide_sdfs",
                                                "collide_curved",        "collide_virtual",
                                                "collide_virtual",       "test_sleep"}));
  EXPECT_EQ(names(cloth.jobs.after), (Names{"reduce_bounds", "reduce_statistics", "end_group"}));
  const auto by_stage = [](const StagedJob& a, const StagedJob& b) { return a.stage < b.stage; };
  for (const auto part : {&JobList::before, &JobList::iteration, &JobList::after}) {
    const std::vector<StagedJob>& jobs = cloth.jobs.*part;
    EXPECT_TRUE(std::is_sorted(jobs.begin(), jobs.end(), by_stage));
    // All jobs need those before them, except that shapes of all kinds are transformed at the same time.
    const auto is_transform = [](const StagedJob& staged) {
      return std::string(info_of(static_cast<Kernel>(staged.job.kernel)).name).find("transform_") == 0;
    };
    for (size_t k = 0; k + 1 < jobs.size(); ++k)
      EXPECT_EQ(by_stage(jobs[k], jobs[k + 1]), !(is_transform(jobs[k]) && is_transform(jobs[k + 1])));
    for (const StagedJob& staged : jobs) {
      EXPECT_EQ(staged.job.record, 3u);
      const Range whole = whole_range(static_cast<Kernel>(staged.job.kernel), 3);
      if (whole.end != 0) {
        EXPECT_TRUE(staged.job.begin == whole.begin && staged.job.end == whole.end);
      }
    }
  }
}

TEST(Step, jobs_of_shapes_constraints_and_virtual_particles_have_their_ranges) {
  const Cloth cloth = make_cloth_with_everything(3);
  const uint32_t virtual_record = cloth.collision_record(0);
  const auto expect_jobs = [&](Kernel kernel, const std::vector<Job>& expected) {
    std::vector<Job> found;
    for (const auto part : {&JobList::before, &JobList::iteration}) {
      for (const StagedJob& staged : cloth.jobs.*part) {
        if (staged.job.kernel == static_cast<uint32_t>(kernel)) found.push_back(staged.job);
      }
    }
    ASSERT_EQ(found.size(), expected.size());
    for (size_t k = 0; k < found.size(); ++k) {
      EXPECT_TRUE(found[k].begin == expected[k].begin && found[k].end == expected[k].end &&
                  found[k].argument == expected[k].argument)
          << info_of(kernel).name << ": " << found[k].begin << " to " << found[k].end;
    }
  };
  expect_jobs(Kernel::refit_shape_blocks, {{0, 3, 0, 2 + 1, 0}});
  expect_jobs(Kernel::transform_rounded_shapes, {{0, 3, 0, 17 + 5, 0}});
  expect_jobs(Kernel::transform_flat_shapes, {{0, 3, 0, 3 + 3, 0}});
  expect_jobs(Kernel::transform_posed_shapes, {{0, 3, 0, 1 + 1 + 1 + 1, 0}});
  expect_jobs(Kernel::solve_edges, {{0, 3, 0, 20, 4000}, {0, 3, 32, 37, 4000}, {0, 3, 0, 7, 4000 + constraint_words}});
  expect_jobs(Kernel::collide_virtual, {{0, 3, 0, 9, virtual_record}, {0, 3, 16, 20, virtual_record}});
}

TEST(Step, a_cloth_has_no_jobs_for_what_it_does_not_have) {
  Cloth cloth = make_cloth(0, make_fabric(1, {}));
  EXPECT_EQ(names(cloth.jobs.before), (Names{"begin_group"}));
  EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration", "integrate"}));
  EXPECT_EQ(names(cloth.jobs.after), (Names{"reduce_bounds", "end_group"}));
}

// No lane has more than 64 results to combine, and the last level has 16 lanes.
TEST(Step, the_reductions_of_a_cloth_are_combined_level_by_level) {
  for (const uint32_t particles : {256u, 257u, 16'384u, 16'385u, 1'048'576u, 1'048'577u}) {
    Cloth cloth = make_cloth(2, make_fabric(particles, {}));
    cloth.parameters.statistics = 0;
    build_jobs(cloth, {}, {}, cloth.jobs);
    EXPECT_EQ(names(cloth.jobs.after), (Names{"reduce_bounds", "end_group"})) << "nothing is asked for";
    for (const bool has_statistics : {false, true}) {
      cloth.parameters.statistics = has_statistics ? CLOTHC_STATISTIC_STRETCH : CLOTHC_STATISTIC_BOUNDS;
      build_jobs(cloth, {}, {}, cloth.jobs);
      uint32_t lanes = cloth.jobs.after.front().job.end, level = 0;
      EXPECT_EQ(lanes, (particles + 255) / 256 * 16);
      for (const StagedJob& staged : cloth.jobs.after) {
        if (staged.job.kernel != static_cast<uint32_t>(Kernel::combine_results)) continue;
        lanes = (lanes + 16 * 64 - 1) / (16 * 64) * 16;
        EXPECT_EQ(staged.job.end, lanes * (has_statistics ? 8 : 6)) << particles;
        EXPECT_EQ(staged.job.argument, level++);
      }
      EXPECT_EQ(lanes, 16u) << particles;
    }
  }
}

TEST(Step, a_cloth_collides_only_with_the_kinds_of_shapes_that_there_are) {
  const struct {
    uint32_t ShapeCounts::*count;
    const char* transform;
    const char* kernel;
    bool in_blocks;
  } cases[] = {{&ShapeCounts::spheres, "transform_rounded_shapes", "collide_curved", true},
               {&ShapeCounts::capsules, "transform_rounded_shapes", "collide_curved", true},
               {&ShapeCounts::ellipsoids, "transform_posed_shapes", "collide_curved", false},
               {&ShapeCounts::convexes, "transform_flat_shapes", "collide_convexes", false},
               {&ShapeCounts::boxes, "transform_posed_shapes", "collide_convexes", false},
               {&ShapeCounts::meshes, "transform_posed_shapes", "collide_triangles", false},
               {&ShapeCounts::sdfs, "transform_posed_shapes", "collide_sdfs", false}};
  Cloth cloth = make_cloth(0, make_fabric(1, {}));
  for (const auto& c : cases) {
    ShapeCounts shapes;
    shapes.*c.count = 1;
    build_jobs(cloth, shapes, {}, cloth.jobs);
    EXPECT_EQ(names(cloth.jobs.before),
              c.in_blocks ? (Names{"begin_group", "refit_shape_blocks"}) : (Names{"begin_group"}));
    EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration", c.transform, "integrate", c.kernel}));
  }
}

TEST(Step, continuous_collision_sweeps_the_particles_but_not_virtual_ones) {
  const auto fabric = make_fabric(30, {});
  add_set(*fabric, ConstraintType::virtual_particle, {9});
  Cloth cloth = make_cloth(0, fabric);
  cloth.parameters.collision_flags = CLOTHC_COLLISION_CONTINUOUS | CLOTHC_COLLISION_VIRTUAL_PARTICLES;
  build_jobs(cloth, shapes_for(true, true), {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.iteration),
            (Names{"begin_iteration", "transform_rounded_shapes", "transform_flat_shapes", "integrate",
                   "collide_convexes", "collide_curved_continuously", "collide_virtual"}));
}

TEST(Step, virtual_particles_collide_where_they_are_asked_to_and_there_is_a_curved_shape) {
  const auto fabric = make_fabric(30, {});
  add_set(*fabric, ConstraintType::virtual_particle, {9});
  Cloth cloth = make_cloth(0, fabric);
  const auto has_virtual = [&](uint32_t flags, const ShapeCounts& shapes) {
    cloth.parameters.collision_flags = flags;
    build_jobs(cloth, shapes, {}, cloth.jobs);
    const Names all = names(cloth.jobs.iteration);
    return std::count(all.begin(), all.end(), "collide_virtual") == 1;
  };
  EXPECT_TRUE(has_virtual(CLOTHC_COLLISION_VIRTUAL_PARTICLES, shapes_for(false, true)));
  EXPECT_FALSE(has_virtual(0, shapes_for(false, true)));
  EXPECT_FALSE(has_virtual(CLOTHC_COLLISION_VIRTUAL_PARTICLES, shapes_for(true, false)));
}

TEST(Step, masses_are_restored_before_collisions_where_these_change_them_shapes_or_not) {
  Cloth cloth = make_cloth(0, make_fabric(1, {}));
  cloth.parameters.collision_mass_scale = 2;
  build_jobs(cloth, shapes_for(true, false), {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.iteration),
            (Names{"begin_iteration", "transform_flat_shapes", "integrate", "restore_masses", "collide_convexes"}));
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration", "integrate", "restore_masses"}));
}

TEST(Step, jobs_that_a_backend_leaves_out_by_the_step_declare_that_they_read_it) {
  const Cloth cloth = make_cloth_with_everything(0);
  for (const StagedJob& staged : cloth.jobs.iteration) {
    const KernelInfo& kernel = info_of(static_cast<Kernel>(staged.job.kernel));
    EXPECT_TRUE(!is_predicated(kernel) || (kernel.reads & access_step) != 0) << kernel.name;
  }
}

TEST(Step, tethers_run_level_by_level_unless_they_are_off) {
  const auto fabric = make_fabric(50, {});
  add_set(*fabric, ConstraintType::tether, {20, 8});
  Cloth cloth = make_cloth(0, fabric);
  ASSERT_EQ(names(cloth.jobs.iteration),
            (Names{"begin_iteration", "integrate", "constrain_tethers", "constrain_tethers"}));
  EXPECT_LT(cloth.jobs.iteration[2].stage, cloth.jobs.iteration[3].stage);
  EXPECT_TRUE(cloth.jobs.iteration[3].job.begin == 32 && cloth.jobs.iteration[3].job.end == 40);
  cloth.parameters.tether_stiffness = 0;
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.iteration), (Names{"begin_iteration", "integrate"}));
}

TEST(Step, the_kernel_of_a_phase_is_the_simplest_that_does_what_its_config_says) {
  struct Case {
    float stiffness, multiplier, compression, stretch;
    const char* kernel;
  };
  const Case cases[] = {
      {1, 1, 1, 1, "solve_edges"},
      {0.5f, 1, 0.5f, 2, "solve_edges"},
      {0.5f, 0.5f, 1, 1, "solve_edges"},
      {0.5f, 0.5f, 0.5f, 1, "solve_edges_with_limits"},
      {0.5f, 0, 1, 2, "solve_edges_with_limits"},
      {0, 0.5f, 0.5f, 2, nullptr},
  };
  for (const Case& c : cases) {
    const auto fabric = make_fabric(40, {{16}});
    Cloth cloth = make_cloth(0, fabric);
    clothc_phase_config& config = cloth.phases[0];
    config.stiffness = c.stiffness;
    config.stiffness_multiplier = c.multiplier;
    config.compression_limit = c.compression;
    config.stretch_limit = c.stretch;
    for (const bool own_stiffness : {false, true}) {
      fabric->sets[0].type = own_stiffness ? ConstraintType::stiff_distance : ConstraintType::distance;
      build_jobs(cloth, {}, {}, cloth.jobs);
      Names expected{"begin_iteration", "integrate"};
      if (c.kernel != nullptr) expected.push_back(own_stiffness ? "solve_edges_with_stiffness" : c.kernel);
      EXPECT_EQ(names(cloth.jobs.iteration), expected);
    }
  }
}

TEST(Step, long_range_constraints_have_a_kernel_of_their_own_whatever_their_config_says) {
  const auto fabric = make_fabric(40, {{16}, {16}});
  fabric->phase_types[0] = CLOTHC_PHASE_LONG_RANGE;
  Cloth cloth = make_cloth(0, fabric);
  for (clothc_phase_config& config : cloth.phases) config.stiffness_multiplier = config.compression_limit = 0.5f;
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.iteration),
            (Names{"begin_iteration", "integrate", "solve_long_range", "solve_edges_with_limits"}));
  for (ConstraintLayout& set : fabric->sets) set.type = ConstraintType::stiff_distance;
  build_jobs(cloth, {}, {}, cloth.jobs);
  EXPECT_EQ(names(cloth.jobs.iteration),
            (Names{"begin_iteration", "integrate", "solve_long_range", "solve_edges_with_stiffness"}));
}

TEST(Step, phases_run_in_the_order_of_the_configs_as_often_as_they_are_listed) {
  Cloth cloth = make_cloth(0, make_fabric(100, {{16}, {32}, {48}}));
  clothc_phase_config config = make_default<clothc_phase_config>();
  cloth.phases.clear();
  for (const uint32_t phase : {2u, 0u, 2u}) {
    config.phase = phase;
    cloth.phases.push_back(config);
  }
  build_jobs(cloth, {}, {}, cloth.jobs);
  ASSERT_EQ(cloth.jobs.iteration.size(), 5u);
  // The sets have different numbers of constraints.
  const uint32_t ends[] = {48, 16, 48};
  for (uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(cloth.jobs.iteration[2 + k].job.begin, 0u);
    EXPECT_EQ(cloth.jobs.iteration[2 + k].job.end, ends[k]);
    EXPECT_EQ(cloth.jobs.iteration[2 + k].job.argument, cloth.record(k));
  }
}

}  // namespace
}  // namespace clothc::test::step_test
