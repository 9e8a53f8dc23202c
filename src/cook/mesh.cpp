// mesh.cpp - owns the sequence of cooking steps: weld vertices, drop bad faces, compute masses, inspect the mesh,
// create the constraints of each phase, choose the storage order, create tethers and coarse levels.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "cook/order/colour.h"
#include "cook/order/ring_order.h"
#include "cook/constraints/pairs.h"
#include "cook/cook.h"
#include "cook/topology/edges.h"
#include "cook/topology/faces.h"
#include "cook/diagnostic_list.h"
#include "cook/geometry.h"
#include "cook/hierarchy/level_arrays.h"
#include "cook/topology/inspect.h"
#include "cook/topology/masses.h"
#include "cook/topology/quadify.h"
#include "cook/constraints/long_range.h"
#include "cook/constraints/stretch_phases.h"
#include "cook/topology/strips.h"
#include "cook/constraints/tethers.h"
#include "cook/constraints/virtual_particles.h"
#include "cook/topology/weld.h"

namespace clothc {
namespace {

// A particle has the position, inverse mass and stiffness of its first vertex, but is pinned if any of its vertices is
// pinned.
cook::Welding weld_vertices(const MeshData& mesh, FabricData& fabric) {
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
  fabric.report.welded_vertex_count = fabric.vertex_count - fabric.particle_count;
  return welding;
}

void weigh(const MeshData& mesh, const cook::Welding& welding, cook::DiagnosticList& diagnostics, FabricData& fabric) {
  if (!(mesh.areal_density > 0)) return;
  for (const uint32_t p : cook::set_masses_from_area(mesh.areal_density, fabric.triangles, fabric.positions)) {
    diagnostics.add(cook::diagnostic_mass_limited, welding.vertex_of_particle[p]);
  }
}

// Appends a phase with these pairs in this order.
template <class RestLength>
void append_phase(uint32_t type, const std::vector<cook::Pair>& pairs, FabricData& fabric, RestLength rest_length) {
  if (pairs.empty()) return;
  for (const cook::Pair pair : pairs) {
    fabric.indices.push_back(pair.first);
    fabric.indices.push_back(pair.second);
    fabric.rest_lengths.push_back(static_cast<float>(rest_length(pair)));
  }
  fabric.phase_sets.push_back(static_cast<uint32_t>(fabric.set_ends.size()));
  fabric.phase_types.push_back(type);
  fabric.set_ends.push_back(static_cast<uint32_t>(fabric.rest_lengths.size()));
}

// Appends a phase whose rest lengths are the distances between the particles of each pair. Constraints with a stiffness
// of their own are not solved in rings.
void append_phase(uint32_t type, std::vector<cook::Pair> pairs, const MeshData& mesh, FabricData& fabric) {
  if (mesh.stiffness.empty()) {
    cook::order_by_rings(pairs, fabric.positions);
  } else {
    cook::order_by_colour(pairs, fabric.positions);
  }
  append_phase(type, pairs, fabric,
               [&](cook::Pair pair) { return cook::distance(fabric.positions, pair.first, pair.second); });
}

void append_long_range(const std::vector<cook::LongRangePair>& pairs_by_line, FabricData& fabric) {
  std::vector<cook::Pair> pairs;
  pairs.reserve(pairs_by_line.size());
  for (const cook::LongRangePair& one : pairs_by_line) pairs.push_back(one.particles);
  cook::order_by_colour(pairs, fabric.positions);
  append_phase(cook::phase_long_range, pairs, fabric, [&](cook::Pair pair) {
    return std::lower_bound(pairs_by_line.begin(), pairs_by_line.end(), pair,
                            [](const cook::LongRangePair& one, cook::Pair value) { return one.particles < value; })
        ->length;
  });
}

std::vector<bool> soft_particles(const MeshData& mesh, const cook::Welding& welding) {
  std::vector<bool> is_soft;
  if (mesh.stiffness.empty()) return is_soft;
  for (const uint32_t vertex : welding.vertex_of_particle) is_soft.push_back(mesh.stiffness[vertex] < 1);
  return is_soft;
}

struct PhaseSources {
  // The faces of the mesh, after pairs of triangles have been merged into quads if the mesh asks for it, and their
  // edges.
  const std::vector<cook::Face>& faces;
  const cook::EdgeList& edges;
  const std::vector<cook::StretchPhase>& stretch;
  const std::vector<cook::Pair>& diagonals;
};

// Appends all phases in the order in which a cloth solves them by default. Constraints that are solved later are
// satisfied better, and edges stretch most, so stretch follows long-range and bend constraints.
void append_phases(const PhaseSources& sources, const MeshData& mesh, const cook::Welding& welding,
                   FabricData& fabric) {
  const cook::Strips strips = cook::find_strips(sources.faces, sources.edges, fabric.positions);
  const std::vector<bool> is_soft = soft_particles(mesh, welding);
  for (const uint32_t edge_count : mesh.long_range_edges) {
    if (edge_count > 0)
      append_long_range(cook::find_long_range_pairs(sources.edges, strips, fabric.positions, is_soft, edge_count),
                        fabric);
  }
  if (mesh.bend) {
    std::vector<cook::Pair> bend = cook::find_bend_pairs(sources.faces, sources.edges, strips);
    cook::remove_pairs(bend, sources.diagonals);
    append_phase(cook::phase_bend, std::move(bend), mesh, fabric);
  }
  for (const cook::StretchPhase& phase : sources.stretch) append_phase(phase.type, phase.pairs, mesh, fabric);
  if (mesh.shear) append_phase(cook::phase_shear, sources.diagonals, mesh, fabric);
}

void set_stiffness(const MeshData& mesh, const cook::Welding& welding, FabricData& fabric) {
  if (mesh.stiffness.empty()) return;
  fabric.stiffness.resize(fabric.rest_lengths.size());
  for (size_t i = 0; i < fabric.stiffness.size(); ++i) {
    const auto at = [&](size_t end) { return mesh.stiffness[welding.vertex_of_particle[fabric.indices[i * 2 + end]]]; };
    fabric.stiffness[i] = static_cast<float>((double{at(0)} + double{at(1)}) / 2);
  }
}

void add_tethers(const MeshData& mesh, const std::vector<cook::Pair>& edges, const std::vector<cook::Pair>& diagonals,
                 FabricData& fabric) {
  if (mesh.tethers_per_particle == 0) return;
  cook::Tethers tethers = cook::find_tethers({fabric.positions, edges, diagonals, fabric.triangles},
                                             fabric.storage_order, mesh.tethers_per_particle);
  fabric.tethers_per_particle = tethers.anchors.empty() ? 0 : mesh.tethers_per_particle;
  fabric.tether_anchors = std::move(tethers.anchors);
  fabric.tether_lengths = std::move(tethers.lengths);
  fabric.report.untethered_particle_count = tethers.untethered_count;
}

}  // namespace

FabricData cook_mesh(const MeshData& mesh) {
  FabricData fabric;
  fabric.exact_lengths = true;
  cook::DiagnosticList diagnostics;
  cook::Welding welding = weld_vertices(mesh, fabric);
  cook::FaceList faces = cook::collect_faces(mesh, welding.particle_of_vertex, fabric.positions, diagnostics);
  fabric.triangles = std::move(faces.triangles);
  fabric.triangle_vertices = std::move(faces.triangle_vertices);
  fabric.texture_coordinates = mesh.texture_coordinates;
  fabric.report.dropped_triangle_count = faces.dropped_count;
  fabric.report.first_dropped_triangle = faces.first_dropped;
  weigh(mesh, welding, diagnostics, fabric);
  cook::add_virtual_particles(mesh.virtual_particles_per_triangle, fabric);

  cook::EdgeList edges = cook::find_edges(faces.faces, fabric.particle_count);
  cook::inspect({faces.faces, edges, fabric.positions, welding.vertex_of_particle}, diagnostics, fabric.report);
  std::vector<bool> merged;
  cook::Quadified quads;
  if (mesh.quadify) {
    quads = cook::merge_triangles(faces.faces, edges, fabric.positions);
    merged.swap(quads.merged);
    fabric.report.merged_triangle_count = quads.merged_count;
  }
  const std::vector<cook::StretchPhase> stretch =
      cook::find_stretch_phases(mesh, faces, edges, merged, welding.particle_of_vertex, fabric.positions);
  if (mesh.quadify) {
    faces.faces.swap(quads.faces);
    edges = cook::find_edges(faces.faces, fabric.particle_count);
  }
  const std::vector<cook::Pair> diagonals = cook::find_quad_diagonals(faces.faces, edges);
  append_phases({faces.faces, edges, stretch, diagonals}, mesh, welding, fabric);
  set_stiffness(mesh, welding, fabric);
  choose_storage_order(fabric);
  add_tethers(mesh, edges.pairs, diagonals, fabric);
  if (mesh.hierarchy) {
    const std::vector<bool> is_soft = soft_particles(mesh, welding);
    cook::add_levels(cook::find_hierarchy({fabric.positions, edges.pairs, diagonals, fabric.triangles, is_soft}),
                     fabric);
  }
  if (!mesh.reorder) fabric.storage_order.clear();
  fabric.vertex_map = std::move(welding.particle_of_vertex);
  diagnostics.write_to(fabric);
  return fabric;
}

}  // namespace clothc
