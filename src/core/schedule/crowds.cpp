// crowds.cpp - see crowds.h.
#include "core/schedule/crowds.h"

#include <algorithm>
#include <map>

namespace clothc {
namespace {

// Larger cloths would not stay in the cache from one constraint to the next, 16 at a time.
constexpr uint32_t most_particles_of_crowd = 512;

// Shorter runs of constraints, of which a ring counts as one, have little to gain.
constexpr uint32_t least_constraints = 32;

bool is_solve(const StagedJob& staged) { return of_crowd(static_cast<Kernel>(staged.job.kernel)) != Kernel::count; }

// The jobs that solve phases, if they follow one another; else an empty range.
Range solves_of(const Cloth& cloth) {
  const std::vector<StagedJob>& jobs = cloth.jobs.iteration;
  const auto begin = std::find_if(jobs.begin(), jobs.end(), is_solve);
  const auto end = std::find_if_not(begin, jobs.end(), is_solve);
  if (std::any_of(end, jobs.end(), is_solve)) return {};
  uint32_t constraints = 0;
  for (auto job = begin; job != end; ++job) constraints += job->job.end - job->job.begin;
  if (constraints < least_constraints || cloth.padded_count() > most_particles_of_crowd) return {};
  return {static_cast<uint32_t>(begin - jobs.begin()), static_cast<uint32_t>(end - jobs.begin())};
}

// Whether the jobs of two cloths that share a fabric solve the same constraints with the same kernels.
bool solve_alike(const Cloth& a, const Cloth& b) {
  const Range solves = solves_of(a), others = solves_of(b);
  if (solves.begin != others.begin || solves.end != others.end || a.phases.size() != b.phases.size()) return false;
  for (uint32_t k = solves.begin; k < solves.end; ++k) {
    const Job& job = a.jobs.iteration[k].job;
    const Job& other = b.jobs.iteration[k].job;
    if (job.kernel != other.kernel || job.begin != other.begin || job.end != other.end ||
        job.argument - a.constraint_records != other.argument - b.constraint_records)
      return false;
  }
  return true;
}

// Whether so many cloths, each of which takes one unit of time, are done earlier in crowds. A crowd takes 10 to 14 units
// (docs/log/2026-11-28-crowds.md).
bool pays(size_t cloths, uint32_t workers) {
  constexpr size_t cost_of_crowd = 12;
  const auto rounds = [&](size_t count) { return (count + workers - 1) / workers; };
  const size_t crowds = cloths / crowd_size, alone = cloths % crowd_size;
  return crowds > 0 && rounds(crowds) * cost_of_crowd + rounds(alone) < rounds(cloths);
}

static_assert(crowd_phase_words == constraint_words + crowd_size * crowd_value_count &&
                  crowd_value_count == constraint_regularisation - constraint_rate + 1,
              "behind the record of a phase are its values");

void append(Schedule& schedule, const std::vector<StagedJob>& jobs, Range range) {
  for (uint32_t k = range.begin; k < range.end; ++k) schedule.jobs.push_back(jobs[k].job);
}

uint32_t job_count(const Schedule& schedule) { return static_cast<uint32_t>(schedule.jobs.size()); }

uint32_t append_all(Schedule& schedule, const Crowd& crowd, std::vector<StagedJob> JobList::*part) {
  const uint32_t first = job_count(schedule);
  for (const Cloth* cloth : crowd.cloths)
    append(schedule, cloth->jobs.*part, {0, static_cast<uint32_t>((cloth->jobs.*part).size())});
  return first;
}

void append_solves(Schedule& schedule, const Crowd& crowd) {
  const Cloth& leader = *crowd.cloths.front();
  const auto add = [&](Kernel kernel, Range items, uint32_t phase) {
    const uint32_t argument = crowd.word + crowd_record_word(phase);
    schedule.jobs.push_back(
        {static_cast<uint32_t>(kernel), 0, crowd_size * items.begin, crowd_size * items.end, argument});
  };
  for (uint32_t k = 0; k < crowd_size; ++k) {
    const uint32_t slot = crowd.cloths[k]->slot;
    schedule.jobs.push_back({static_cast<uint32_t>(Kernel::join_crowd), slot, slot, slot + 1, crowd.word + k});
  }
  const Range particles = {0, leader.padded_count()};
  add(Kernel::enter_crowd, particles, 0);
  for (uint32_t k = crowd.solves.begin; k < crowd.solves.end; ++k) {
    const Job& job = leader.jobs.iteration[k].job;
    const uint32_t phase = (job.argument - leader.constraint_records) / constraint_words;
    add(of_crowd(static_cast<Kernel>(job.kernel)), {job.begin, job.end}, phase);
  }
  add(Kernel::leave_crowd, particles, 0);
}

}  // namespace

Kernel of_crowd(Kernel kernel) {
  switch (kernel) {
    case Kernel::solve_edges:
      return Kernel::solve_edges_of_crowd;
    case Kernel::solve_edges_with_limits:
      return Kernel::solve_edges_of_crowd_with_limits;
    case Kernel::solve_rings:
      return Kernel::solve_rings_of_crowd;
    case Kernel::solve_rings_with_limits:
      return Kernel::solve_rings_of_crowd_with_limits;
    default:
      return Kernel::count;
  }
}

std::vector<Crowd> take_crowds(std::vector<const Cloth*>& cloths, const DeviceLimits& limits) {
  std::vector<Crowd> crowds;
  if (!limits.forms_crowds || cloths.size() < crowd_size) return crowds;
  // All cloths that solve alike, and where those are in the list that share a fabric.
  std::vector<Crowd> open;
  std::map<const ClothTopology*, std::vector<size_t>> open_of_fabric;
  std::vector<const Cloth*> others;
  for (const Cloth* cloth : cloths) {
    const Range solves = solves_of(*cloth);
    if (solves.begin == solves.end) {
      others.push_back(cloth);
      continue;
    }
    std::vector<size_t>& alike = open_of_fabric[cloth->topology.get()];
    const auto known = std::find_if(alike.begin(), alike.end(),
                                    [&](size_t k) { return solve_alike(*open[k].cloths.front(), *cloth); });
    const size_t number = known != alike.end() ? *known : open.size();
    if (known == alike.end()) {
      alike.push_back(number);
      open.push_back({{}, 0, solves});
    }
    open[number].cloths.push_back(cloth);
  }
  for (Crowd& all : open) {
    const size_t grouped = pays(all.cloths.size(), limits.worker_count) ? all.cloths.size() / crowd_size : 0;
    for (size_t k = 0; k < grouped; ++k) {
      const auto first = all.cloths.begin() + static_cast<ptrdiff_t>(k * crowd_size);
      crowds.push_back({{first, first + crowd_size}, 0, all.solves});
    }
    others.insert(others.end(), all.cloths.begin() + static_cast<ptrdiff_t>(grouped * crowd_size), all.cloths.end());
  }
  cloths = std::move(others);
  return crowds;
}

uint32_t words_of(const Crowd& crowd) {
  const Cloth& leader = *crowd.cloths.front();
  return crowd_word_count(static_cast<uint32_t>(leader.phases.size()), leader.padded_count());
}

void append_crowd(Schedule& schedule, const Crowd& crowd) {
  Program program;
  program.first_record = static_cast<uint32_t>(schedule.program_records.size());
  program.record_count = crowd_size;
  for (const Cloth* cloth : crowd.cloths) {
    schedule.program_records.push_back(cloth->slot);
    program.particle_count += cloth->padded_count();
  }
  program.record = crowd.cloths.front()->slot;
  program.before = append_all(schedule, crowd, &JobList::before);
  program.iteration = job_count(schedule);
  // The jobs before and behind these are the cloth's own.
  for (const Cloth* cloth : crowd.cloths) append(schedule, cloth->jobs.iteration, {0, crowd.solves.begin});
  program.together = job_count(schedule);
  append_solves(schedule, crowd);
  program.alone = job_count(schedule);
  for (const Cloth* cloth : crowd.cloths) append(schedule, cloth->jobs.iteration, crowd.solves);
  program.rest = job_count(schedule);
  for (const Cloth* cloth : crowd.cloths)
    append(schedule, cloth->jobs.iteration, {crowd.solves.end, static_cast<uint32_t>(cloth->jobs.iteration.size())});
  program.after = append_all(schedule, crowd, &JobList::after);
  program.end = job_count(schedule);
  schedule.programs.push_back(program);
}

}  // namespace clothc
