// fabric_data.h - the data that the cooker creates and a fabric holds: plain arrays without handles or devices.
//
// The first part mirrors the public arrays of a fabric. The second part, which lay_out fills, has the constraints,
// tethers, triangles and virtual particles in the order in which kernels read them: constraints are grouped into
// colours, tethers into levels. Invariants: no two constraints of a colour share a particle; every colour begins at a
// multiple of lane_padding in the laid-out constraints and is padded to such a multiple with constraints that connect
// the padding particle (index particle_count, inverse mass 0) to itself. Virtual particles are coloured and padded in the
// same way.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc {

// Number of lanes in the widest batch of any instruction set. Ranges of constraints and particles are padded to
// multiples of it.
constexpr uint32_t lane_padding = 16;

constexpr uint32_t no_index = 0xffffffffu;

// Upper bound of rest lengths and tether lengths, in m. No two particles can be this far apart.
constexpr float longest_length = 4e9f;

struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
};

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
  // Whether constraints and tethers keep their exact lengths however short these are: the solver then regularises them
  // by 1e-30 m2 instead of 1.19e-7 m2. See docs/solver.md, section 5.
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

  // [particle_count] storage index of each particle: a permutation, or empty if the storage index of every particle is
  // its own index. All arrays above name particles; the arrays that lay_out
  // fills name storage indices, except tether_order.
  std::vector<uint32_t> storage_order;

  CookReport report;
  // Sorted by kind, then in the order of the mesh.
  std::vector<Diagnostic> diagnostics;
  // [diagnostic_kind_count] number of diagnostics of each kind, including those that were not kept.
  std::vector<uint64_t> diagnostic_counts = std::vector<uint64_t>(diagnostic_kind_count, 0);

  // lay_out fills all fields from here on.

  // Range of each colour in the laid-out constraints, without padding.
  std::vector<Range> colours;
  // [sets] range of each set in colours. The colours of a set are solved in order.
  std::vector<Range> set_colours;
  // [laid-out constraints] storage indices of the two particles.
  std::vector<uint32_t> laid_out_first;
  std::vector<uint32_t> laid_out_second;
  // [laid-out constraints] rest length in m.
  std::vector<float> laid_out_rest;
  // [laid-out constraints] log2(1 - stiffness), or empty.
  std::vector<float> laid_out_stiffness;

  // Particles (not storage indices) that tethers move, level by level. Each level is padded with the padding particle.
  std::vector<uint32_t> tether_order;
  // Range of each level in tether_order, without padding. The levels are solved one after the other.
  std::vector<Range> tether_levels;

  // Number of triangles including padding: the next multiple of 16 above triangle_count(), so that there is at least
  // one padding triangle. 0 if the fabric has no triangles.
  uint32_t triangle_stride = 0;
  // Largest number of triangles at one particle.
  uint32_t widest_fan = 0;
  // [3][triangle_stride] storage index of each corner.
  std::vector<uint32_t> laid_out_corners;
  // Triangles around each particle, by storage index. surface.h describes the format.
  std::vector<uint32_t> particle_fans;
  // Triangles at each vertex, in the same format. Empty if the fabric has no texture coordinates, or if no particle has
  // more than one vertex: a vertex then has the triangles of its particle.
  std::vector<uint32_t> vertex_fans;
  // [2][triangle_stride] weights of the edges 0-1 and 0-2 in the tangent of the triangle, or empty.
  std::vector<float> tangent_weights;
  // [padded storage indices] sign of the area in texture space around each particle, 1 or -1. Empty if the fabric has
  // no texture coordinates.
  std::vector<float> particle_handedness;
  // [padded vertices] the same for each vertex. Empty if vertex_fans is empty.
  std::vector<float> vertex_handedness;

  // Range of each colour in the laid-out virtual particles, without padding. Padding consists of virtual particles on
  // the padding particle with weights of 0.
  std::vector<Range> virtual_colours;
  // Number of laid-out virtual particles including padding, a multiple of 16. 0 if the fabric has none.
  uint32_t virtual_stride = 0;
  // [3][virtual_stride] storage index of each corner and its weight.
  std::vector<uint32_t> laid_out_virtual_corners;
  std::vector<float> laid_out_virtual_weights;

  // Hash of those of the arrays above that affect the simulation.
  uint64_t content_hash = 0;

  uint32_t storage_index(uint32_t particle) const { return storage_order.empty() ? particle : storage_order[particle]; }
  uint64_t constraint_count() const { return rest_lengths.size(); }
  uint64_t triangle_count() const { return triangles.size() / 3; }
  uint64_t virtual_particle_count() const { return virtual_particles.size() / 4; }
};

}  // namespace clothc
