// fabric_report.cpp - reads a fabric's info and diagnostics; the messages come from the library.
#include "cli/fabric_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/device_options.h"

namespace clothc_tool {
namespace {

using nlohmann::ordered_json;

const char* kind_name(clothc_diagnostic_kind kind) {
  switch (kind) {
    case CLOTHC_DIAGNOSTIC_REPEATED_VERTEX:
      return "repeated_vertex";
    case CLOTHC_DIAGNOSTIC_FLAT_FACE:
      return "flat_face";
    case CLOTHC_DIAGNOSTIC_DUPLICATE_FACE:
      return "duplicate_face";
    case CLOTHC_DIAGNOSTIC_NON_MANIFOLD_EDGE:
      return "non_manifold_edge";
    case CLOTHC_DIAGNOSTIC_FLIPPED_FACE:
      return "flipped_face";
    case CLOTHC_DIAGNOSTIC_ISOLATED_VERTEX:
      return "isolated_vertex";
    case CLOTHC_DIAGNOSTIC_UNPINNED_PIECE:
      return "unpinned_piece";
    case CLOTHC_DIAGNOSTIC_UNWELDED_VERTEX:
      return "unwelded_vertex";
    case CLOTHC_DIAGNOSTIC_MANY_EDGES:
      return "many_edges";
    case CLOTHC_DIAGNOSTIC_SHORT_EDGE:
      return "short_edge";
    case CLOTHC_DIAGNOSTIC_LOW_PRECISION:
      return "low_precision";
    case CLOTHC_DIAGNOSTIC_MASS_LIMITED:
      return "mass_limited";
    case CLOTHC_DIAGNOSTIC_PIECES:
      return "pieces";
    default:
      return "other";
  }
}

}  // namespace

FabricReport report_fabric(const clothc::Fabric& fabric) {
  return {fabric.info().value(), fabric.diagnostics().value()};
}

uint64_t unpinned_piece_count(const FabricReport& report) {
  // The cooker gives no diagnostic in this case.
  if (report.info.pinned_particle_count == 0) return report.info.component_count;
  for (const clothc_diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.kind == CLOTHC_DIAGNOSTIC_UNPINNED_PIECE) return diagnostic.count;
  }
  return 0;
}

std::vector<std::string> diagnostic_messages(const FabricReport& report, bool warning) {
  std::vector<std::string> messages;
  for (const clothc_diagnostic& diagnostic : report.diagnostics) {
    if ((diagnostic.warning != 0) == warning) messages.push_back(diagnostic.message);
  }
  return messages;
}

void print_diagnostics(const FabricReport& report, const std::string& prefix, bool first_of_kind_only) {
  for (const uint32_t warning : {0u, 1u}) {
    clothc_diagnostic_kind last_kind = 0;
    for (const clothc_diagnostic& diagnostic : report.diagnostics) {
      const bool is_first = diagnostic.kind != last_kind;
      last_kind = diagnostic.kind;
      if (diagnostic.warning != warning || (first_of_kind_only && !is_first)) continue;
      std::fprintf(stderr, "clothc: %s: %s%s\n", warning ? "warning" : "note", prefix.c_str(), diagnostic.message);
    }
  }
}

ordered_json fabric_json(const FabricReport& report) {
  const clothc_fabric_info& info = report.info;
  return {{"vertices", info.vertex_count},
          {"particles", info.particle_count},
          {"triangles", info.triangle_count},
          {"constraints", info.constraint_count},
          {"phases", info.phase_count},
          {"sets", info.set_count},
          {"colours", info.colour_count},
          {"tethers_per_particle", info.tethers_per_particle},
          {"welded", info.welded_vertex_count},
          {"dropped", info.dropped_triangle_count},
          {"merged_triangles", info.merged_triangle_count},
          {"virtual_particles", info.virtual_particle_count},
          {"reordered", info.reordered != 0},
          {"non_manifold_edges", info.non_manifold_edge_count},
          {"components", info.component_count},
          {"isolated", info.isolated_particle_count},
          {"pinned", info.pinned_particle_count},
          {"untethered", info.untethered_particle_count},
          {"unpinned_components", unpinned_piece_count(report)},
          {"content_hash", hash_text(info.content_hash)}};
}

ordered_json diagnostics_json(const FabricReport& report) {
  ordered_json diagnostics = ordered_json::array();
  for (const clothc_diagnostic& diagnostic : report.diagnostics) {
    ordered_json second = nullptr;
    if (diagnostic.second != UINT32_MAX) second = diagnostic.second;
    diagnostics.push_back({{"kind", kind_name(diagnostic.kind)},
                           {"first", diagnostic.first},
                           {"second", second},
                           {"count", diagnostic.count},
                           {"value", diagnostic.value},
                           {"warning", diagnostic.warning != 0},
                           {"message", diagnostic.message}});
  }
  return diagnostics;
}

}  // namespace clothc_tool
