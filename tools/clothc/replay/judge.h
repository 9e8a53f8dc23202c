// Judges a replayed frame against the recorded one: largest position error against the file's tolerance; for scenes with
// many contacts, the aggregate measures (centre, smallest separation, number of close pairs); and whether cloths sleep.
#pragma once

#include <optional>
#include <vector>

#include "replay/reference.h"

namespace clothc_tool {

struct AggregateVerdict {
  double centre_error = 0, centre_tolerance = 0;        // m
  double min_separation = 1, min_separation_limit = 0;  // length / distance
  uint64_t close_pairs = 0, close_pairs_limit = 0;
  bool pass = false;
};

// Of the first cloth that may sleep and differs, else of the first that may sleep.
struct SleepVerdict {
  uint32_t cloth = 0;
  ReferenceSleep seen, expected;
  bool pass = false;
};

struct FrameVerdict {
  uint32_t frame = 0;
  double max_error = 0;              // m; infinite if a position is not finite
  uint32_t cloth = 0, particle = 0;  // of max_error
  std::optional<double> tolerance;   // nullopt: not judged by trajectory
  std::optional<AggregateVerdict> aggregate;
  std::optional<SleepVerdict> sleep;  // nullopt: no cloth may sleep
  bool pass = false;
};

// After output frame number output_index of the reference, of every cloth: positions [particle_count][4], where their
// frames are, and sleep.
FrameVerdict judge_frame(const Reference& reference, std::size_t output_index,
                         const std::vector<std::vector<float>>& positions, const std::vector<ReferencePose>& poses,
                         const std::vector<ReferenceSleep>& sleep);

}  // namespace clothc_tool
