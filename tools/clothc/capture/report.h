// report.h - what a replay has found so far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capture/generated/calls.h"

namespace clothc_tool {

// A state hash that is not the recorded one.
struct HashDifference {
  // Solvers are numbered from 1 in the order in which they were created.
  uint64_t solver;
  uint64_t update;
  uint32_t cloth_count;
  uint32_t replayed_cloth_count;
  uint64_t recorded;
  uint64_t replayed;
};

// A call with another result than in the recording.
struct CallDifference {
  // Calls are numbered from 1 in the order of the capture.
  uint64_t call;
  Function function;
  int32_t recorded;
  int32_t replayed;
  // Of the error, if the replay had one.
  std::string message;
};

// A call that failed in the recording.
struct RecordedFailure {
  // 0 for a call that changes nothing, which is not replayed and has no number.
  uint64_t call;
  Function function;
  int32_t result;
  std::string message;
};

struct PlayReport {
  uint64_t update_count = 0;
  uint64_t call_count = 0;
  uint64_t device_count = 0;
  uint64_t solver_count = 0;
  // Groups included.
  uint64_t cloth_count = 0;
  uint64_t hash_count = 0;
  uint64_t failure_count = 0;
  // The first ones.
  std::vector<RecordedFailure> failures;
  std::optional<HashDifference> hash_difference;
  std::optional<CallDifference> call_difference;
  // What cannot be as it was in the recorded program, each once.
  std::vector<std::string> messages;

  bool is_equal() const { return !hash_difference && !call_difference; }
};

}  // namespace clothc_tool
