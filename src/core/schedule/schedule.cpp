// schedule.cpp - builds the programs and passes of schedules.
#include "core/schedule/schedule.h"

#include <algorithm>

#include "core/schedule/barriers.h"

namespace clothc {
namespace {

// Total number of loop iterations in the jobs, counted for each lane separately.
uint64_t loop_count_of(const std::vector<StagedJob>& jobs) {
  uint64_t loops = 0;
  for (const StagedJob& staged : jobs)
    loops += uint64_t{staged.job.end - staged.job.begin} * (1 + uint64_t{staged.loop_count});
  return loops;
}

void add_loop_counts(Schedule& schedule, const std::vector<const Cloth*>& cloths) {
  for (const Cloth* cloth : cloths) {
    schedule.loops_once += loop_count_of(cloth->jobs.before) + loop_count_of(cloth->jobs.after);
    schedule.loops_per_iteration += loop_count_of(cloth->jobs.iteration);
  }
}

uint32_t append_jobs(Schedule& schedule, const std::vector<StagedJob>& jobs) {
  const uint32_t first = static_cast<uint32_t>(schedule.jobs.size());
  for (const StagedJob& staged : jobs) schedule.jobs.push_back(staged.job);
  return first;
}

// Number of loop iterations that a worker runs in a job of a program.
uint32_t loop_count_of(const StagedJob& staged, uint32_t lanes) {
  const uint32_t items = (staged.job.end - staged.job.begin + lanes - 1) / lanes;
  const uint64_t loops = 1 + uint64_t{items} * (1 + uint64_t{staged.loop_count});
  return static_cast<uint32_t>(std::min<uint64_t>(loops, UINT32_MAX));
}

// Upper bound on loop iterations that a worker runs in any one of a cloth's jobs, if the cloth is a program.
uint32_t max_loops_per_job(const Cloth& cloth, uint32_t lanes) {
  uint32_t most = 0;
  for (const auto part : {&JobList::before, &JobList::iteration, &JobList::after}) {
    for (const StagedJob& staged : cloth.jobs.*part) most = std::max(most, loop_count_of(staged, lanes));
  }
  return most;
}

// The smallest program that holds the kernels of a cloth.
ProgramFeature feature_of(const Cloth& cloth) {
  ProgramFeature feature = ProgramFeature::plain;
  for (const auto part : {&JobList::before, &JobList::iteration, &JobList::after}) {
    for (const StagedJob& staged : cloth.jobs.*part)
      feature = std::max(feature, info_of(static_cast<Kernel>(staged.job.kernel)).program);
  }
  return feature;
}

void append_program(Schedule& schedule, const Cloth& cloth, uint32_t lanes) {
  Program program;
  program.record = cloth.slot;
  program.feature = feature_of(cloth);
  program.particle_count = cloth.padded_count();
  program.before = append_jobs(schedule, cloth.jobs.before);
  program.iteration = append_jobs(schedule, cloth.jobs.iteration);
  program.after = append_jobs(schedule, cloth.jobs.after);
  program.end = static_cast<uint32_t>(schedule.jobs.size());
  program.max_loops_per_job = max_loops_per_job(cloth, lanes);
  schedule.programs.push_back(program);
}

// Number of items in each tile of a job. Tiles are whole batches of lanes, and their number is chosen so that every
// worker gets equally many.
uint32_t tile_size(const Job& job, const DeviceLimits& limits) {
  // With two tiles per worker, a worker that finishes early can take over a tile of a slower one.
  constexpr uint32_t tiles_per_worker = 2;
  const auto divided_up = [](uint32_t a, uint32_t b) { return (a + b - 1) / b; };
  const uint32_t items = job.end - job.begin;
  const uint32_t round = limits.worker_count * tiles_per_worker;
  const uint32_t tiles = round * divided_up(items, round * items_per_tile);
  const uint32_t size = divided_up(divided_up(items, tiles), lane_padding) * lane_padding;
  return std::clamp(size, limits.smallest_tile, items_per_tile);
}

void append_tiles(std::vector<StagedJob>& tiles, const StagedJob& staged, uint32_t size = items_per_tile) {
  uint32_t begin = staged.job.begin;
  while (begin < staged.job.end) {
    StagedJob tile = staged;
    tile.job.begin = begin;
    // Every tile but the last ends at a multiple of lane_padding, even if the first one does not begin at one.
    begin = std::min(begin / lane_padding * lane_padding + size, staged.job.end);
    tile.job.end = begin;
    tiles.push_back(tile);
  }
}

// Returns a pass without jobs, whose first one will be this.
Pass pass_of(const Job& job, size_t first) {
  Pass pass;
  pass.first_job = static_cast<uint32_t>(first);
  pass.stage = info_of(static_cast<Kernel>(job.kernel)).stage;
  return pass;
}

// Appends passes. Jobs of different cloths that have the same stage form one pass.
void append_passes(Schedule& schedule, const std::vector<const Cloth*>& cloths, std::vector<StagedJob> JobList::*part,
                   const DeviceLimits& limits) {
  std::vector<StagedJob> tiles;
  for (const Cloth* cloth : cloths) {
    for (const StagedJob& staged : cloth->jobs.*part) append_tiles(tiles, staged, tile_size(staged.job, limits));
  }
  // If stable_sort cannot allocate its temporary buffer, it takes longer but gives the same order.
  std::stable_sort(tiles.begin(), tiles.end(), [](const StagedJob& a, const StagedJob& b) {
    return a.stage != b.stage ? a.stage < b.stage : a.job.kernel < b.job.kernel;
  });
  for (size_t k = 0; k < tiles.size(); ++k) {
    if (k == 0 || tiles[k].stage != tiles[k - 1].stage)
      schedule.passes.push_back(pass_of(tiles[k].job, schedule.jobs.size()));
    schedule.jobs.push_back(tiles[k].job);
    ++schedule.passes.back().job_count;
  }
}

}  // namespace

bool runs_in_passes(const Cloth& cloth, clothc_schedule wanted, uint64_t all_particles, const DeviceLimits& limits) {
  if (cloth.only_in_passes) return true;
  if (max_loops_per_job(cloth, limits.lanes_per_worker) > limits.max_loops_per_job ||
      feature_of(cloth) > limits.largest_program || cloth.padded_count() > limits.largest_program_particles)
    return true;
  if (wanted != CLOTHC_SCHEDULE_AUTO) return wanted == CLOTHC_SCHEDULE_PASS;
  if (limits.prefers_passes) return true;
  constexpr uint32_t smallest = 4096;
  return limits.worker_count > 1 && cloth.padded_count() >= smallest &&
         cloth.padded_count() > all_particles / limits.worker_count;
}

Division divide(const std::vector<Cloth*>& cloths, clothc_schedule wanted, const DeviceLimits& limits) {
  Division division;
  uint64_t all_particles = 0;
  for (const Cloth* cloth : cloths) all_particles += cloth->padded_count();
  for (const Cloth* cloth : cloths) {
    const bool in_passes = runs_in_passes(*cloth, wanted, all_particles, limits);
    (in_passes ? division.in_passes : division.alone).push_back(cloth);
  }
  division.crowds = take_crowds(division.alone, limits);
  return division;
}

std::shared_ptr<const Schedule> build_inter_collision(const std::vector<Cloth*>& cloths, const DeviceLimits& limits) {
  auto schedule = std::make_shared<Schedule>();
  append_passes(*schedule, {cloths.begin(), cloths.end()}, &JobList::inter_collision, limits);
  for (const Cloth* cloth : cloths) schedule->loops_once += loop_count_of(cloth->jobs.inter_collision);
  schedule->repeat_begin = schedule->repeat_end = static_cast<uint32_t>(schedule->passes.size());
  derive_barriers(*schedule);
  return schedule;
}

std::shared_ptr<const Schedule> build_schedule(const Division& division, const DeviceLimits& limits) {
  auto schedule = std::make_shared<Schedule>();
  for (const Crowd& crowd : division.crowds) append_crowd(*schedule, crowd);
  for (const Cloth* cloth : division.alone) append_program(*schedule, *cloth, limits.lanes_per_worker);
  if (limits.largest_program < ProgramFeature::none) {
    std::stable_sort(schedule->programs.begin(), schedule->programs.end(), [](const Program& a, const Program& b) {
      return a.feature != b.feature ? a.feature < b.feature : a.particle_count > b.particle_count;
    });
  }
  append_passes(*schedule, division.in_passes, &JobList::before, limits);
  schedule->repeat_begin = static_cast<uint32_t>(schedule->passes.size());
  append_passes(*schedule, division.in_passes, &JobList::iteration, limits);
  schedule->repeat_end = static_cast<uint32_t>(schedule->passes.size());
  append_passes(*schedule, division.in_passes, &JobList::after, limits);
  add_loop_counts(*schedule, division.in_passes);
  add_loop_counts(*schedule, division.alone);
  for (const Crowd& crowd : division.crowds) add_loop_counts(*schedule, crowd.cloths);
  derive_barriers(*schedule);
  return schedule;
}

Sequence& Sequence::run(const Job& job, bool together) {
  std::vector<StagedJob> tiles;
  append_tiles(tiles, {0, job, 1});
  schedule_->loops_once += loop_count_of(tiles);
  const bool same_pass = together && !schedule_->passes.empty() && schedule_->passes.back().job_count > 0 &&
                         schedule_->jobs.back().kernel == job.kernel;
  if (!same_pass) schedule_->passes.push_back(pass_of(job, schedule_->jobs.size()));
  for (const StagedJob& tile : tiles) schedule_->jobs.push_back(tile.job);
  schedule_->passes.back().job_count += static_cast<uint32_t>(tiles.size());
  return *this;
}

Sequence& Sequence::run(const std::vector<Job>& jobs, bool together) {
  for (const Job& job : jobs) run(job, together);
  return *this;
}

Sequence& Sequence::add(const TableOperation& operation) {
  // A sort counts and moves each element once for each of the 4 digits of 8 bits.
  constexpr uint64_t loops_per_word = 16;
  schedule_->loops_once += loops_per_word * operation.count;
  Pass pass;
  pass.operation = static_cast<uint32_t>(schedule_->operations.size());
  // Operations serve the pass before them.
  if (!schedule_->passes.empty()) pass.stage = schedule_->passes.back().stage;
  schedule_->operations.push_back(operation);
  schedule_->passes.push_back(pass);
  return *this;
}

Sequence& Sequence::sort(uint32_t keys, uint32_t words, uint32_t scratch, uint32_t count, Access access) {
  return add({TableOperation::Kind::sort, keys, words, scratch, count, access});
}

Sequence& Sequence::scan(uint32_t words, uint32_t scratch, uint32_t count, Access access) {
  return add({TableOperation::Kind::scan, words, 0, scratch, count, access});
}

Sequence& Sequence::copy(uint32_t source, uint32_t target, uint32_t count, Access access) {
  return add({TableOperation::Kind::copy, source, target, 0, count, access});
}

std::shared_ptr<const Schedule> Sequence::finish(Stage stage) {
  for (Pass& pass : schedule_->passes) {
    if (stage != Stage::none) pass.stage = stage;
  }
  schedule_->repeat_begin = schedule_->repeat_end = static_cast<uint32_t>(schedule_->passes.size());
  derive_barriers(*schedule_);
  return std::move(schedule_);
}

Job particle_job(const Cloth& cloth, Kernel kernel, uint32_t argument) {
  return {static_cast<uint32_t>(kernel), cloth.slot, 0, cloth.padded_count(), argument};
}

Job reduction_job(const Cloth& cloth, Kernel kernel) {
  return {static_cast<uint32_t>(kernel), cloth.slot, 0, cloth.reduction_lanes(), 0};
}

Job single_job(const Cloth& cloth, Kernel kernel) {
  return {static_cast<uint32_t>(kernel), cloth.slot, cloth.slot, cloth.slot + 1, 0};
}

}  // namespace clothc
