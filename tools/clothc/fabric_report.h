// fabric_report.h - what the cooker found in a mesh, in numbers and in words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "api.h"
#include "mesh.h"

namespace clothc_tool {

struct FabricReport {
  clothc_fabric_info info;
  uint32_t unpinned_component_count = 0;  // pieces of faces that no pinned particle holds
  std::vector<std::string> notes;         // what was done to the mesh: welded vertices
  std::vector<std::string> warnings;      // what may be wrong with it: dropped faces, loose pieces
};

FabricReport report_fabric(clothc_fabric fabric);

// The numbers that `cook` and `sim` print with --json.
nlohmann::ordered_json fabric_json(const FabricReport& report);

}  // namespace clothc_tool
