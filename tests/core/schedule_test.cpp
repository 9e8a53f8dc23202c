// schedule_test.cpp - the list of works of a cloth, and the schedules made of such lists.
#include "core/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <set>

#include "core/structs.h"

namespace clothc {
namespace {

// A fabric with these numbers of constraints per colour in each set, a phase per set, and one tether level.
std::shared_ptr<FabricData> make_fabric(uint32_t particles, const std::vector<std::vector<uint32_t>>& sets) {
  auto fabric = std::make_shared<FabricData>();
  fabric->particle_count = particles;
  uint32_t first = 0;
  for (const std::vector<uint32_t>& colours : sets) {
    const uint32_t begin = static_cast<uint32_t>(fabric->colours.size());
    for (const uint32_t count : colours) {
      fabric->colours.push_back({first, first + count});
      first += (count + 15) / 16 * 16;
    }
    fabric->phase_sets.push_back(static_cast<uint32_t>(fabric->phase_sets.size()));
    fabric->set_colours.push_back({begin, static_cast<uint32_t>(fabric->colours.size())});
  }
  return fabric;
}

Cloth make_cloth(uint32_t slot, const std::shared_ptr<FabricData>& fabric, const ColliderKinds& colliders = {}) {
  Cloth cloth;
  cloth.slot = slot;
  auto residence = std::make_shared<FabricResidence>();
  residence->data = fabric;
  cloth.fabric = residence;
  cloth.padded_count = padded_particles(fabric->particle_count);
  cloth.reduction_lanes = reduction_lanes_for(cloth.padded_count);
  cloth.parameters = make_default<clothc_cloth_parameters>();
  cloth.phase_table = 1000 * (slot + 1);
  for (uint32_t k = 0; k < fabric->phase_sets.size(); ++k) {
    cloth.phases.push_back(make_default<clothc_phase_config>());
    cloth.phases.back().phase = k;
  }
  list_works(cloth, colliders, cloth.works);
  return cloth;
}

std::vector<Cloth*> pointers_to(std::vector<Cloth>& cloths) {
  std::vector<Cloth*> pointers;
  for (Cloth& cloth : cloths) pointers.push_back(&cloth);
  return pointers;
}

std::vector<std::string> names(const std::vector<StagedWork>& works) {
  std::vector<std::string> all;
  for (const StagedWork& staged : works) all.push_back(info_of(static_cast<Kernel>(staged.work.kernel)).name);
  return all;
}

using Names = std::vector<std::string>;

TEST(Schedule, the_works_of_a_cloth_with_everything_are_in_the_order_of_the_step) {
  const auto fabric = make_fabric(100, {{20, 5}, {7}});
  fabric->tethers_per_particle = 1;
  fabric->tether_levels = {{0, 100}};
  Cloth cloth = make_cloth(3, fabric);
  cloth.motion.present = true;
  cloth.velocity_set = true;
  list_works(cloth, {true, true}, cloth.works);
  EXPECT_EQ(names(cloth.works.before), (Names{"begin_cloth", "apply_velocity"}));
  EXPECT_EQ(names(cloth.works.iteration),
            (Names{"begin_iteration", "integrate", "constrain_motion", "constrain_tethers", "solve_edges",
                   "solve_edges", "solve_edges", "collide_convexes", "collide_spheres"}));
  EXPECT_EQ(names(cloth.works.after), (Names{"reduce_bounds", "end_cloth"}));
  for (const auto part : {&WorkList::before, &WorkList::iteration, &WorkList::after}) {
    for (const StagedWork& staged : cloth.works.*part) {
      const Work& work = staged.work;
      EXPECT_EQ(work.cloth, 3u);
      const Domain domain = info_of(static_cast<Kernel>(work.kernel)).domain;
      if (domain == Domain::cloth) {
        EXPECT_TRUE(work.begin == 3 && work.end == 4);
      }
      if (domain == Domain::particle) {
        EXPECT_TRUE(work.begin == 0 && work.end == 112);
      }
      if (domain == Domain::lane) {
        EXPECT_TRUE(work.begin == 0 && work.end == 16);
      }
      if (domain == Domain::tether) {
        EXPECT_TRUE(work.begin == 0 && work.end == 100);
      }
    }
  }
  const std::vector<StagedWork>& iteration = cloth.works.iteration;
  EXPECT_TRUE(iteration[4].work.begin == 0 && iteration[4].work.end == 20 && iteration[4].work.argument == 4000);
  EXPECT_TRUE(iteration[5].work.begin == 32 && iteration[5].work.end == 37 && iteration[5].work.argument == 4000);
  EXPECT_TRUE(iteration[6].work.begin == 48 && iteration[6].work.end == 55);
  EXPECT_EQ(iteration[6].work.argument, 4000 + phase_words);
  const auto by_stage = [](const StagedWork& a, const StagedWork& b) { return a.stage < b.stage; };
  EXPECT_TRUE(std::is_sorted(iteration.begin(), iteration.end(), by_stage));
  EXPECT_TRUE(std::adjacent_find(iteration.begin(), iteration.end(), std::not_fn(by_stage)) == iteration.end());
}

TEST(Schedule, a_cloth_has_no_works_for_what_it_does_not_have) {
  Cloth cloth = make_cloth(0, make_fabric(1, {}));
  EXPECT_EQ(names(cloth.works.before), (Names{"begin_cloth"}));
  EXPECT_EQ(names(cloth.works.iteration), (Names{"begin_iteration", "integrate"}));
  EXPECT_EQ(names(cloth.works.after), (Names{"reduce_bounds", "end_cloth"}));
  list_works(cloth, {true, false}, cloth.works);
  EXPECT_EQ(names(cloth.works.iteration), (Names{"begin_iteration", "integrate", "collide_spheres"}));
  list_works(cloth, {false, true}, cloth.works);
  EXPECT_EQ(names(cloth.works.iteration), (Names{"begin_iteration", "integrate", "collide_convexes"}));
}

TEST(Schedule, tethers_run_level_by_level_unless_they_are_off) {
  const auto fabric = make_fabric(50, {});
  fabric->tethers_per_particle = 2;
  fabric->tether_levels = {{0, 20}, {32, 40}};
  fabric->tether_order.resize(48);
  Cloth cloth = make_cloth(0, fabric);
  ASSERT_EQ(names(cloth.works.iteration),
            (Names{"begin_iteration", "integrate", "constrain_tethers", "constrain_tethers"}));
  EXPECT_LT(cloth.works.iteration[2].stage, cloth.works.iteration[3].stage);
  EXPECT_TRUE(cloth.works.iteration[3].work.begin == 32 && cloth.works.iteration[3].work.end == 40);
  cloth.parameters.tether_stiffness = 0;
  list_works(cloth, {}, cloth.works);
  EXPECT_EQ(names(cloth.works.iteration), (Names{"begin_iteration", "integrate"}));
}

TEST(Schedule, the_kernel_of_a_phase_is_the_simplest_that_does_what_its_config_says) {
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
      fabric->stiffness.assign(own_stiffness ? 16 : 0, 0.5f);
      list_works(cloth, {}, cloth.works);
      Names expected{"begin_iteration", "integrate"};
      if (c.kernel != nullptr) expected.push_back(own_stiffness ? "solve_edges_with_stiffness" : c.kernel);
      EXPECT_EQ(names(cloth.works.iteration), expected);
    }
  }
}

TEST(Schedule, phases_run_in_the_order_of_the_configs_as_often_as_they_are_listed) {
  Cloth cloth = make_cloth(0, make_fabric(100, {{16}, {16}, {16}}));
  clothc_phase_config config = make_default<clothc_phase_config>();
  cloth.phases.clear();
  for (const uint32_t phase : {2u, 0u, 2u}) {
    config.phase = phase;
    cloth.phases.push_back(config);
  }
  list_works(cloth, {}, cloth.works);
  ASSERT_EQ(cloth.works.iteration.size(), 5u);
  const uint32_t begins[] = {32, 0, 32};
  for (uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(cloth.works.iteration[2 + k].work.begin, begins[k]);
    EXPECT_EQ(cloth.works.iteration[2 + k].work.argument, cloth.phase_table + k * phase_words);
  }
}

// The kernels that a pass runs, by cloth slot.
std::map<uint32_t, uint32_t> kernels_of_pass(const Schedule& schedule, const Pass& pass) {
  std::map<uint32_t, uint32_t> kernels;
  for (uint32_t k = pass.first_work; k < pass.first_work + pass.work_count; ++k) {
    const Work& work = schedule.works[k];
    EXPECT_TRUE(kernels.count(work.cloth) == 0 || kernels[work.cloth] == work.kernel) << "two kernels at a time";
    kernels[work.cloth] = work.kernel;
  }
  return kernels;
}

TEST(Schedule, cloths_with_fewer_colours_stay_in_step) {
  std::vector<Cloth> cloths;
  cloths.push_back(make_cloth(0, make_fabric(100, {{16}}), {true, true}));
  cloths.push_back(make_cloth(1, make_fabric(100, {{16, 16, 16}, {16, 16}}), {true, false}));
  cloths.push_back(make_cloth(2, make_fabric(100, {}), {true, true}));
  const auto schedule = build_schedule(pointers_to(cloths), CLOTHC_SCHEDULE_PASS, {2, 8});
  EXPECT_TRUE(schedule->programs.empty());
  // begin_iteration, integrate, five colours, convexes, spheres.
  ASSERT_EQ(schedule->repeat_end - schedule->repeat_begin, 9u);
  std::vector<size_t> cloth_counts;
  for (uint32_t k = schedule->repeat_begin; k < schedule->repeat_end; ++k) {
    cloth_counts.push_back(kernels_of_pass(*schedule, schedule->passes[k]).size());
  }
  EXPECT_EQ(cloth_counts, (std::vector<size_t>{3, 3, 2, 1, 1, 1, 1, 2, 3}));
  EXPECT_EQ(schedule->repeat_begin, 1u);
  EXPECT_EQ(schedule->passes.size(), schedule->repeat_end + 2u);
}

// Items that tiles cover, by work: expects each tile to begin where the last ended, at a multiple of 16.
void expect_cover(const std::vector<StagedWork>& works, const std::vector<Work>& tiles) {
  size_t tile = 0;
  for (const StagedWork& staged : works) {
    uint32_t at = staged.work.begin;
    for (; at < staged.work.end; ++tile) {
      ASSERT_LT(tile, tiles.size());
      ASSERT_EQ(tiles[tile].kernel, staged.work.kernel);
      ASSERT_EQ(tiles[tile].argument, staged.work.argument);
      ASSERT_EQ(tiles[tile].begin, at);
      ASSERT_LT(tiles[tile].begin, tiles[tile].end);
      ASSERT_TRUE(at % 16 == 0 || info_of(static_cast<Kernel>(staged.work.kernel)).domain == Domain::cloth);
      at = tiles[tile].end;
    }
    ASSERT_EQ(at, staged.work.end);
  }
  EXPECT_EQ(tile, tiles.size());
}

TEST(Schedule, tiles_cover_every_item_exactly_once_and_in_the_cloths_order) {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    std::vector<Cloth> cloths;
    for (uint32_t slot = 0; slot < 8; ++slot) {
      std::vector<std::vector<uint32_t>> sets(random() % 4);
      for (auto& colours : sets) {
        colours.resize(random() % 5);
        for (uint32_t& count : colours) count = random() % 3 == 0 ? random() % 5000 : random() % 40;
      }
      const uint32_t particles = 1 + static_cast<uint32_t>(random() % (slot % 2 == 0 ? 100 : 20000));
      cloths.push_back(make_cloth(7 * slot, make_fabric(particles, sets), {random() % 2 == 0, random() % 2 == 0}));
    }
    const uint32_t workers = 1 + static_cast<uint32_t>(random() % 16);
    const auto schedule = build_schedule(pointers_to(cloths), static_cast<clothc_schedule>(round % 3), {workers, 8});
    std::map<uint32_t, std::vector<Work>> tiles[3];
    uint32_t next_work = schedule->programs.empty() ? 0 : schedule->programs.back().end;
    for (uint32_t k = 0; k < schedule->passes.size(); ++k) {
      const Pass& pass = schedule->passes[k];
      ASSERT_EQ(pass.first_work, next_work);
      ASSERT_GT(pass.work_count, 0u);
      next_work += pass.work_count;
      const int part = k < schedule->repeat_begin ? 0 : k < schedule->repeat_end ? 1 : 2;
      kernels_of_pass(*schedule, pass);
      for (uint32_t w = pass.first_work; w < next_work; ++w) {
        tiles[part][schedule->works[w].cloth].push_back(schedule->works[w]);
      }
    }
    ASSERT_EQ(next_work, schedule->works.size());
    uint32_t next_program = 0;
    for (const Program& program : schedule->programs) {
      ASSERT_EQ(program.before, std::exchange(next_program, program.end)) << "programs share no works";
      const auto work = [&](uint32_t k) { return schedule->works.begin() + k; };
      ASSERT_EQ(tiles[0].count(program.cloth), 0u) << "a cloth is in a program or in passes";
      tiles[0][program.cloth] = {work(program.before), work(program.iteration)};
      tiles[1][program.cloth] = {work(program.iteration), work(program.after)};
      tiles[2][program.cloth] = {work(program.after), work(program.end)};
    }
    for (const Cloth& cloth : cloths) {
      expect_cover(cloth.works.before, tiles[0][cloth.slot]);
      expect_cover(cloth.works.iteration, tiles[1][cloth.slot]);
      expect_cover(cloth.works.after, tiles[2][cloth.slot]);
    }
  }
}

TEST(Schedule, only_a_cloth_larger_than_a_workers_share_runs_in_passes) {
  Cloth cloth;
  const auto in_passes = [&](uint32_t padded, clothc_schedule wanted, uint64_t all, uint32_t workers) {
    cloth.padded_count = padded;
    return runs_in_passes(cloth, wanted, all, {workers, 8});
  };
  EXPECT_TRUE(in_passes(16, CLOTHC_SCHEDULE_PASS, 16, 1));
  EXPECT_FALSE(in_passes(1 << 20, CLOTHC_SCHEDULE_CLOTH, 1 << 20, 64));
  EXPECT_FALSE(in_passes(1 << 20, CLOTHC_SCHEDULE_AUTO, 1 << 20, 1)) << "one worker";
  EXPECT_TRUE(in_passes(1 << 20, CLOTHC_SCHEDULE_AUTO, 1 << 20, 2));
  EXPECT_TRUE(in_passes(8192, CLOTHC_SCHEDULE_AUTO, 8192, 2));
  EXPECT_FALSE(in_passes(8176, CLOTHC_SCHEDULE_AUTO, 8176, 16)) << "too small";
  EXPECT_FALSE(in_passes(10000, CLOTHC_SCHEDULE_AUTO, 40000, 4)) << "just its share";
  EXPECT_TRUE(in_passes(10016, CLOTHC_SCHEDULE_AUTO, 40000, 4));
}

}  // namespace
}  // namespace clothc
