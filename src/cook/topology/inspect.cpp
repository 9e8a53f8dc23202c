// inspect.cpp - owns the diagnostics about the mesh that is left after bad faces have been dropped, and their
// thresholds. faces.cpp reports the faces that it drops, and unwelded.cpp reports vertices that may be meant as one.
#include "cook/topology/inspect.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "cook/geometry.h"
#include "cook/topology/unwelded.h"

namespace clothc::cook {
namespace {

// Twice the number of main colours of a constraint set. At a particle with more edges, small colours outnumber the main
// ones.
constexpr uint32_t most_edges_at_vertex = 32;
// Fraction of the mean edge length. The length of a shorter edge is in the order of the rounding errors around it.
constexpr double short_edge = 1e-3;
// Fraction of the largest coordinate at the edge. Float coordinates are accurate to 2^-24 of it, so an edge at this
// limit has eight significant bits: its length is uncertain by 0.4 %.
constexpr double low_precision = 1.0 / (1 << 16);

double largest_coordinate(const Inspected& mesh, Pair edge) {
  double largest = 0;
  for (const uint32_t p : {edge.first, edge.second}) {
    for (size_t axis = 0; axis < 3; ++axis) {
      largest = std::max(largest, std::fabs(double{mesh.positions[size_t{p} * 4 + axis]}));
    }
  }
  return largest;
}

void inspect_faces_of_edge(const Inspected& mesh, uint32_t edge, DiagnosticList& diagnostics, CookReport& report) {
  const Pair pair = mesh.edges.pairs[edge];
  const uint32_t first = mesh.vertex_of_particle[pair.first], second = mesh.vertex_of_particle[pair.second];
  const uint32_t face_count = mesh.edges.face_count(edge);
  if (face_count > 2) {
    ++report.non_manifold_edge_count;
    diagnostics.add(diagnostic_non_manifold_edge, first, second, face_count);
  } else if (face_count == 2) {
    const uint32_t* face = &mesh.edges.face[mesh.edges.face_begin[edge]];
    if (runs_along(mesh.faces[face[0]], pair) == runs_along(mesh.faces[face[1]], pair)) {
      diagnostics.add(diagnostic_flipped_face, first, second);
    }
  }
}

void inspect_edges(const Inspected& mesh, const EdgeLengths& lengths, DiagnosticList& diagnostics, CookReport& report) {
  for (uint32_t e = 0; e < mesh.edges.pairs.size(); ++e) {
    inspect_faces_of_edge(mesh, e, diagnostics, report);
    const Pair pair = mesh.edges.pairs[e];
    const double size = distance(mesh.positions, pair.first, pair.second);
    const uint32_t first = mesh.vertex_of_particle[pair.first], second = mesh.vertex_of_particle[pair.second];
    if (size < short_edge * lengths.mean) diagnostics.add(diagnostic_short_edge, first, second, size);
    if (size < low_precision * largest_coordinate(mesh, pair)) {
      diagnostics.add(diagnostic_low_precision, first, second, size);
    }
  }
}

void inspect_vertices(const Inspected& mesh, const EdgeLengths& lengths, DiagnosticList& diagnostics,
                      CookReport& report) {
  for (uint32_t p = 0; p < lengths.count_at.size(); ++p) {
    const uint32_t edge_count = lengths.count_at[p];
    report.pinned_particle_count += mesh.positions[size_t{p} * 4 + 3] == 0;
    if (edge_count > most_edges_at_vertex) {
      diagnostics.add(diagnostic_many_edges, mesh.vertex_of_particle[p], no_index, edge_count);
    }
    if (edge_count > 0) continue;
    diagnostics.add(diagnostic_isolated_vertex, mesh.vertex_of_particle[p]);
    if (report.isolated_particle_count++ == 0) report.first_isolated_particle = p;
  }
}

void inspect_pieces(const Inspected& mesh, DiagnosticList& diagnostics, CookReport& report) {
  const uint32_t particle_count = static_cast<uint32_t>(mesh.vertex_of_particle.size());
  const std::vector<uint32_t> piece_of = find_pieces(mesh.edges.pairs, particle_count);
  std::vector<bool> pinned(particle_count, false);
  bool any_pinned = false;
  for (uint32_t p = 0; p < particle_count; ++p) {
    if (piece_of[p] == no_index || mesh.positions[size_t{p} * 4 + 3] != 0) continue;
    pinned[piece_of[p]] = any_pinned = true;
  }
  for (uint32_t p = 0; p < particle_count; ++p) {
    if (piece_of[p] != p) continue;
    if (report.component_count++ > 0) diagnostics.add(diagnostic_pieces, mesh.vertex_of_particle[p]);
    if (any_pinned && !pinned[p]) diagnostics.add(diagnostic_unpinned_piece, mesh.vertex_of_particle[p]);
  }
}

}  // namespace

void inspect(const Inspected& mesh, DiagnosticList& diagnostics, CookReport& report) {
  const EdgeLengths lengths = measure_edges(mesh);
  inspect_edges(mesh, lengths, diagnostics, report);
  inspect_vertices(mesh, lengths, diagnostics, report);
  inspect_pieces(mesh, diagnostics, report);
  find_unwelded(mesh, lengths, diagnostics);
}

}  // namespace clothc::cook
