// run.h - runs a simulation to its end, writing its files while the next update is under way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/output.h"

namespace clothc_tool {

struct RunResult {
  uint32_t frame_count = 0;  // updates made
  double seconds = 0;        // wall time, files included
  bool interrupted = false;
  std::vector<std::string> files;
};

// Stops early, with whole files, when Ctrl-C is pressed. Shows a progress bar on a terminal.
RunResult run_simulation(SceneSimulation& simulation, uint32_t frame_count, const OutputOptions& options);

}  // namespace clothc_tool
