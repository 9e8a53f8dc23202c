// schedule_test.cpp - schedules built from the jobs of cloths.
#include "core/schedule/schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>

#include "unit/core/made_cloths.h"

namespace clothc::test::schedule_test {
namespace {

std::vector<Cloth*> pointers_to(std::vector<Cloth>& cloths) {
  std::vector<Cloth*> pointers;
  for (Cloth& cloth : cloths) pointers.push_back(&cloth);
  return pointers;
}

std::shared_ptr<const Schedule> build(std::vector<Cloth>& cloths, clothc_schedule wanted, const DeviceLimits& limits) {
  return build_schedule(divide(pointers_to(cloths), wanted, limits), limits);
}

// Whether a kernel transforms shapes. Those of a cloth run in the same pass.
bool transforms(uint32_t kernel) {
  return std::string(info_of(static_cast<Kernel>(kernel)).name).find("transform_") == 0;
}

// Returns the kernels that a pass runs, by cloth slot.
std::map<uint32_t, uint32_t> kernels_of_pass(const Schedule& schedule, const Pass& pass) {
  std::map<uint32_t, uint32_t> kernels;
  for (uint32_t k = pass.first_job; k < pass.first_job + pass.job_count; ++k) {
    const Job& job = schedule.jobs[k];
    const bool is_alone = kernels.count(job.record) == 0 || kernels[job.record] == job.kernel;
    EXPECT_TRUE(is_alone || (transforms(job.kernel) && transforms(kernels[job.record]))) << "two kernels at a time";
    kernels[job.record] = job.kernel;
  }
  return kernels;
}

TEST(Schedule, cloths_with_fewer_colours_stay_in_step) {
  std::vector<Cloth> cloths;
  cloths.push_back(make_cloth(0, make_fabric(100, {{16}}), shapes_for(true, true)));
  cloths.push_back(make_cloth(1, make_fabric(100, {{16, 16, 16}, {16, 16}}), shapes_for(false, true)));
  cloths.push_back(make_cloth(2, make_fabric(100, {}), shapes_for(true, true)));
  const auto schedule = build(cloths, CLOTHC_SCHEDULE_PASS, {2, 8});
  EXPECT_TRUE(schedule->programs.empty());
  // The passes are begin_iteration, shape transforms, integrate, five colours, convexes, and curved shapes.
  ASSERT_EQ(schedule->repeat_end - schedule->repeat_begin, 10u);
  std::vector<size_t> cloth_counts;
  for (uint32_t k = schedule->repeat_begin; k < schedule->repeat_end; ++k) {
    cloth_counts.push_back(kernels_of_pass(*schedule, schedule->passes[k]).size());
  }
  EXPECT_EQ(cloth_counts, (std::vector<size_t>{3, 3, 3, 2, 1, 1, 1, 1, 2, 3}));
  EXPECT_EQ(schedule->repeat_begin, 2u) << "begin_group, refit_shape_blocks";
  EXPECT_EQ(schedule->passes.size(), schedule->repeat_end + 2u);
}

// Expects the tiles to cover the items of each job: each tile begins where the last one ended, at a multiple of 16.
void expect_cover(const std::vector<StagedJob>& jobs, const std::vector<Job>& tiles) {
  size_t tile = 0;
  for (const StagedJob& staged : jobs) {
    uint32_t at = staged.job.begin;
    for (; at < staged.job.end; ++tile) {
      ASSERT_LT(tile, tiles.size());
      ASSERT_EQ(tiles[tile].kernel, staged.job.kernel);
      ASSERT_EQ(tiles[tile].argument, staged.job.argument);
      ASSERT_EQ(tiles[tile].begin, at);
      ASSERT_LT(tiles[tile].begin, tiles[tile].end);
      ASSERT_TRUE(at % 16 == 0 ||
                  info_of(static_cast<Kernel>(staged.job.kernel)).class_of_items == KernelClass::one_per_group);
      at = tiles[tile].end;
    }
    ASSERT_EQ(at, staged.job.end);
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
      const ShapeCounts shapes = slot == 5 ? shapes_of_every_kind() : shapes_for(random() % 2 == 0, random() % 2 == 0);
      cloths.push_back(make_cloth(7 * slot, make_fabric(particles, sets), shapes));
    }
    const uint32_t workers = 1 + static_cast<uint32_t>(random() % 16);
    const auto schedule = build(cloths, static_cast<clothc_schedule>(round % 3), {workers, 8});
    std::map<uint32_t, std::vector<Job>> tiles[3];
    uint32_t next_job = schedule->programs.empty() ? 0 : schedule->programs.back().end;
    for (uint32_t k = 0; k < schedule->passes.size(); ++k) {
      const Pass& pass = schedule->passes[k];
      ASSERT_EQ(pass.first_job, next_job);
      ASSERT_GT(pass.job_count, 0u);
      next_job += pass.job_count;
      const int part = k < schedule->repeat_begin ? 0 : k < schedule->repeat_end ? 1 : 2;
      kernels_of_pass(*schedule, pass);
      for (uint32_t w = pass.first_job; w < next_job; ++w) {
        tiles[part][schedule->jobs[w].record].push_back(schedule->jobs[w]);
      }
    }
    ASSERT_EQ(next_job, schedule->jobs.size());
    uint32_t next_program = 0;
    for (const Program& program : schedule->programs) {
      ASSERT_EQ(program.before, std::exchange(next_program, program.end)) << "programs share no jobs";
      const auto job = [&](uint32_t k) { return schedule->jobs.begin() + k; };
      ASSERT_EQ(tiles[0].count(program.record), 0u) << "a cloth is in a program or in passes";
      tiles[0][program.record] = {job(program.before), job(program.iteration)};
      tiles[1][program.record] = {job(program.iteration), job(program.after)};
      tiles[2][program.record] = {job(program.after), job(program.end)};
    }
    for (const Cloth& cloth : cloths) {
      expect_cover(cloth.jobs.before, tiles[0][cloth.slot]);
      expect_cover(cloth.jobs.iteration, tiles[1][cloth.slot]);
      expect_cover(cloth.jobs.after, tiles[2][cloth.slot]);
    }
  }
}

// There are twice as many tiles as workers. Tiles consist of whole batches, and their size lies between the smallest
// that suits the backend and the largest.
TEST(Schedule, tiles_are_as_large_as_the_workers_ask_for) {
  struct Row {
    uint32_t items, workers, smallest, tile;
  };
  for (const Row& row : {Row{1208, 2, 128, 304},
                         {1208, 1, 128, 608},
                         {1208, 16, 128, 128},
                         {1208, 16, 1024, 1024},
                         {40000, 2, 128, 1008},
                         {4540, 2, 128, 576},
                         {130, 2, 128, 128},
                         {100, 2, 128, 128}}) {
    std::vector<Cloth> cloths;
    cloths.push_back(make_cloth(0, make_fabric(100, {{row.items}})));
    DeviceLimits limits;
    limits.worker_count = row.workers;
    limits.lanes_per_worker = 8;
    limits.smallest_tile = row.smallest;
    const auto schedule = build(cloths, CLOTHC_SCHEDULE_PASS, limits);
    std::vector<uint32_t> sizes;
    for (const Job& job : schedule->jobs)
      if (job.kernel == static_cast<uint32_t>(Kernel::solve_edges)) sizes.push_back(job.end - job.begin);
    ASSERT_EQ(sizes.size(), (row.items + row.tile - 1) / row.tile) << row.items << " items, " << row.workers;
    for (size_t k = 0; k + 1 < sizes.size(); ++k) EXPECT_EQ(sizes[k], row.tile);
  }
}

TEST(Schedule, says_how_much_there_is_to_do_whoever_does_it) {
  std::vector<Cloth> cloths;
  for (uint32_t slot = 0; slot < 3; ++slot)
    cloths.push_back(make_cloth(slot, make_fabric(100, {{40, 30}, {7}}), shapes_for(true, false)));
  const auto loop_count_of = [](const std::vector<StagedJob>& jobs) {
    uint64_t loops = 0;
    for (const StagedJob& staged : jobs) loops += (staged.job.end - staged.job.begin) * uint64_t{1 + staged.loop_count};
    return loops;
  };
  const JobList& jobs = cloths[0].jobs;
  for (const clothc_schedule wanted : {CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS}) {
    const auto schedule = build(cloths, wanted, {2, 8});
    EXPECT_EQ(schedule->loops_once, 3 * (loop_count_of(jobs.before) + loop_count_of(jobs.after)));
    EXPECT_EQ(schedule->loops_per_iteration, 3 * loop_count_of(jobs.iteration));
    EXPECT_GT(schedule->loops_per_iteration, 3u * 2 * (77 + 112)) << "constraints and particles";
  }
  EXPECT_EQ(Sequence().run({{0, 0, 0, 1000, 0}, {0, 1, 16, 2000, 0}}, true).finish()->loops_once, 2u * (1000 + 1984));
}

TEST(Schedule, a_cloth_gets_the_smallest_program_that_has_its_kernels) {
  std::vector<Cloth> cloths;
  for (uint32_t slot = 0; slot < 5; ++slot) {
    ShapeCounts shapes = shapes_for(slot == 1, slot == 3);
    if (slot == 4) shapes.meshes = 1;
    cloths.push_back(make_cloth(slot, make_fabric(100, {{16}}), shapes));
  }
  const auto programs_of = [&](ProgramFeature largest) {
    DeviceLimits limits{2, 8};
    limits.largest_program = largest;
    std::vector<std::pair<uint32_t, ProgramFeature>> found;
    const auto schedule = build(cloths, CLOTHC_SCHEDULE_CLOTH, limits);
    for (const Program& program : schedule->programs) found.push_back({program.record, program.feature});
    return found;
  };
  using Found = decltype(programs_of(ProgramFeature::plain));
  constexpr ProgramFeature plain = ProgramFeature::plain, extended = ProgramFeature::extended;
  EXPECT_EQ(programs_of(plain), (Found{{0, plain}, {2, plain}})) << "the others run in passes";
  EXPECT_EQ(programs_of(extended), (Found{{0, plain}, {2, plain}, {1, extended}, {3, extended}}))
      << "those of a feature are together, and triangles need passes";
  EXPECT_EQ(programs_of(ProgramFeature::none).size(), 5u) << "where nothing is compiled, programs hold every kernel";
  EXPECT_EQ(programs_of(ProgramFeature::none)[1].first, 1u) << "in order";
}

TEST(Schedule, only_a_cloth_larger_than_a_workers_share_runs_in_passes) {
  const auto in_passes = [](uint32_t particles, clothc_schedule wanted, uint64_t all, uint32_t workers) {
    const Cloth cloth = make_cloth(0, make_fabric(particles, {}));
    return runs_in_passes(cloth, wanted, all, {workers, 8});
  };
  EXPECT_TRUE(in_passes(16, CLOTHC_SCHEDULE_PASS, 16, 1));
  EXPECT_FALSE(in_passes(1 << 20, CLOTHC_SCHEDULE_CLOTH, 1 << 20, 64));
  EXPECT_FALSE(in_passes(1 << 20, CLOTHC_SCHEDULE_AUTO, 1 << 20, 1)) << "one worker";
  EXPECT_TRUE(in_passes(1 << 20, CLOTHC_SCHEDULE_AUTO, 1 << 20, 2));
  EXPECT_TRUE(in_passes(4096, CLOTHC_SCHEDULE_AUTO, 4096, 2));
  EXPECT_FALSE(in_passes(4080, CLOTHC_SCHEDULE_AUTO, 4080, 16)) << "too small";
  EXPECT_FALSE(in_passes(10000, CLOTHC_SCHEDULE_AUTO, 40000, 4)) << "just its share";
  EXPECT_TRUE(in_passes(10016, CLOTHC_SCHEDULE_AUTO, 40000, 4));
}

}  // namespace
}  // namespace clothc::test::schedule_test
