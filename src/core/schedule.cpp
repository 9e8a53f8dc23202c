// schedule.cpp - programs and passes.
#include "core/schedule.h"

#include <algorithm>

namespace clothc {
namespace {

// Items of a tile: enough to outweigh taking it, few enough to share a colour among workers. A multiple of 16.
constexpr uint32_t items_per_tile = 1024;

uint32_t append_works(Schedule& schedule, const std::vector<StagedWork>& works) {
  const uint32_t first = static_cast<uint32_t>(schedule.works.size());
  for (const StagedWork& staged : works) schedule.works.push_back(staged.work);
  return first;
}

void append_program(Schedule& schedule, const Cloth& cloth) {
  Program program;
  program.cloth = cloth.slot;
  program.before = append_works(schedule, cloth.works.before);
  program.iteration = append_works(schedule, cloth.works.iteration);
  program.after = append_works(schedule, cloth.works.after);
  program.end = static_cast<uint32_t>(schedule.works.size());
  schedule.programs.push_back(program);
}

void append_tiles(std::vector<StagedWork>& tiles, const StagedWork& staged) {
  const bool whole = info_of(static_cast<Kernel>(staged.work.kernel)).domain == Domain::cloth;
  for (uint32_t begin = staged.work.begin; begin < staged.work.end; begin += items_per_tile) {
    StagedWork tile = staged;
    tile.work.begin = begin;
    tile.work.end = whole ? staged.work.end : std::min(begin + items_per_tile, staged.work.end);
    tiles.push_back(tile);
    if (whole) break;
  }
}

// Works of the same stage in different cloths form one pass.
void append_passes(Schedule& schedule, const std::vector<Cloth*>& cloths, std::vector<StagedWork> WorkList::*part) {
  std::vector<StagedWork> tiles;
  for (const Cloth* cloth : cloths) {
    for (const StagedWork& staged : cloth->works.*part) append_tiles(tiles, staged);
  }
  std::stable_sort(tiles.begin(), tiles.end(),
                   [](const StagedWork& a, const StagedWork& b) { return a.stage < b.stage; });
  for (size_t k = 0; k < tiles.size(); ++k) {
    if (k == 0 || tiles[k].stage != tiles[k - 1].stage)
      schedule.passes.push_back({static_cast<uint32_t>(schedule.works.size()), 0});
    schedule.works.push_back(tiles[k].work);
    ++schedule.passes.back().work_count;
  }
}

}  // namespace

bool runs_in_passes(const Cloth& cloth, clothc_schedule wanted, uint64_t all_particles, uint32_t worker_count) {
  if (wanted != CLOTHC_SCHEDULE_AUTO) return wanted == CLOTHC_SCHEDULE_PASS;
  constexpr uint32_t smallest = 8192;
  return worker_count > 1 && cloth.padded_count >= smallest && cloth.padded_count > all_particles / worker_count;
}

std::shared_ptr<const Schedule> build_schedule(const std::vector<Cloth*>& cloths, clothc_schedule wanted,
                                               uint32_t worker_count) {
  auto schedule = std::make_shared<Schedule>();
  uint64_t all_particles = 0;
  for (const Cloth* cloth : cloths) all_particles += cloth->padded_count;
  std::vector<Cloth*> in_passes;
  for (Cloth* cloth : cloths) {
    if (runs_in_passes(*cloth, wanted, all_particles, worker_count)) {
      in_passes.push_back(cloth);
    } else {
      append_program(*schedule, *cloth);
    }
  }
  append_passes(*schedule, in_passes, &WorkList::before);
  schedule->repeat_begin = static_cast<uint32_t>(schedule->passes.size());
  append_passes(*schedule, in_passes, &WorkList::iteration);
  schedule->repeat_end = static_cast<uint32_t>(schedule->passes.size());
  append_passes(*schedule, in_passes, &WorkList::after);
  return schedule;
}

void append_pass(Schedule& schedule, const std::vector<Cloth*>& cloths, Kernel kernel) {
  std::vector<StagedWork> tiles;
  for (const Cloth* cloth : cloths) {
    Work work{static_cast<uint32_t>(kernel), cloth->slot, 0, cloth->padded_count, 0};
    if (info_of(kernel).domain == Domain::lane) work.end = cloth->reduction_lanes;
    if (info_of(kernel).domain == Domain::cloth) {
      work.begin = cloth->slot;
      work.end = cloth->slot + 1;
    }
    append_tiles(tiles, {0, work});
  }
  schedule.passes.push_back({static_cast<uint32_t>(schedule.works.size()), static_cast<uint32_t>(tiles.size())});
  for (const StagedWork& tile : tiles) schedule.works.push_back(tile.work);
}

}  // namespace clothc
