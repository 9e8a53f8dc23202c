// rules.h - what tests tell the device to do, as control.h describes. Values only; the state guards those in force.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cuda/device/driver/functions.h"
#include "cuda/device/driver/planted_text.h"
#include "cuda/device/ptx/interpreter.h"

namespace clothc::cuda_device {

// Makes calls fail.
struct CallRule {
  // Any function if it is not set.
  std::optional<Function> function;
  uint64_t first;
  bool and_later;
  CUresult result;
  // Calls that the rule has counted.
  uint64_t calls = 0;
};

enum class Start : uint8_t { normal, early, late };

// What is told of reserved addresses without memory, see control.h.
enum class Holes : uint8_t { unknown, told, outside };

// How an operation runs.
struct Manner {
  bool executes = true;
  ptx::Order order = ptx::Order::forward;
  uint32_t seed = 1;
  bool delays_stores = false;
  bool finds_races = true;
  bool counts = false;
};

struct Rules {
  std::vector<CallRule> calls;
  Manner manner;
  Start start = Start::normal;

  bool hangs = false;
  bool hangs_to_host = false;
  bool hangs_from_host = false;
  bool kills = false;
  // Numbers of operations; 0 is none.
  uint64_t hung_operation = 0;
  uint64_t lost_operation = 0;
  CUresult loss = CUDA_ERROR_LAUNCH_FAILED;

  CUresult init = CUDA_SUCCESS;
  int device_count = 1;
  int driver_version = 13000;
  std::map<int, int> attributes;
  uint64_t memory_size = uint64_t{4} << 30;
  // Where native code that is accepted can be found, or empty.
  std::string native_folder;
  // What is wrong in kernels that are loaded.
  std::vector<PlantedFault> planted;
  // In nanoseconds.
  int64_t clock_resolution = 1;
  Holes holes = Holes::unknown;
  // Whether external memory is taken only as a dedicated allocation.
  bool demands_dedicated = false;

  // Whether operations may hang.
  bool has_hang() const { return hangs || hangs_to_host || hangs_from_host || hung_operation != 0; }
};

// Adds the rules of a text to others. Returns nothing if one of them is wrong.
std::optional<Rules> read_rules(const std::string& text, Rules rules);

// Counts a call. Returns its result if a rule stops it.
std::optional<CUresult> count_call(Rules& rules, Function function);

}  // namespace clothc::cuda_device
