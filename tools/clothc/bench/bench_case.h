// The benchmark cases: a table of scenes built in code, each exactly what docs/performance.md says. `clothc compare`
// takes the same names, so that a benchmark's hash can be reproduced.
#pragma once

#include <string>
#include <vector>

#include "scene.h"

namespace clothc_tool {

struct BenchCase {
  const char* name;
  const char* description;
  uint32_t warm_up_frames;
  uint32_t frames;        // per repetition
  bool edge_solve_alone;  // measured as the difference to the same scene with no phase solved
  bool by_default;        // run when no case is named
  Scene (*build)();
};

const std::vector<BenchCase>& bench_cases();

// The case of that name, or nullptr.
const BenchCase* find_bench_case(const std::string& name);

// All names, for messages: "sheet50, sheet100, ...".
std::string bench_case_names();

}  // namespace clothc_tool
