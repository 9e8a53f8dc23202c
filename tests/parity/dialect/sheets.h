// sheets.h - two small sheets of cloth laid out by hand in the arenas, and the jobs of one update of both, which use
// every kernel of kernels.def.
#pragma once

#include <memory>
#include <vector>

#include "cook/fabric_layout.h"
#include "core/collision/collider_set.h"
#include "parity/dialect/arenas.h"

namespace clothc::probes {

// Constraints or rings of one kind and colour. No two of them share a particle.
struct Colour {
  Kernel kernel;
  // Index of the constraint record.
  uint32_t record;
  uint32_t begin, end;
};

// Where a set of constraints lies in the topology arena.
struct ConstraintRows {
  uint32_t particles = 0, parameters = 0, stride = 0, width = 0;
};

// Indices of the constraint records of a sheet; those of the phases come first.
constexpr uint32_t sheet_phase_count = 3;
constexpr uint32_t tether_record = 3;
constexpr uint32_t virtual_record = 4;
// The record of the first set in Sheet::further; those of the others follow, then those of the levels
// and of the lattice.
constexpr uint32_t further_record = 5;

// Tethers of each tethered particle in the lattice.
constexpr uint32_t lattice_tethers_per_particle = 3;

struct Sheet {
  uint32_t columns = 0, rows = 0;
  uint32_t particle_count = 0;
  uint32_t padded_count = 0;

  // Number of tethered particles.
  uint32_t tether_count = 0;
  // Places of triangles in wind.
  uint32_t wind_place_count = 0;
  std::vector<Colour> colours;
  std::vector<Range> virtual_colours;

  // Where the rows of the constraints are that the phases solve, of the tethers, and of the virtual particles.
  ConstraintRows edges, tethers, virtual_particles;
  // The first word of the rings of edges, which the first two phases solve too, and their number with padding.
  uint32_t rings = 0, ring_count = 0;
  // The same of a set of each further type of constraints.
  std::vector<ConstraintRows> further;
  // Level 0 and the coarse levels.
  std::vector<LevelLayout> levels;
  // The first word of a crowd of this sheet alone, in lane 0.
  uint32_t crowd = 0;
  LatticeLayout lattice;
  // First word of the tethers by its slots.
  uint32_t lattice_tethers = 0;
  // The colours of each set in the lattice.
  std::vector<std::vector<Range>> lattice_sets;
};

constexpr float spacing = 0.04f;  // m

struct OptionalChannel {
  Kernel write, read;
  uint32_t GroupSettings::*block;
  // Whether its elements are spheres, of which those with a negative radius do nothing.
  bool is_sphere;
};
constexpr OptionalChannel optional_channels[] = {
#define CLOTHC_IS_SPHERE_vector false
#define CLOTHC_IS_SPHERE_sphere true
#define CLOTHC_IS_SPHERE_word false
#define CLOTHC_OPTIONAL_always(block, format)
#define CLOTHC_OPTIONAL_optional(block, format)                                                \
  {Kernel::write_channel_##block, Kernel::read_channel_##block, &GroupSettings::block##_block, \
   CLOTHC_IS_SPHERE_##format},
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) \
  CLOTHC_OPTIONAL_##presence(block, format)
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_OPTIONAL_optional
#undef CLOTHC_OPTIONAL_always
#undef CLOTHC_IS_SPHERE_word
#undef CLOTHC_IS_SPHERE_sphere
#undef CLOTHC_IS_SPHERE_vector
};

struct Scene {
  Arenas arenas;

  // One sheet per cloth slot.
  std::vector<Sheet> sheets;

  // Assets of which the sets have instances.
  std::vector<std::shared_ptr<ColliderAsset>> assets;

  // Collider sets with the positions of their tables. Their shapes are those of update 0.
  std::vector<ColliderSet> sets;
};

Scene make_scene();

// Advances the shapes and motion constraints, and empties or fills the exchange block.
void prepare_frame(const Scene& scene, Arenas& arenas, int frame);

std::vector<Job> jobs_of_frame(const Scene& scene, int frame, uint32_t iterations);

}  // namespace clothc::probes
