// cook_mesh.cpp - owns the order of cooking: weld, drop bad faces, weigh, find the constraints of each phase, tether.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "cook/colour.h"
#include "cook/constraint_pairs.h"
#include "cook/cook.h"
#include "cook/edges.h"
#include "cook/faces.h"
#include "cook/geometry.h"
#include "cook/masses.h"
#include "cook/tethers.h"
#include "cook/weld.h"

namespace clothc {
namespace {

// Values of clothc_phase_type.
constexpr uint32_t phase_stretch = 1;
constexpr uint32_t phase_shear = 2;
constexpr uint32_t phase_bend = 3;

void weld_vertices(const MeshData& mesh, FabricData& fabric) {
  cook::Welding welding = cook::weld(mesh.positions, mesh.weld_distance);
  const size_t vertex_count = welding.particle_of_vertex.size();
  const size_t particle_count = welding.vertex_of_particle.size();
  fabric.positions.resize(particle_count * 4);
  for (size_t p = 0; p < particle_count; ++p) {
    const size_t v = welding.vertex_of_particle[p];
    std::copy_n(&mesh.positions[v * 3], 3, &fabric.positions[p * 4]);
    fabric.positions[p * 4 + 3] = mesh.inverse_masses.empty() ? 1.0f : mesh.inverse_masses[v];
  }
  for (size_t v = 0; v < mesh.inverse_masses.size(); ++v) {
    if (mesh.inverse_masses[v] == 0) fabric.positions[size_t{welding.particle_of_vertex[v]} * 4 + 3] = 0;
  }
  fabric.vertex_count = static_cast<uint32_t>(vertex_count);
  fabric.particle_count = static_cast<uint32_t>(particle_count);
  fabric.vertex_map = std::move(welding.particle_of_vertex);
  fabric.report.welded_vertex_count = fabric.vertex_count - fabric.particle_count;
}

void append_phase(FabricData& fabric, uint32_t type, std::vector<cook::Pair> pairs) {
  if (pairs.empty()) return;
  cook::order_by_colour(pairs, fabric.particle_count);
  for (const cook::Pair pair : pairs) {
    fabric.indices.push_back(pair.first);
    fabric.indices.push_back(pair.second);
    fabric.rest_lengths.push_back(static_cast<float>(cook::distance(fabric.positions, pair.first, pair.second)));
  }
  fabric.phase_sets.push_back(static_cast<uint32_t>(fabric.set_ends.size()));
  fabric.phase_types.push_back(type);
  fabric.set_ends.push_back(static_cast<uint32_t>(fabric.rest_lengths.size()));
}

void add_tethers(const MeshData& mesh, const cook::EdgeList& edges, const std::vector<cook::Pair>& diagonals,
                 FabricData& fabric) {
  cook::Tethers tethers =
      cook::find_tethers(fabric.positions, edges.pairs, diagonals, fabric.triangles, mesh.tethers_per_particle);
  fabric.tethers_per_particle = tethers.anchors.empty() ? 0 : mesh.tethers_per_particle;
  fabric.tether_anchors = std::move(tethers.anchors);
  fabric.tether_lengths = std::move(tethers.lengths);
  fabric.report.untethered_particle_count = tethers.untethered_count;
}

void report_mesh(const cook::FaceList& faces, const cook::EdgeList& edges, FabricData& fabric) {
  CookReport& report = fabric.report;
  report.dropped_triangle_count = faces.dropped_count;
  report.first_dropped_triangle = faces.first_dropped;
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) report.non_manifold_edge_count += edges.face_count(e) > 2;
  report.component_count = cook::count_components(edges.pairs, fabric.particle_count);
  std::vector<bool> on_face(fabric.particle_count, false);
  for (const cook::Pair edge : edges.pairs) on_face[edge.first] = on_face[edge.second] = true;
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    report.pinned_particle_count += fabric.positions[size_t{p} * 4 + 3] == 0;
    if (on_face[p]) continue;
    if (report.isolated_particle_count++ == 0) report.first_isolated_particle = p;
  }
}

}  // namespace

FabricData cook_mesh(const MeshData& mesh) {
  FabricData fabric;
  weld_vertices(mesh, fabric);
  cook::FaceList faces = cook::collect_faces(mesh, fabric.vertex_map, fabric.positions);
  fabric.triangles = std::move(faces.triangles);
  if (mesh.areal_density > 0) cook::set_masses_from_area(mesh.areal_density, fabric.triangles, fabric.positions);

  const cook::EdgeList edges = cook::find_edges(faces.faces, fabric.particle_count);
  const std::vector<cook::Pair> diagonals = cook::find_quad_diagonals(faces.faces, edges);
  append_phase(fabric, phase_stretch, edges.pairs);
  if (mesh.shear) append_phase(fabric, phase_shear, diagonals);
  if (mesh.bend) {
    std::vector<cook::Pair> bend = cook::find_bend_pairs(faces.faces, edges, fabric.positions);
    cook::remove_pairs(bend, diagonals);
    append_phase(fabric, phase_bend, std::move(bend));
  }
  if (mesh.tethers_per_particle > 0) add_tethers(mesh, edges, diagonals, fabric);
  report_mesh(faces, edges, fabric);
  return fabric;
}

}  // namespace clothc
