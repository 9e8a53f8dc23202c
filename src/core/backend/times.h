// times.h - what a device measures of an update whose times a program has asked for.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/layout.h"

namespace clothc {

constexpr size_t stage_count = static_cast<size_t>(Stage::count);

// Nanoseconds by stage.
using StageTimes = std::array<uint64_t, stage_count>;

// The times of one dispatch, in nanoseconds. The parts follow each other, so that they add up to the dispatch, and the
// stages add up to the parts.
struct DispatchTimes {
  // All programs; the passes in front of the repeated ones; all repetitions; the passes behind them.
  enum Part : uint8_t { programs, before, repeated, after, part_count };
  std::array<uint64_t, part_count> parts{};
  StageTimes stages{};

  // Adds a time to a part and to a stage.
  void add(Part part, Stage stage, uint64_t ns) {
    parts[part] += ns;
    if (stage != Stage::none) stages[static_cast<size_t>(stage)] += ns;
  }
  // Adds a time to a part, and divides it among the stages as it is divided in the samples. Without samples, or with
  // samples that took less time than the clock can tell, it goes to the other stage.
  void add_by_samples(Part part, const StageTimes& samples, uint64_t ns, Stage other) {
    double sum = 0;
    for (const uint64_t sample : samples) sum += static_cast<double>(sample);
    if (sum == 0) return add(part, other, ns);
    parts[part] += ns;
    for (size_t k = 0; k < stage_count; ++k)
      stages[k] += static_cast<uint64_t>(static_cast<double>(ns) * (static_cast<double>(samples[k]) / sum));
  }
};

// The times of one update.
struct UpdateTimes {
  // Points in time, each behind all commands up to its Mark: in nanoseconds from any point on.
  enum Point : uint8_t { begin, uploaded, sorted, solved, collided, reported, end, point_count };
  std::array<uint64_t, point_count> points{};
  DispatchTimes sorting, solving, colliding, reporting;
  // Set once the update has ended and all times are here. Only then may they be read.
  std::atomic<bool> is_complete{false};
};

}  // namespace clothc
