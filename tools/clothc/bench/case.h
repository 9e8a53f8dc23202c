// case.h - the benchmark cases: a table of scenes built in code, and name patterns for any number of particles or
// cloths. docs/performance.md describes each of them exactly. `clothc compare` accepts the same names, so that the
// state hash of a benchmark can be reproduced.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/simulation.h"

namespace clothc_tool {

struct BenchCase {
  std::string name;
  std::string description;

  uint32_t warm_up_frames;

  // Frames per repetition.
  uint32_t frames;

  // Report the difference to the same scene without any phases.
  bool edge_solve_alone;

  // Run the case if no case is named on the command line.
  bool by_default;

  std::function<Scene()> build;

  // For a case that times calls: returns what a frame does in place of a step of the simulation. Empty for all others.
  std::function<std::function<void()>(const SceneSimulation&)> calls;
};

// Returns the table.
const std::vector<BenchCase>& bench_cases();

// Returns the case with this name from the table or from a pattern, or none if it is neither. Throws InputError if a
// pattern does not support the numbers in the name.
std::optional<BenchCase> find_bench_case(const std::string& name);

// Loads a scene file or mesh file, or builds the case with this name. Throws InputError.
Scene scene_named(const std::string& name);

// Returns all names for messages: "sheet50, sheet100, ...".
std::string bench_case_names();

}  // namespace clothc_tool
