// worker_group.h - runs a schedule on any number of workers. Workers take tiles of the current pass, beginning with
// their own range. The worker that finishes the last tile of a pass begins the next pass, and the one that finishes the
// last pass continues with the stream. No worker blocks on another: one that finds no tile for a while leaves.
#pragma once

#include <atomic>
#include <chrono>

#include "backend_cpu/isa/kernel_table.h"
#include "backend_cpu/tile_partition.h"
#include "core/backend/backend.h"

namespace clothc::cpu {

class WorkerGroup {
 public:
  WorkerGroup(const KernelTable& kernels, uint32_t worker_count) : kernels_(kernels), partition_(worker_count) {}

  // Begins a run and returns the number of tiles of its first pass, or 0 if there is nothing to do. The dispatch must
  // outlive the run.
  uint32_t begin(const Dispatch& dispatch);

  // Takes and runs tiles. When there is none to take, the worker spins for a limited time while may_spin(run_goes_on)
  // holds, and then returns. Returns true to the one worker that finished the run. Calls request_helpers(tiles) when it
  // begins a pass, so that other workers may join.
  template <class MaySpin, class RequestHelpers>
  bool run_worker(MaySpin may_spin, RequestHelpers request_helpers);

 private:
  // The current pass, in one cache line. The worker that begins the pass writes it and all others read it.
  struct alignas(64) Pass {
    // Number of the pass, and number of its tiles, which is 0 while no run is active.
    std::atomic<TilePartition::Pass> number{0};

    // What the pass runs: item_count programs if of_programs, otherwise item_count jobs, or a single operation on
    // tables. These fields are written while no worker holds a tile, and only workers that hold a tile read them.
    uint32_t first_item = 0;
    uint32_t item_count = 0;
    uint32_t items_per_tile = 1;
    bool of_programs = false;
    // Whether the pass is in the repeated range of the schedule.
    bool repeated = false;

    // Index of the pass in the schedule, and number of finished repetitions of the repeated range. The worker that
    // begins the next pass reads them.
    uint32_t position = 0;
    uint32_t repetitions = 0;
  };

  // Sets up the next pass that has items and returns its number of tiles, or 0 at the end of the run. Only the worker
  // that finished the preceding pass may call this.
  uint32_t next_pass();
  // Makes the pass that has been set up visible to all workers.
  void publish(uint32_t tiles);
  bool advance_position();
  uint32_t divide_into_tiles();
  void run_tile(uint32_t tile);
  void run_operation(const TableOperation& operation) const;
  void run_program(const Program& program);
  uint32_t repetitions_of(const Program& program) const;
  // Whether enough of the groups of a program are in an iteration to be solved together.
  bool runs_together(const Program& program) const;
  // Calls run(begin, end) for each range of jobs that an iteration runs.
  template <class Run>
  void run_iteration(const Program& program, const Run& run) const;
  void run_iteration(const Program& program) const;
  void run_jobs(uint32_t begin, uint32_t end) const;
  // Does the same, and adds the time of each job to that of its stage. may_skip: leaves out jobs whose group is in no
  // iteration.
  void run_timed(uint32_t begin, uint32_t end, uint64_t weight, bool may_skip, StageTimes& times) const;
  // Samples a program's stages while it runs.
  void run_sampled(const Program& program);
  // If the dispatch is timed: adds the time since the last call to the pass that has ended, or just begins to count.
  void begin_timing();
  void time_pass();
  void run_job(const Job& job) const;
  // Whether a job of a repeated part runs.
  bool is_running(const Job& job) const;

  const KernelTable& kernels_;
  TilePartition partition_;
  Pass pass_;

  // Number of tiles of the current pass that workers have not yet reported as done.
  alignas(64) std::atomic<uint32_t> remaining_{0};

  // The current run.
  alignas(64) const Dispatch* dispatch_ = nullptr;
  KernelContext context_;

  // When the current pass began, in nanoseconds. Only the worker that begins a pass uses it.
  uint64_t pass_begin_ = 0;
  // Times of stages in the programs that were sampled last. Workers that run such programs add to it.
  std::array<std::atomic<uint64_t>, stage_count> samples_{};
  // The schedule of these programs, only to tell whether another one runs, and the number of its timed runs since.
  const Schedule* sampled_ = nullptr;
  uint32_t runs_since_samples_ = 0;
  // Whether the current run takes samples.
  bool takes_samples_ = false;
};

// Nanoseconds from any point on, which is the same on all threads.
inline uint64_t now() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

template <class MaySpin, class RequestHelpers>
bool WorkerGroup::run_worker(MaySpin may_spin, RequestHelpers request_helpers) {
  // Both limits count pauses of tens of nanoseconds each. The data of another worker's tiles is in that worker's cache,
  // so they are left to it for the first own_tiles_spins pauses, unless it was absent in the preceding pass.
  constexpr int max_spins = 2000;
  constexpr int own_tiles_spins = 100;
  const uint32_t range = partition_.join();
  const auto leave = [&](bool finished) {
    partition_.leave(range);
    return finished;
  };
  int idle = 0;
  TilePartition::Walk walk;
  walk.own = range;
  while (true) {
    const TilePartition::Pass pass = pass_.number.load(std::memory_order_acquire);
    if (pass != walk.pass) {
      idle = 0;
      walk.begin(pass);
    }
    const bool may_wait = may_spin(TilePartition::tiles_of(pass) > 0) && idle < max_spins;
    // Before a worker leaves, it also takes the tiles of others: their owners may be about to leave as well, and no
    // tile may be left behind.
    const bool from_others = idle >= own_tiles_spins || !may_wait;
    uint32_t done = 0;
    for (uint32_t tile = 0; partition_.take(walk, from_others, tile); ++done) run_tile(tile);
    if (done > 0) {
      if (remaining_.fetch_sub(done, std::memory_order_acq_rel) != done) continue;
      const uint32_t tiles = next_pass();
      publish(tiles);
      if (tiles == 0) return leave(true);
      request_helpers(tiles);
      continue;
    }
    if (!may_wait) return leave(false);
    ++idle;
    platform::pause_briefly();
  }
}

}  // namespace clothc::cpu
