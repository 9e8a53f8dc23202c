// dispatch.h - the schedules that core builds and streams run: jobs, programs and passes as data.
#pragma once

#include <memory>
#include <vector>

#include "core/backend/memory.h"
#include "kernels/layout.h"

namespace clothc {

// Largest number of items in a tile of a pass, small enough to divide a colour among several workers.
constexpr uint32_t items_per_tile = 1024;

// Jobs that may run in any order and at the same time, sorted by kernel. With a barrier, all earlier passes end before
// this one begins. Without a barrier, the pass is independent of all passes since the last barrier and may run at the
// same time.
struct Pass {
  uint32_t first_job = 0;
  uint32_t job_count = 0;
  bool barrier = true;
};

// All jobs of one group, run in order by one worker: the jobs [before, iteration) once, then [iteration, after) as often
// as CLOTHC_REPETITIONS of the record says, then [after, end) once. These are indices in Schedule::jobs.
struct Program {
  uint32_t record = 0;

  uint32_t before = 0;
  uint32_t iteration = 0;
  uint32_t after = 0;
  uint32_t end = 0;

  // Upper bound on the loop iterations that a worker runs in any one of the jobs, for devices that abort long-running
  // code.
  uint32_t max_loops_per_job = 0;
};

// Everything that an update runs: first all programs, each by one worker, then the passes, where those of the repeated
// range run once per iteration. A job of the repeated range is skipped if CLOTHC_PREDICATE of its record is 0, provided
// that is_predicated holds for its kernel. A schedule is immutable once it has been submitted.
struct Schedule {
  std::vector<Job> jobs;
  std::vector<Program> programs;
  std::vector<Pass> passes;

  // The repeated range, as indices in passes.
  uint32_t repeat_begin = 0;
  uint32_t repeat_end = 0;

  // Estimated cost in loop iterations of a single lane: of everything that runs once, and of one iteration.
  uint64_t loops_once = 0;
  uint64_t loops_per_iteration = 0;
};

// One execution of a schedule.
struct Dispatch {
  Arenas arenas;
  FrameConstants frame{};
  std::shared_ptr<const Schedule> schedule;

  // Number of times that the repeated range runs.
  uint32_t repeat_count = 0;

  // Upper bound on the iterations of any program.
  uint32_t program_iterations = 0;
};

}  // namespace clothc
