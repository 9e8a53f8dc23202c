// constraint_records.cpp - the constraint records of a cloth in the layout that the kernels read.
#include <cstring>

#include "core/base/structs.h"
#include "core/cloth/cloth.h"

namespace clothc {
namespace {

// Whether the stretch of a phase's constraints enters the statistics: they are edges, and they are solved.
bool counts_as_stretch(const Cloth& cloth, const clothc_phase_config& config) {
  const uint32_t type = cloth.layout().phase_types[config.phase];
  if (config.stiffness <= 0 || type == CLOTHC_PHASE_BEND || type == CLOTHC_PHASE_LONG_RANGE) return false;
  const ConstraintLayout& set = cloth.set_of(config);
  return set.type == ConstraintType::distance || set.type == ConstraintType::stiff_distance;
}

static_assert(RingBlocks::block_words == ring_block_words, "layouts place rings where kernels look for them");

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
  }

 private:
  uint32_t* words_;
};

}  // namespace

std::vector<uint32_t> make_constraint_records(const Cloth& cloth) {
  const FabricLayout& layout = cloth.layout();
  std::vector<uint32_t> words(size_t{cloth.record_count()} * constraint_words, 0);
  const auto record_at = [&](uint32_t word) { return Record(words.data() + (word - cloth.constraint_records)); };
  for (size_t k = 0; k < cloth.phases.size(); ++k) {
    Record record = record_at(cloth.record(k));
    record.put_config(cloth.phases[k]);
    record.put_set(cloth, cloth.set_of(cloth.phases[k]), cloth.scale);
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
  }
  for (size_t k = 0; k < layout.collision_sets.size(); ++k)
    record_at(cloth.collision_record(k)).put_set(cloth, layout.sets[layout.collision_sets[k]], cloth.scale);
  return words;
}

}  // namespace clothc
