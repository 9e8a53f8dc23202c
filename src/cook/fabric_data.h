// fabric_data.h - what the cooker makes and a fabric holds: plain arrays, no handles, no devices.
//
// The first part mirrors the public fabric arrays. The second part, filled by lay_out, is the order in which the
// kernels run: constraints grouped into colours, tethers into levels. Invariants: no two constraints of a colour
// share a particle; every colour begins at a multiple of lane_padding in the laid-out constraints and is padded to
// one with constraints of the dummy particle (index particle_count, inverse mass 0) on itself. Virtual particles are
// coloured and padded likewise.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc {

// Widest batch of any instruction set, in lanes. Ranges of constraints and particles are padded to multiples of it.
constexpr uint32_t lane_padding = 16;

constexpr uint32_t no_index = 0xffffffffu;

struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// Counts of what the cooker found in a mesh; zero for raw fabrics.
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

// Something noticed in a mesh; kind is a clothc_diagnostic_kind, first and second are vertices or faces of the mesh.
struct Diagnostic {
  uint32_t kind = 0;
  uint32_t first = 0;
  uint32_t second = no_index;
  float value = 0;
};

// Of each kind the first few diagnostics are kept, all are counted.
constexpr uint32_t diagnostics_kept_per_kind = 16;
constexpr uint32_t diagnostic_kind_count = 14;  // kinds are 1 .. 13

struct FabricData {
  uint32_t particle_count = 0;
  uint32_t vertex_count = 0;
  std::vector<uint32_t> vertex_map;   // [vertex_count] particle of each mesh vertex
  std::vector<float> positions;       // [particle_count][4] x y z inverse mass, or empty
  std::vector<uint32_t> phase_sets;   // [phases]
  std::vector<uint32_t> phase_types;  // [phases] clothc_phase_type
  std::vector<uint32_t> set_ends;     // [sets] inclusive prefix sums over constraints
  std::vector<uint32_t> indices;      // [constraints][2]
  std::vector<float> rest_lengths;    // [constraints]
  std::vector<float> stiffness;       // [constraints] 0..1, or empty
  bool exact_lengths = false;         // the lengths of constraints and tethers are not regularised
  uint32_t tethers_per_particle = 0;
  std::vector<uint32_t> tether_anchors;  // [tethers_per_particle][particle_count]
  std::vector<float> tether_lengths;     // [tethers_per_particle][particle_count]
  std::vector<uint32_t> triangles;       // [triangles][3]
  // Both only if texture coordinates were given. They do not affect the simulation.
  std::vector<uint32_t> triangle_vertices;  // [triangles][3] vertices of the mesh, whose particles are in triangles
  std::vector<float> texture_coordinates;   // [vertex_count][2]
  // Points that collide beside the particles.
  std::vector<uint32_t> virtual_particles;  // [virtual particles][4] three different particles, a row of weights
  std::vector<float> virtual_weights;       // [rows][3] 0..1, about 1 in all
  // Where each particle is stored: a permutation, or empty if every one is at its own index. What a fabric's arrays name are
  // particles; what lay_out makes are storage indices.
  std::vector<uint32_t> storage_order;
  CookReport report;
  std::vector<Diagnostic> diagnostics;  // by kind, then in the order of the mesh
  std::vector<uint64_t> diagnostic_counts = std::vector<uint64_t>(diagnostic_kind_count, 0);

  // Filled by lay_out.
  std::vector<Range> colours;              // real constraints of each colour, in the laid-out constraints
  std::vector<Range> set_colours;          // [sets] colours of each set, solved in order
  std::vector<uint32_t> laid_out_first;    // [laid-out constraints] storage index of the first particle
  std::vector<uint32_t> laid_out_second;   // [laid-out constraints] storage index of the second particle
  std::vector<float> laid_out_rest;        // [laid-out constraints]
  std::vector<float> laid_out_stiffness;   // [laid-out constraints] log2(1 - stiffness), or empty
  std::vector<uint32_t> tether_order;      // tethered particles by level, each level padded with the dummy particle
  std::vector<Range> tether_levels;        // ranges of tether_order, solved one after the other
  uint32_t triangle_stride = 0;            // triangles padded to a multiple of 16, at least one more; 0 without any
  uint32_t widest_fan = 0;                 // most triangles at one particle
  std::vector<uint32_t> laid_out_corners;  // [3][triangle_stride] storage index of each corner
  std::vector<uint32_t> particle_fans;     // triangles around each stored particle, see surface.h
  std::vector<uint32_t> vertex_fans;       // triangles at each vertex; empty if those at its particle are the same
  std::vector<float> tangent_weights;  // [2][triangle_stride] shares of the edges 0-1 and 0-2 in the tangent, or empty
  std::vector<float> particle_handedness;  // [padded storage indices] 1 or -1, or empty
  std::vector<float> vertex_handedness;    // [padded vertices] 1 or -1; empty where vertex_fans is
  // Virtual particles by colour; padding is on the dummy particle, with weights of 0.
  std::vector<Range> virtual_colours;              // real virtual particles of each colour, in the laid-out ones
  uint32_t virtual_stride = 0;                     // laid-out virtual particles, a multiple of 16; 0 without any
  std::vector<uint32_t> laid_out_virtual_corners;  // [3][virtual_stride] storage index of each corner
  std::vector<float> laid_out_virtual_weights;     // [3][virtual_stride] of the corners
  uint64_t content_hash = 0;                       // of the arrays above that affect the simulation

  uint32_t storage_index(uint32_t particle) const { return storage_order.empty() ? particle : storage_order[particle]; }
  uint64_t constraint_count() const { return rest_lengths.size(); }
  uint64_t triangle_count() const { return triangles.size() / 3; }
  uint64_t virtual_particle_count() const { return virtual_particles.size() / 4; }
};

}  // namespace clothc
