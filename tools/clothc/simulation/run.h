// run.h - runs a simulation to its end and writes its files while the next update is being computed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/output.h"

namespace clothc_tool {

struct RunResult {
  // Number of updates made.
  uint32_t frame_count = 0;

  // Wall-clock time, including the time to write files.
  double seconds = 0;

  bool interrupted = false;

  // What drew the pictures; empty if there are none.
  std::string renderer;

  std::vector<std::string> files;
};

// Stops early when Ctrl-C is pressed; files are complete then, too. Shows a progress bar on a terminal.
RunResult run_simulation(SceneSimulation& simulation, uint32_t frame_count, const OutputOptions& options);

}  // namespace clothc_tool
