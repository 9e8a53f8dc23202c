// dispatch.h - the schedules that core builds and streams run: jobs, programs and passes as data.
#pragma once

#include <memory>
#include <vector>

#include "core/backend/memory.h"
#include "core/backend/times.h"
#include "kernels/layout.h"

namespace clothc {

// Largest number of items in a tile of a pass, small enough to divide a colour among several workers.
constexpr uint32_t items_per_tile = 1024;

// An operation on words of the tables that is not a kernel. All arrays are given by their first words. All operations
// work on integers only, so every correct implementation gives the same bits.
struct TableOperation {
  enum class Kind : uint8_t {
    // Sorts count keys, `first`, and with them the words `second`. The sort is stable. The scratch array has
    // sort_scratch_words(count) words.
    sort,
    // Replaces each of count words, `first`, by the sum of all words before it, modulo 2^32. The scratch array has
    // scan_scratch_words(count) words.
    scan,
    // Copies count words from `first` to `second`. The arrays do not overlap.
    copy
  };
  Kind kind = Kind::copy;
  uint32_t first = 0;
  uint32_t second = 0;
  uint32_t scratch = 0;
  uint32_t count = 0;
  // Bits of Access: the part of the tables where the arrays are.
  uint32_t access = 0;
};

// Upper bounds on the scratch memory that any backend needs.
constexpr uint32_t scan_scratch_words(uint32_t count) { return count / 1024 + count / (1024 * 1024) + 8; }
constexpr uint32_t sort_scratch_words(uint32_t count) {
  const uint32_t counts = 16 * (count / 1024 + 1);
  return 2 * count + counts + scan_scratch_words(counts);
}

constexpr uint32_t no_operation = UINT32_MAX;

// Jobs that may run in any order and at the same time, sorted by kernel; or an operation on tables. With a barrier, all
// earlier passes end before this one begins. Without a barrier, the pass is independent of all passes since the last
// barrier and may run at the same time.
struct Pass {
  uint32_t first_job = 0;
  uint32_t job_count = 0;
  bool barrier = true;
  // Index in Schedule::operations, for a pass without jobs.
  uint32_t operation = no_operation;
  // The stage to which the time of the pass belongs.
  Stage stage = Stage::none;
};

// All jobs of one group, or of several ones, run in order by one worker: the jobs [before, iteration) once, then
// [iteration, after) as often as CLOTHC_REPETITIONS of the record says, then [after, end) once. These are indices in
// Schedule::jobs.
struct Program {
  uint32_t record = 0;
  // The smallest program that holds the kernels of all jobs.
  ProgramFeature feature = ProgramFeature::plain;
  // Number of particles of the group, with padding.
  uint32_t particle_count = 0;

  uint32_t before = 0;
  uint32_t iteration = 0;
  uint32_t after = 0;
  uint32_t end = 0;

  // Upper bound on the loop iterations that a worker runs in any one of the jobs, for devices that abort long-running
  // code.
  uint32_t max_loops_per_job = 0;

  // For programs of several groups, their records, as a range of Schedule::program_records; `record` is one of them. The
  // repeated jobs run as often as the largest CLOTHC_REPETITIONS says, and are skipped like those of the repeated range
  // of passes. Of the ranges [together, alone) and [alone, rest) of them, which have the same results, the first one runs
  // where at least two thirds of the groups are in an iteration, else the second one.
  uint32_t first_record = 0;
  uint32_t record_count = 0;
  uint32_t together = 0;
  uint32_t alone = 0;
  uint32_t rest = 0;
};

// Everything that an update runs: first all programs, each by one worker, then the passes, where those of the repeated
// range run once per iteration. A job of the repeated range is skipped if CLOTHC_PREDICATE of its record is 0, provided
// that is_predicated holds for its kernel. A schedule is immutable once it has been submitted.
struct Schedule {
  std::vector<Job> jobs;
  // For devices that compile programs, those with the same feature are next to each other, the largest one first.
  std::vector<Program> programs;
  // Of programs of several groups.
  std::vector<uint32_t> program_records;
  std::vector<Pass> passes;
  std::vector<TableOperation> operations;

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

  // Where the device adds the times of the dispatch, or null, which costs nothing.
  std::shared_ptr<DispatchTimes> times;
};

}  // namespace clothc
