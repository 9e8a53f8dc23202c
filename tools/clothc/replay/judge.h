// judge.h - judges a replayed frame against the recorded one: by the largest position error and the file's tolerance,
// for scenes with many contacts by aggregate measures (centre, smallest separation, number of close pairs), and by
// whether cloths sleep.
#pragma once

#include <optional>
#include <vector>

#include "replay/reference.h"

namespace clothc_tool {

struct AggregateVerdict {
  // In m.
  double centre_error = 0, centre_tolerance = 0;

  // Distance between particles divided by the collision distance.
  double min_separation = 1, min_separation_limit = 0;

  uint64_t close_pairs = 0, close_pairs_limit = 0;

  bool pass = false;
};

// Describes the first cloth whose sleep state differs from the recorded one, otherwise the first cloth that may sleep.
struct SleepVerdict {
  uint32_t cloth = 0;
  ReferenceSleep seen, expected;
  bool pass = false;
};

struct FrameVerdict {
  uint32_t frame = 0;

  // Largest position error in m, infinite if a position is not finite, and the particle that has it.
  double max_error = 0;
  uint32_t cloth = 0, particle = 0;

  // nullopt if the frame is not judged by its trajectory.
  std::optional<double> tolerance;

  std::optional<AggregateVerdict> aggregate;

  // nullopt if no cloth may sleep.
  std::optional<SleepVerdict> sleep;

  bool pass = false;
};

// Judges the state after output frame number output_index of the reference. positions: [particle_count][4] of each
// cloth in the coordinates of its frame. poses: each cloth's frame. sleep: each cloth's sleep state.
FrameVerdict judge_frame(const Reference& reference, std::size_t output_index,
                         const std::vector<std::vector<float>>& positions, const std::vector<ReferencePose>& poses,
                         const std::vector<ReferenceSleep>& sleep);

}  // namespace clothc_tool
