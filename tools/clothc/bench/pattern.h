// pattern.h - benchmark cases whose names contain their size, for parameter sweeps: sheetN, clothsCxP and
// capesC.
#pragma once

#include "bench/case.h"

namespace clothc_tool {

// Description of the patterns for messages.
constexpr const char* kBenchPatterns =
    "sheetN (N x N particles, N 10 to 2000), clothsCxP (C cloths of P particles) or capesC (C capes on bodies)";

// Returns the case, or none if the name matches no pattern. Throws InputError if the numbers in the name are not
// supported.
std::optional<BenchCase> find_bench_pattern(const std::string& name);

}  // namespace clothc_tool
