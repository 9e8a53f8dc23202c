// fabric_data.h - a fabric as the cooker creates it and as programs read it: plain arrays without handles or devices.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc {

constexpr uint32_t no_index = 0xffffffffu;

// Counts that the cooker made while it processed a mesh. They are zero for raw fabrics.
struct CookReport {
  uint32_t welded_vertex_count = 0;
  uint32_t dropped_triangle_count = 0;
  uint32_t first_dropped_triangle = no_index;
  uint32_t non_manifold_edge_count = 0;
  uint32_t component_count = 0;
  uint32_t isolated_particle_count = 0;
  uint32_t first_isolated_particle = no_index;
  uint32_t pinned_particle_count = 0;
  uint32_t untethered_particle_count = 0;
  uint32_t merged_triangle_count = 0;
};

// One diagnostic of a mesh. kind is a clothc_diagnostic_kind; first and second are vertices or faces of the mesh.
struct Diagnostic {
  uint32_t kind = 0;
  uint32_t first = 0;
  uint32_t second = no_index;
  float value = 0;
};

// All diagnostics are counted, but only this many of each kind are kept.
constexpr uint32_t diagnostics_kept_per_kind = 16;
// Length of arrays that are indexed by kind. The kinds are 1 .. 13.
constexpr uint32_t diagnostic_kind_count = 14;

struct FabricData {
  uint32_t particle_count = 0;
  uint32_t vertex_count = 0;
  // [vertex_count] particle of each mesh vertex.
  std::vector<uint32_t> vertex_map;
  // [particle_count][4] x y z in m and inverse mass in 1/kg, or empty.
  std::vector<float> positions;

  // [phases] the set of each phase and its clothc_phase_type.
  std::vector<uint32_t> phase_sets;
  std::vector<uint32_t> phase_types;
  // [sets] end of each set in the constraints: inclusive prefix sums.
  std::vector<uint32_t> set_ends;
  // [constraints][2] particles.
  std::vector<uint32_t> indices;
  // [constraints] in m.
  std::vector<float> rest_lengths;
  // [constraints] from 0 to 1, or empty.
  std::vector<float> stiffness;
  // See FabricLayout.
  bool exact_lengths = false;

  uint32_t tethers_per_particle = 0;
  // [tethers_per_particle][particle_count] particles, and lengths in m.
  std::vector<uint32_t> tether_anchors;
  std::vector<float> tether_lengths;

  // [triangles][3] particles.
  std::vector<uint32_t> triangles;
  // [triangles][3] mesh vertices of the corners, and [vertex_count][2] u and v. Both are empty if no texture
  // coordinates were given. They do not affect the simulation.
  std::vector<uint32_t> triangle_vertices;
  std::vector<float> texture_coordinates;

  // [virtual particles][4] three different particles and a row of virtual_weights. Virtual particles are points of the
  // cloth that collide in addition to its particles.
  std::vector<uint32_t> virtual_particles;
  // [rows][3] weights from 0 to 1. The sum of each row is about 1.
  std::vector<float> virtual_weights;

  // Sets of constraints of any type, which phases name behind those of set_ends. [sets] type and number of constraints;
  // then, set after set and constraint after constraint, the particles and the parameters.
  std::vector<uint32_t> constraint_types;
  std::vector<uint32_t> constraint_counts;
  std::vector<uint32_t> constraint_particles;
  std::vector<float> constraint_parameters;

  // Coarse levels, the finest first, or empty; hierarchy/level_arrays.h reads and writes them. [levels][2] number of
  // nodes, and of neighbours per node; then, level after level, what names nodes, and the numbers.
  std::vector<uint32_t> level_counts;
  std::vector<uint32_t> level_nodes;
  std::vector<float> level_values;

  // [particle_count] storage index of each particle: a permutation, or empty if the storage index of every particle is
  // its own index. All other arrays name particles.
  std::vector<uint32_t> storage_order;

  CookReport report;
  // Sorted by kind, then in the order of the mesh.
  std::vector<Diagnostic> diagnostics;
  // [diagnostic_kind_count] number of diagnostics of each kind, including those that were not kept.
  std::vector<uint64_t> diagnostic_counts = std::vector<uint64_t>(diagnostic_kind_count, 0);

  uint32_t storage_index(uint32_t particle) const { return storage_order.empty() ? particle : storage_order[particle]; }
  // Number of constraints in the flat arrays of pairs.
  uint64_t constraint_count() const { return rest_lengths.size(); }
  // Number of all sets that phases can name.
  uint64_t set_count() const { return set_ends.size() + constraint_types.size(); }
  uint64_t triangle_count() const { return triangles.size() / 3; }
  uint64_t level_count() const { return level_counts.size() / 2; }
  uint64_t virtual_particle_count() const { return virtual_particles.size() / 4; }
};

}  // namespace clothc
