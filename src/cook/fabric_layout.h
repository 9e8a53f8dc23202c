// fabric_layout.h - a fabric as the kernels read it. The arrays that they read lie in one list of words; the layout
// tells where. Constraints are grouped into colours, in which no constraint moves a particle that another one uses.
// Invariants: every colour begins at a multiple of lane_padding and is padded to such a multiple with constraints or
// rings of a padding particle (inverse mass 0) that have parameters of 0.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/constraint_types.h"

namespace clothc {

// Number of lanes in the widest batch of any instruction set. Ranges of constraints and particles are padded to
// multiples of it.
constexpr uint32_t lane_padding = 16;

// Returns a number of items with padding.
inline uint32_t padded(uint32_t count) { return (count + lane_padding - 1) / lane_padding * lane_padding; }

// In front of its particles, every cloth has padding particles, so that their storage indices do not depend on the
// number of particles, which can change. They are negative numbers, as words. padding_particle is the first one.
constexpr uint32_t padding_particle_count = lane_padding;
constexpr uint32_t padding_particle = 0u - padding_particle_count;
// Rings are padded with the next one, because rings and constraints may be solved at the same time, and kernels store
// the particles of padding too.
constexpr uint32_t ring_padding_particle = padding_particle + 1;
inline bool is_padding_particle(uint32_t storage_index) { return storage_index >= padding_particle; }

struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// Where the rows of a number of constraints begin: one row of storage indices per particle of a constraint, and one row
// per parameter.
struct ConstraintRows {
  // Words from one row to the next: the number of constraints with padding. 0 if there are none.
  uint32_t stride = 0;
  uint32_t particles = 0;
  uint32_t parameters = 0;
};

// Particles of a ring, and distance constraints in it: constraint k joins the particles k and k + 1, the last one the
// particles 3 and 0. A ring is four constraints that follow one another in their set: 0, 2, 1, 3. The kernel that solves
// it loads and stores each particle once, where constraints on their own would do so twice.
constexpr uint32_t ring_size = 4;

// Two constraints that have a particle in common can take the place of a ring: as its constraints 2 and 1, whose common
// particle is 2, and 0 too. The constraints that are missing have this length.
constexpr float no_constraint_length = -1;

// Rings lie in blocks of lane_padding: four rows of storage indices and four rows of lengths.
struct RingBlocks {
  // Number of rings with padding, and the first word of the first block.
  uint32_t count = 0;
  uint32_t words = 0;

  static constexpr uint32_t block_words = 2 * ring_size * lane_padding;
  uint32_t word_count() const { return count / lane_padding * block_words; }
  uint32_t particle(uint32_t k, uint32_t ring) const {
    return words + ring / lane_padding * block_words + k * lane_padding + ring % lane_padding;
  }
  uint32_t length(uint32_t k, uint32_t ring) const { return particle(ring_size + k, ring); }
};

// A set of constraints of one type. Some of the distance constraints of a set may be in rings.
struct ConstraintLayout {
  ConstraintType type = ConstraintType::distance;
  uint32_t arity = 0;
  uint32_t width = 0;
  // Number of constraints, in rings and on their own.
  uint32_t constraint_count = 0;
  // Whether the fabric's angles and areas are loose without this set (constraints/loose.h).
  bool holds_shapes = false;
  // The constraints on their own.
  ConstraintRows rows;
  RingBlocks rings;
  // Indices of the set's colours, which are solved in order.
  Range colours;
  // Indices of the same constraints' colours in the lattice; empty if the set has none.
  Range lattice_colours;
  // Of tethers: first word of the same tethers by slots of the lattice (LatticeTethers), or 0.
  uint32_t lattice_tethers = 0;
};

// Constraints of a set, or rings of it, that have no particle in common that any of them moves.
struct Colour {
  // Counted from the set's first constraint or ring, without padding.
  Range items;
  bool of_rings = false;
  // Whether it has no particle in common with the colour before it in the set either, so that both may be solved at the
  // same time.
  bool joins_previous = false;
};

// A second form of distance constraints, for cloths whose quads are in columns and rows. Particles have slots, sorted by
// column % 4 and row % 4, so that the particles of 16 rings, four columns apart, are four times 16 adjacent slots. A
// kernel that has x, y, z and inverse masses of the slots in rows of their own then needs no gathers.
struct LatticeLayout {
  // Words of each row: the slots, and lane_padding words. 0 = the fabric has no lattice.
  uint32_t stride = 0;
  // Whether every particle of the fabric has a slot. Particles that no constraint of a set in the lattice names need none.
  bool has_all_particles = false;
  // First words of arrays: [slots] the storage index of the particle in each slot, or padding_particle, and behind them
  // the first slot of each block of 16, in the order in which blocks are best visited; and the batches of all sets, each
  // of which is four first slots, whether it has a slot in common with another one of its colour, padding, and the
  // lengths of four constraints of 16 rings. Some have no_constraint_length.
  uint32_t particles = 0;
  uint32_t batches = 0;

  static constexpr uint32_t batch_words = lane_padding + ring_size * lane_padding;
  uint32_t slot_count() const { return stride - lane_padding; }
};

// Tethers by slots, for sets whose tethers move no anchor: for each block of 16 slots, and for each tether of a particle, a
// row of anchors and a row of lengths. Slots without tethers have no_constraint_length. The anchors of a block that are
// one slot, or one after the other, are a negative first word alone; others are a row of slots.
struct LatticeTethers {
  static constexpr uint32_t row_words = 2 * lane_padding;
  // Words of a block, of a set with this number of tethers per particle.
  static constexpr uint32_t block_words(uint32_t width) { return width * row_words; }
  // The first word for a slot that all lanes have in common, or for the slots from this one.
  static constexpr uint32_t same(uint32_t slot) { return ~(2 * slot); }
  static constexpr uint32_t from(uint32_t slot) { return ~(2 * slot + 1); }
};

// The triangles of a fabric as wind reads them, so that corners and impulses are loaded without gathering where particles
// are stored row by row. Every triangle has a place; some places have no triangle. A list is 16 words in front of the array
// that names it; its name is the distance from the array in words, a negative number.
struct WindLayout {
  // A multiple of lane_padding. 0 = the fabric has no triangles.
  uint32_t place_count = 0;
  // First word of the lists that are in no other array, and of the batches if there are none.
  uint32_t lists = 0;
  // First word of an array: [place_count / lane_padding][batch_words] a word with a bit for each of 16 places that has a
  // triangle, and a word for each corner. That is the storage index of the corner at the first place, where the corners at
  // the others are the next ones; or, if the first word has the bit has_lists, a list of storage indices.
  uint32_t batches = 0;
  // First word of the fans: an offset for each slice of 16 particles and one for the end, then the rows of all slices. A
  // row is a word that stands for a place for each particle: the place of the first particle, where those of the others are
  // the next ones; or a list of places. The rows have the triangles of a particle in ascending order, and places without a
  // triangle.
  uint32_t fans = 0;

  static constexpr uint32_t batch_words = 4;
  static constexpr uint32_t has_lists = 1u << 31;
  static constexpr uint32_t all_lanes = 0xffff;
};

// A level of nodes. Level 0 is the cloth itself, whose nodes are the particles, by storage index; it has parents only.
struct LevelLayout {
  uint32_t node_count = 0;
  uint32_t neighbours_per_node = 0;
  // First words of arrays. levels.h describes them.
  uint32_t members = 0;
  uint32_t neighbours = 0;
  uint32_t nodes = 0;
  uint32_t parents = 0;
  uint32_t parent_nodes = 0;
};

// Elements of each row of a coarse level: its nodes, at least one padding node, and a multiple of lane_padding.
inline uint32_t level_stride_of(uint32_t node_count) { return padded(node_count + 1); }

struct FabricLayout {
  uint32_t particle_count = 0;
  uint32_t vertex_count = 0;
  uint32_t triangle_count = 0;
  // Whether constraints and tethers keep their exact lengths however short these are: the solver then regularises them
  // by 1e-30 m2 instead of 1.19e-7 m2. See docs/solver.md, section 6.
  bool exact_lengths = false;
  // Hash of what affects the simulation.
  uint64_t content_hash = 0;

  // [phases] the set of each phase and its clothc_phase_type.
  std::vector<uint32_t> phase_sets;
  std::vector<uint32_t> phase_types;
  // The sets that phases name, then the tethers, then the virtual particles that the fabric has by its own arrays.
  std::vector<ConstraintLayout> sets;
  // Indices of the sets that are solved with the tethers, and of those that collide.
  std::vector<uint32_t> tether_sets;
  std::vector<uint32_t> collision_sets;
  std::vector<Colour> colours;
  LatticeLayout lattice;
  // Lanes of the batches of each colour.
  std::vector<Range> lattice_colours;
  // Empty, or level 0 and the coarse levels, the finest first.
  std::vector<LevelLayout> levels;

  // [particle_count] x y z in m and inverse mass in 1/kg, or empty.
  std::vector<float> positions;
  // [particle_count] storage index of each particle, or empty if that is always the particle's own index.
  std::vector<uint32_t> storage_order;

  // First words of arrays; 0 = there is no such array.

  // The storage order with padding, and the storage index of each vertex's particle, unless it is the vertex's index.
  uint32_t storage_words = 0;
  uint32_t vertices = 0;
  // Number of triangles including padding: the next multiple of 16 above triangle_count, so that there is at least one
  // padding triangle. 0 if the fabric has no triangles.
  uint32_t triangle_stride = 0;
  // Largest number of triangles at one particle.
  uint32_t widest_fan = 0;
  // [3][triangle_stride] storage index of each corner.
  uint32_t triangle_corners = 0;
  // Triangles around each particle, by storage index. fans.h describes the format.
  uint32_t particle_fans = 0;
  WindLayout wind;
  // Triangles at each vertex, in the same format. Absent if the fabric has no texture coordinates, or if no particle
  // has more than one vertex: a vertex then has the triangles of its particle.
  uint32_t vertex_fans = 0;
  // [2][triangle_stride] weights of the edges 0-1 and 0-2 in the tangent of the triangle.
  uint32_t tangent_weights = 0;
  // [padded storage indices] sign of the area in texture space around each particle, 1 or -1. Absent if the fabric has
  // no texture coordinates.
  uint32_t particle_handedness = 0;
  // [padded vertices] the same for each vertex. Absent if vertex_fans is.
  uint32_t vertex_handedness = 0;
  // [3][padded storage indices] positions of the particles at rest, in m. Absent if there are no levels.
  uint32_t rest_positions = 0;

  uint32_t storage_index(uint32_t particle) const { return storage_order.empty() ? particle : storage_order[particle]; }
  // Number of colours that phases solve.
  uint32_t phase_colour_count() const {
    uint32_t count = 0;
    for (const ConstraintLayout& set : sets) {
      if (info_of(set.type).stage == ConstraintStage::phase) count += set.colours.end - set.colours.begin;
    }
    return count;
  }
};

// A layout, and the words that it describes. The first line of lane_padding words is empty.
struct LaidOutFabric {
  FabricLayout layout;
  std::vector<uint32_t> words;
};

}  // namespace clothc
