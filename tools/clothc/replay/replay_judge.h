// Judges a replayed frame against the recorded one: largest position error against the file's tolerance and, for
// scenes with many contacts, the aggregate measures (centre, smallest separation, number of close pairs).
#pragma once

#include <optional>
#include <vector>

#include "replay_reference.h"

namespace clothc_tool {

struct AggregateVerdict {
  double centre_error = 0, centre_tolerance = 0;        // m
  double min_separation = 1, min_separation_limit = 0;  // length / distance
  uint64_t close_pairs = 0, close_pairs_limit = 0;
  bool pass = false;
};

struct FrameVerdict {
  uint32_t frame = 0;
  double max_error = 0;              // m; infinite if a position is not finite
  uint32_t cloth = 0, particle = 0;  // of max_error
  std::optional<double> tolerance;   // nullopt: not judged by trajectory
  std::optional<AggregateVerdict> aggregate;
  bool pass = false;
};

// positions: of every cloth, [particle_count][4], after output frame number output_index of the reference.
FrameVerdict judge_frame(const Reference& reference, std::size_t output_index,
                         const std::vector<std::vector<float>>& positions);

}  // namespace clothc_tool
