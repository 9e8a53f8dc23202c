// bench_start.h - `clothc bench --start`: measures the first use of scenes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/device_options.h"

namespace clothc_tool {

// names: scene files, mesh files, or names of benchmark cases; none = a cloth that uses little and one that uses
// everything. frames: the number of frames after the first one, 0 = 300. Returns an ExitCode.
int run_bench_start(const DeviceOptions& device, const std::vector<std::string>& names, uint32_t frames, bool json);

}  // namespace clothc_tool
