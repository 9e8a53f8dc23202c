// team.h - runs a schedule on any number of workers. Workers take tiles of the present pass, their own share first; who
// finishes a pass's last tile begins the next pass, and who finishes the last pass goes on with the stream. Nobody waits
// for anybody: a worker that finds no tile for a while leaves.
#pragma once

#include <atomic>

#include "backend_cpu/isa/kernel_table.h"
#include "backend_cpu/scheduler.h"
#include "backend_cpu/shares.h"
#include "core/backend.h"

namespace clothc::cpu {

class Team {
 public:
  Team(const KernelTable& kernels, uint32_t worker_count) : kernels_(kernels), shares_(worker_count) {}

  // Begins a run and returns the number of tiles of its first pass; 0 if there is nothing to do. The dispatch outlives
  // the run.
  uint32_t begin(const Dispatch& dispatch);
  // Takes tiles until there have been none to take for as long as the scheduler lets it wait; true for the one worker that
  // finished the run. invite(tiles) is called when a pass begins, so that others may join.
  template <class Invite>
  bool participate(const Scheduler& scheduler, Invite invite);

 private:
  // Sets up the next pass that has work; false at the end of the run. Only who finished the last pass calls this.
  bool next_pass();
  void publish(uint32_t tiles);
  bool advance_position();
  void divide_into_tiles();
  void run_tile(uint32_t tile);
  void run_program(const Program& program);
  void run_work(const Work& work) const;
  bool is_wanted(const Work& work) const;

  const KernelTable& kernels_;
  Shares shares_;
  alignas(64) std::atomic<uint32_t> remaining_{0};  // tiles of the pass that are not known to be done

  // Of the present run and pass; written by next_pass while no worker holds a tile.
  const Dispatch* dispatch_ = nullptr;
  KernelContext context_;
  bool in_programs_ = false;
  uint32_t pass_ = 0;         // index in the schedule
  uint32_t repetitions_ = 0;  // of the repeated range, done
  uint32_t item_count_ = 0;   // programs or works of the pass
  uint32_t first_item_ = 0;
  uint32_t items_per_tile_ = 1;
  uint32_t tile_count_ = 0;
  bool repeated_ = false;
};

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

template <class Invite>
bool Team::participate(const Scheduler& scheduler, Invite invite) {
  constexpr int patience = 2000;  // pauses: tens of microseconds
  const uint32_t share = shares_.join();
  const auto leave = [&](bool finished) {
    shares_.leave(share);
    return finished;
  };
  int spins = 0;
  Shares::Walk walk;
  while (true) {
    const Shares::Pass pass = shares_.pass();
    if (pass != walk.pass) {
      walk = {share, 0, pass};
      uint32_t done = 0;
      for (uint32_t tile = 0; shares_.take(walk, tile); ++done) run_tile(tile);
      if (done == 0) continue;
      spins = 0;
      if (remaining_.fetch_sub(done, std::memory_order_acq_rel) != done) continue;
      const bool more = next_pass();
      const uint32_t tiles = tile_count_;
      publish(tiles);
      if (!more) return leave(true);
      invite(tiles);
      continue;
    }
    const bool run_goes_on = Shares::tiles_of(pass) > 0;
    if (!scheduler.may_linger(run_goes_on) || ++spins > patience) return leave(false);
    pause_briefly();
  }
}

}  // namespace clothc::cpu
