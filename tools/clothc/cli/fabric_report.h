// fabric_report.h - what a fabric holds and what the cooker found in its mesh, in numbers and in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/api.h"

namespace clothc_tool {

struct FabricReport {
  clothc_fabric_info info;
  std::vector<clothc_diagnostic> diagnostics;  // by kind, the first 16 of each
};

FabricReport report_fabric(clothc_fabric fabric);

// Pieces that no pinned particle holds: all of them if nothing is pinned.
uint64_t unpinned_piece_count(const FabricReport& report);

// The sentences of warnings, or of the diagnostics that are only good to know.
std::vector<std::string> diagnostic_messages(const FabricReport& report, bool warning);

// Prints diagnostics on stderr, warnings last, after a prefix: all of them, or the first of each kind.
void print_diagnostics(const FabricReport& report, const std::string& prefix, bool first_of_kind_only);

// The numbers that `cook` and `sim` print with --json, and the diagnostics that `cook` does.
nlohmann::ordered_json fabric_json(const FabricReport& report);
nlohmann::ordered_json diagnostics_json(const FabricReport& report);

}  // namespace clothc_tool
