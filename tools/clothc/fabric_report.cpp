// fabric_report.cpp - reads a fabric's info and arrays and puts findings into sentences.
#include "fabric_report.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "device_options.h"

namespace clothc_tool {
namespace {

// Sets of particles joined by faces.
class Pieces {
 public:
  explicit Pieces(size_t particle_count) : parents_(particle_count) {
    std::iota(parents_.begin(), parents_.end(), uint32_t{0});
  }
  uint32_t find(uint32_t particle) {
    while (parents_[particle] != particle) particle = parents_[particle] = parents_[parents_[particle]];
    return particle;
  }
  void join(uint32_t a, uint32_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<uint32_t> parents_;
};

uint32_t count_unpinned_pieces(clothc_fabric fabric, uint32_t particle_count) {
  const auto triangles = read_fabric<uint32_t>(fabric, CLOTHC_FABRIC_TRIANGLES);
  const auto positions = read_fabric<float>(fabric, CLOTHC_FABRIC_POSITIONS);
  Pieces pieces(particle_count);
  for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
    pieces.join(triangles[i], triangles[i + 1]);
    pieces.join(triangles[i], triangles[i + 2]);
  }
  std::vector<char> held(particle_count, 0), counted(particle_count, 0);
  for (uint32_t i = 0; i < particle_count; ++i) {
    if (positions[4 * size_t{i} + 3] == 0) held[pieces.find(i)] = 1;
  }
  uint32_t count = 0;
  for (uint32_t particle : triangles) {
    const uint32_t piece = pieces.find(particle);
    count += !held[piece] && !counted[piece];
    counted[piece] = 1;
  }
  return count;
}

// "3 vertices" or "1 vertex".
std::string counted(uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void describe(FabricReport& report) {
  const clothc_fabric_info& info = report.info;
  if (info.welded_vertex_count > 0) {
    report.notes.push_back(counted(info.welded_vertex_count, "vertex was", "vertices were") +
                           " welded: " + std::to_string(info.vertex_count) + " vertices became " +
                           counted(info.particle_count, "particle", "particles"));
  }
  if (info.dropped_triangle_count > 0) {
    report.warnings.push_back(counted(info.dropped_triangle_count, "degenerate face was", "degenerate faces were") +
                              " dropped, the first is face " + std::to_string(info.first_dropped_triangle));
  }
  if (info.non_manifold_edge_count > 0) {
    report.warnings.push_back(counted(info.non_manifold_edge_count, "edge has", "edges have") + " more than two faces");
  }
  if (info.isolated_particle_count > 0) {
    report.warnings.push_back(counted(info.isolated_particle_count, "particle belongs", "particles belong") +
                              " to no face, the first is particle " + std::to_string(info.first_isolated_particle));
  }
  if (info.component_count > 1) {
    report.warnings.push_back("the mesh is in " + std::to_string(info.component_count) + " disconnected pieces");
  }
  if (info.pinned_particle_count > 0 && report.unpinned_component_count > 0) {
    report.warnings.push_back(counted(report.unpinned_component_count, "piece has", "pieces have") +
                              " no pinned particle and will fall");
  }
}

}  // namespace

FabricReport report_fabric(clothc_fabric fabric) {
  FabricReport report;
  report.info = fabric_info(fabric);
  report.unpinned_component_count = count_unpinned_pieces(fabric, report.info.particle_count);
  describe(report);
  return report;
}

nlohmann::ordered_json fabric_json(const FabricReport& report) {
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
          {"non_manifold_edges", info.non_manifold_edge_count},
          {"components", info.component_count},
          {"isolated", info.isolated_particle_count},
          {"pinned", info.pinned_particle_count},
          {"untethered", info.untethered_particle_count},
          {"unpinned_components", report.unpinned_component_count},
          {"content_hash", hash_text(info.content_hash)}};
}

}  // namespace clothc_tool
