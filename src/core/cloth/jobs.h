// jobs.h - the jobs of one cloth's update, before they are joined with those of others.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/layout.h"

namespace clothc {

// The jobs of a cloth's update, in order. The stage orders jobs of different cloths among each other.
struct StagedJob {
  uint64_t stage;
  Job job;
  uint32_t loop_count;  // of loops within an item, about
};
struct JobList {
  std::vector<StagedJob> before;
  std::vector<StagedJob> iteration;
  std::vector<StagedJob> after;
  // Of a cloth that collides with others, in place of after: once the iterations of all are done.
  std::vector<StagedJob> inter_collision;
};

}  // namespace clothc
