// jobs.h - the jobs of one cloth's update, before schedule.cpp merges them with those of the other cloths.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layout.h"

namespace clothc {

// A job, and its position among the jobs of all cloths: jobs of different cloths with the same stage form one pass.
struct StagedJob {
  uint64_t stage;
  Job job;
  // Approximate number of loop iterations that the kernel runs for one item.
  uint32_t loop_count;
};

// The jobs of a cloth's update, each list in order. They run once before the iterations, in every iteration, and once
// after the iterations.
struct JobList {
  std::vector<StagedJob> before;
  std::vector<StagedJob> iteration;
  std::vector<StagedJob> after;
  // Replaces `after` for a cloth that collides with others. It runs once the iterations of all cloths are done.
  std::vector<StagedJob> inter_collision;
};

}  // namespace clothc
