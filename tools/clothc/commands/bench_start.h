// bench_start.h - `clothc bench --start`: measures the first use of scenes.
#pragma once

#include <string>
#include <vector>

#include "bench/start.h"

namespace clothc_tool {

// names: scene files, mesh files, or names of benchmark cases; none = a cloth that uses little and one that uses
// everything. Returns an ExitCode.
int run_bench_start(const StartOptions& options, const std::vector<std::string>& names, bool json);

}  // namespace clothc_tool
