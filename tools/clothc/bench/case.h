// The benchmark cases: a table of scenes built in code, and patterns of names for any number of particles or cloths, each
// exactly what docs/performance.md says. `clothc compare` takes the same names, so that a benchmark's hash can be
// reproduced.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace clothc_tool {

struct BenchCase {
  std::string name;
  std::string description;
  uint32_t warm_up_frames;
  uint32_t frames;        // per repetition
  bool edge_solve_alone;  // measured as the difference to the same scene with no phase solved
  bool by_default;        // run when no case is named
  std::function<Scene()> build;
};

// The table.
const std::vector<BenchCase>& bench_cases();

// The case of that name, of the table or else of a pattern; none if it is neither. Throws InputError where it is a pattern
// whose numbers have no case.
std::optional<BenchCase> find_bench_case(const std::string& name);

// All names, for messages: "sheet50, sheet100, ...".
std::string bench_case_names();

}  // namespace clothc_tool
