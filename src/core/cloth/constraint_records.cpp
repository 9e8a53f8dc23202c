// constraint_records.cpp - the constraint records of a cloth in the layout that the kernels read.
#include <algorithm>
#include <cstring>

#include "cook/constraints/loose.h"
#include "cook/constraints/stretch_phases.h"
#include "cook/layout/levels.h"
#include "cook/layout/neighbours.h"
#include "core/base/structs.h"
#include "core/cloth/cloth.h"
#include "core/fabric/checks.h"

namespace clothc {
namespace {

// Whether the stretch of a phase's constraints enters the statistics: they are edges, and they are solved.
bool counts_as_stretch(const Cloth& cloth, const clothc_phase_config& config) {
  const uint32_t type = cloth.layout().phase_types[config.phase];
  if (config.stiffness <= 0 || type == CLOTHC_PHASE_BEND || type == CLOTHC_PHASE_LONG_RANGE) return false;
  const ConstraintLayout& set = cloth.set_of(config);
  return set.type == ConstraintType::distance || set.type == ConstraintType::stiff_distance;
}

// The stiffness with which a phase resists small changes of lengths.
float resistance_of(const Cloth& cloth, const clothc_phase_config& config) {
  // A stiffness of 0 leaves the phase out; else constraints with a stiffness of their own do not use it.
  if (config.stiffness > 0 && cloth.set_of(config).type == ConstraintType::stiff_distance) return 1;
  return config.stretch_limit > 1 ? config.stiffness * config.stiffness_multiplier : config.stiffness;
}

// Whether the cloth leaves out some of the distances that hold angles and areas.
bool leaves_shapes_loose(const Cloth& cloth) {
  const std::vector<ConstraintLayout>& sets = cloth.layout().sets;
  return std::any_of(sets.begin(), sets.end(), [&](const ConstraintLayout& set) {
    return set.holds_shapes &&
           std::none_of(cloth.phases.begin(), cloth.phases.end(), [&](const clothc_phase_config& config) {
             return config.stiffness > 0 && &cloth.set_of(config) == &set;
           });
  });
}

float shear_resistance(const Cloth& cloth) {
  float most = 0;
  for (const clothc_phase_config& config : cloth.phases) {
    if (cloth.layout().phase_types[config.phase] == CLOTHC_PHASE_SHEAR)
      most = std::max(most, resistance_of(cloth, config));
  }
  return most;
}

static_assert(CLOTHC_NO_PARTICLE == static_cast<int32_t>(padding_particle), "a node without a pin has this one");
static_assert(level_parents >= constraint_line && level_motions < constraint_words, "kernels read the second line");
static_assert(level_parent_nodes > constraint_scale && level_members > constraint_first_particle,
              "records of levels have the words of other records up to these");
static_assert(most_particles < CLOTHC_NO_PIN, "storage indices are exact as floats");
static_assert(cook::neighbour_slot_words == neighbour_slot_words && cook::node_row_count == node_particle_lengths,
              "layouts place neighbours and rows of nodes where kernels look for them");
static_assert(RingBlocks::block_words == ring_block_words && LatticeLayout::batch_words == lattice_batch_words,
              "layouts place rings where kernels look for them");
static_assert(LatticeTethers::row_words == lattice_tether_words, "layouts place tethers where kernels look for them");

// One record.
class Record {
 public:
  explicit Record(uint32_t* words) : words_(words) {
    const clothc_phase_config defaults = make_default<clothc_phase_config>();
    put_config(defaults);
    put(constraint_parts, 1u);
  }

  void put(uint32_t word, uint32_t value) { words_[word] = value; }
  void put(uint32_t word, float value) { std::memcpy(words_ + word, &value, 4); }
  void put_config(const clothc_phase_config& config) {
    put(constraint_stiffness, config.stiffness);
    put(constraint_multiplier, config.stiffness_multiplier);
    put(constraint_compression_limit, config.compression_limit);
    put(constraint_stretch_limit, config.stretch_limit);
  }
  // scale: factor on the lengths among the parameters.
  void put_set(const Cloth& cloth, const ConstraintLayout& set, float scale) {
    put(constraint_scale, scale);
    // Either the value in the recorded trajectories of NvCloth, or one just large enough that dividing by the length of
    // a constraint of length 0 is possible.
    put(constraint_regularisation, cloth.layout().exact_lengths ? 1e-30f : 1.1920929e-7f);
    put(constraint_first_particle, cloth.first_particle);
    put(constraint_particles, cloth.topology->word(set.rows.particles));
    put(constraint_parameters, cloth.topology->word(set.rows.parameters));
    put(constraint_stride, set.rows.stride);
    put(constraint_width, set.width);
    put(constraint_rings, cloth.topology->word(set.rings.words));
    if (cloth.topology->has_lattice()) put_lattice(cloth);
  }
  void put_lattice(const Cloth& cloth) {
    put(lattice_batches, cloth.topology->word(cloth.layout().lattice.batches));
    put(lattice_rows, cloth.lattice);
    put(lattice_stride, cloth.layout().lattice.stride);
  }
  void put_level(const Cloth& cloth, size_t level) {
    const std::vector<LevelLayout>& levels = cloth.level_layouts();
    const LevelLayout& own = levels[level];
    put(constraint_stiffness, cloth.hierarchy_stiffness());
    put(constraint_multiplier, 1 - shear_resistance(cloth));
    put(constraint_scale, cloth.scale);
    put(constraint_first_particle, cloth.first_particle);
    put(level_parents, cloth.level_array(own.parents));
    put(level_parent_nodes, cloth.level_array(own.parent_nodes));
    if (level + 1 < levels.size())
      put(level_motions, cloth.level_word(level + 1) + row_motions * level_stride_of(levels[level + 1].node_count));
    if (level == 0) return;
    put(level_members, cloth.level_array(own.members));
    put(level_neighbours, cloth.level_array(own.neighbours));
    put(level_nodes, cloth.level_array(own.nodes));
    put(level_rows, cloth.level_word(level));
    put(level_stride, level_stride_of(own.node_count));
  }

 private:
  uint32_t* words_;
};

}  // namespace

uint32_t Cloth::level_word(size_t level) const {
  const std::vector<LevelLayout>& all = level_layouts();
  uint32_t word = levels;
  for (size_t k = all.size() - 1; k > level; --k) word += level_row_count * level_stride_of(all[k].node_count);
  return word;
}

float Cloth::hierarchy_stiffness() const {
  if (level_layouts().empty()) return 0;
  float least = parameters.hierarchy_stiffness;
  bool resists = false;
  for (const clothc_phase_config& config : phases) {
    if (!cook::is_stretch(layout().phase_types[config.phase])) continue;
    least = std::min(least, resistance_of(*this, config));
    resists = true;
  }
  return resists ? least : 0;
}

std::vector<uint32_t> make_constraint_records(const Cloth& cloth) {
  const FabricLayout& layout = cloth.layout();
  std::vector<uint32_t> words(size_t{cloth.record_count()} * constraint_words, 0);
  const auto record_at = [&](uint32_t word) { return Record(words.data() + (word - cloth.constraint_records)); };
  for (size_t k = 0; k < cloth.phases.size(); ++k) {
    Record record = record_at(cloth.record(k));
    record.put_config(cloth.phases[k]);
    record.put_set(cloth, cloth.set_of(cloth.phases[k]), cloth.scale);
    if (cook::is_of_shape(cloth.set_of(cloth.phases[k]).type))
      record.put(constraint_all_loose, uint32_t{leaves_shapes_loose(cloth)});
    if (counts_as_stretch(cloth, cloth.phases[k])) {
      record.put(constraint_stretch_end, cloth.set_of(cloth.phases[k]).rows.stride);
      record.put(constraint_stretch_rings, cloth.set_of(cloth.phases[k]).rings.count);
    }
  }
  for (size_t k = 0; k < layout.tether_sets.size(); ++k) {
    const ConstraintLayout& set = layout.sets[layout.tether_sets[k]];
    Record record = record_at(cloth.tether_record(k));
    record.put(constraint_stiffness, cloth.parameters.tether_stiffness);
    record.put(constraint_parts, set.width);
    record.put_set(cloth, set, cloth.parameters.tether_scale * cloth.scale);
    record.put(lattice_tethers, cloth.topology->word(set.lattice_tethers));
  }
  for (size_t k = 0; k < layout.collision_sets.size(); ++k)
    record_at(cloth.collision_record(k)).put_set(cloth, layout.sets[layout.collision_sets[k]], cloth.scale);
  for (size_t k = 0; k < cloth.level_layouts().size(); ++k) record_at(cloth.level_record(k)).put_level(cloth, k);
  if (cloth.topology->has_lattice()) {
    Record record = record_at(cloth.lattice_record());
    record.put_lattice(cloth);
    record.put(lattice_particles, cloth.topology->word(layout.lattice.particles));
    record.put(constraint_first_particle, cloth.first_particle);
  }
  return words;
}

}  // namespace clothc
