// fabric_report.h - reports a fabric's sizes and the cooker's diagnostics about its mesh, as numbers and as sentences.
#pragma once

#include <clothc.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace clothc_tool {

struct FabricReport {
  clothc_fabric_info info;

  // Sorted by kind; the library keeps the first 16 of each kind.
  std::vector<clothc_diagnostic> diagnostics;
};

FabricReport report_fabric(const clothc::Fabric& fabric);

// Returns the number of connected pieces without a pinned particle, which is all of them if nothing is pinned.
uint64_t unpinned_piece_count(const FabricReport& report);

// Returns the messages of all warnings (warning = true), or of all diagnostics that are only informative.
std::vector<std::string> diagnostic_messages(const FabricReport& report, bool warning);

// Prints the diagnostics on stderr, each after the prefix and with the warnings last: all of them, or only the first of
// each kind.
void print_diagnostics(const FabricReport& report, const std::string& prefix, bool first_of_kind_only);

// fabric_json returns the numbers that `cook` and `sim` print with --json; diagnostics_json returns the list of
// diagnostics that only `cook` prints.
nlohmann::ordered_json fabric_json(const FabricReport& report);
nlohmann::ordered_json diagnostics_json(const FabricReport& report);

}  // namespace clothc_tool
