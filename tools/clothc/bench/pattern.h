// Benchmark cases named by a pattern, for sweeps: sheetN and clothsCxP.
#pragma once

#include "bench/case.h"

namespace clothc_tool {

// What the patterns are, for messages.
constexpr const char* kBenchPatterns = "sheetN (N x N particles, N 10 to 2000) or clothsCxP (C cloths of P particles)";

// The case, none if the name is of no pattern. Throws InputError where its numbers have no case.
std::optional<BenchCase> find_bench_pattern(const std::string& name);

}  // namespace clothc_tool
