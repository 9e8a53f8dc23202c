// limits.h - what core must know about a device to divide work for it.
#pragma once

#include <cstdint>

#include "core/backend/dispatch.h"

namespace clothc {

struct DeviceLimits {
  // Number of workers that run at the same time. Core divides the jobs of a pass among this many workers.
  uint32_t worker_count = 1;
  // Number of items of a job that a worker processes at once, one per lane.
  uint32_t lanes_per_worker = 1;
  // Smallest number of items in a tile of a pass. A smaller tile would cost more to hand to a worker than to run.
  uint32_t smallest_tile = items_per_tile;
  // Number of particles that stay in the cache from one colour to the next. Larger particle sets are solved block by
  // block.
  uint32_t particles_in_cache = UINT32_MAX;
  // What a batch of the lattice of a fabric costs (LatticeLayout), in hundredths of what 16 rings do whose particles are
  // gathered. UINT32_MAX = lattices are of no use.
  uint32_t lattice_batch_cost = UINT32_MAX;
  // Whether workers can solve cloths that share a fabric together, and are faster if they do.
  bool forms_crowds = false;
  // Upper bound on the loop iterations that a worker may run in one job of a program. What needs more runs in passes.
  uint32_t max_loops_per_job = UINT32_MAX;
  // The largest program that the device has. What needs more runs in passes. With `none`, programs run any kernel.
  ProgramFeature largest_program = ProgramFeature::none;
  // The largest number of particles, with padding, of a group that a program can run. Larger groups run in passes.
  uint32_t largest_program_particles = UINT32_MAX;
  // Whether passes are better than programs unless a user asks for programs: on software devices, which compile
  // programs slowly and run them no faster.
  bool prefers_passes = false;
  // Whether a child process made by fork may destroy the backend and the objects made from it, although their threads
  // do not exist there. If not, the child never destroys them.
  bool is_freed_after_fork = false;
  // Whether lists only run when the application executes them: see Stream::record_into.
  bool only_records = false;
};

}  // namespace clothc
