// worker_group.h - runs a schedule on any number of workers. Workers take tiles of the present pass, their own share first; who
// finishes a pass's last tile begins the next pass, and who finishes the last pass goes on with the stream. Nobody waits
// for anybody: a worker that finds no tile for a while leaves.
#pragma once

#include <atomic>

#include "backend_cpu/isa/kernel_table.h"
#include "backend_cpu/tile_partition.h"
#include "core/backend/backend.h"

namespace clothc::cpu {

class WorkerGroup {
 public:
  WorkerGroup(const KernelTable& kernels, uint32_t worker_count) : kernels_(kernels), shares_(worker_count) {}

  // Begins a run and returns the number of tiles of its first pass; 0 if there is nothing to do. The dispatch outlives
  // the run.
  uint32_t begin(const Dispatch& dispatch);
  // Takes tiles until there have been none to take for a while, or for as long as may_spin(run_goes_on) holds; true for
  // the one worker that finished the run. request_helpers(tiles) is called when a pass begins, so that others may join.
  template <class MaySpin, class RequestHelpers>
  bool run_worker(MaySpin may_spin, RequestHelpers request_helpers);

 private:
  // The present pass, in one line, which the worker that begins it writes and all others read.
  struct alignas(64) Pass {
    std::atomic<TilePartition::Pass> number{0};  // and tiles: none if no run goes on
    // Written while no worker holds a tile, and read by those who hold one.
    uint32_t first_item = 0;
    uint32_t item_count = 0;  // programs or jobs
    uint32_t items_per_tile = 1;
    bool of_programs = false;
    bool repeated = false;
    // Where it is, for whoever begins the next one.
    uint32_t position = 0;     // index in the schedule's passes
    uint32_t repetitions = 0;  // of the repeated range, done
  };

  // Sets up the next pass that has work and returns its number of tiles; 0 at the end of the run. Only who finished the
  // last pass calls this.
  uint32_t next_pass();
  void publish(uint32_t tiles);
  bool advance_position();
  uint32_t divide_into_tiles();
  void run_tile(uint32_t tile);
  void run_program(const Program& program);
  void run_job(const Job& job) const;
  bool is_wanted(const Job& job) const;

  const KernelTable& kernels_;
  TilePartition shares_;
  Pass pass_;
  alignas(64) std::atomic<uint32_t> remaining_{0};  // tiles of the pass that are not known to be done

  // Of the present run.
  alignas(64) const Dispatch* dispatch_ = nullptr;
  KernelContext context_;
};

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

template <class MaySpin, class RequestHelpers>
bool WorkerGroup::run_worker(MaySpin may_spin, RequestHelpers request_helpers) {
  // In pauses, tens of nanoseconds each. What others share is in their caches, so that it is left to them for a while,
  // unless they were not there in the pass before.
  constexpr int max_spins = 2000;
  constexpr int own_tiles_spins = 100;
  const uint32_t share = shares_.join();
  const auto leave = [&](bool finished) {
    shares_.leave(share);
    return finished;
  };
  int idle = 0;
  TilePartition::Walk walk;
  walk.own = share;
  while (true) {
    const TilePartition::Pass pass = pass_.number.load(std::memory_order_acquire);
    if (pass != walk.pass) {
      idle = 0;
      walk.begin(pass);
    }
    const bool may_wait = may_spin(TilePartition::tiles_of(pass) > 0) && idle < max_spins;
    // Nobody leaves a tile behind: whose share it is may be about to leave as well.
    const bool from_others = idle >= own_tiles_spins || !may_wait;
    uint32_t done = 0;
    for (uint32_t tile = 0; shares_.take(walk, from_others, tile); ++done) run_tile(tile);
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
    pause_briefly();
  }
}

}  // namespace clothc::cpu
