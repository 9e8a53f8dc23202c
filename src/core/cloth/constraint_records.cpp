// constraint_records.cpp - the constraint records of a cloth in the layout that the kernels read.
#include <cstring>

#include "core/base/structs.h"
#include "core/cloth/cloth.h"

namespace clothc {
namespace {

// Returns the laid-out constraints of a phase whose stretch enters the statistics, padding included. The range is empty
// for bend phases, long-range phases and phases that are not solved.
Range stretched_range(const FabricData& fabric, const clothc_phase_config& config) {
  const uint32_t type = fabric.phase_types[config.phase];
  if (config.stiffness <= 0 || type == CLOTHC_PHASE_BEND || type == CLOTHC_PHASE_LONG_RANGE) return {};
  const Range colours = fabric.set_colours[fabric.phase_sets[config.phase]];
  if (colours.begin == colours.end) return {};
  const auto begin_of = [&](uint32_t colour) {
    return colour < fabric.colours.size() ? fabric.colours[colour].begin
                                          : static_cast<uint32_t>(fabric.laid_out_rest.size());
  };
  return {begin_of(colours.begin), begin_of(colours.end)};
}

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
  void put_cloth(const Cloth& cloth, float scale) {
    put(constraint_scale, scale);
    // Either the value in the recorded trajectories of NvCloth, or one just large enough that dividing by the length of
    // a constraint of length 0 is possible.
    put(constraint_regularisation, cloth.data().exact_lengths ? 1e-30f : 1.1920929e-7f);
    put(constraint_first_particle, cloth.first_particle);
  }
  void put_rows(uint32_t particles, uint32_t parameters, uint32_t stride, uint32_t width) {
    put(constraint_particles, particles);
    put(constraint_parameters, parameters);
    put(constraint_stride, stride);
    put(constraint_width, width);
  }

 private:
  uint32_t* words_;
};

}  // namespace

std::vector<uint32_t> make_constraint_records(const Cloth& cloth) {
  const DeviceFabric& fabric = *cloth.fabric;
  const FabricData& data = cloth.data();
  std::vector<uint32_t> words(size_t{cloth.record_count()} * constraint_words, 0);
  const auto record_at = [&](uint32_t word) { return Record(words.data() + (word - cloth.constraint_records)); };
  for (size_t k = 0; k < cloth.phases.size(); ++k) {
    Record record = record_at(cloth.record(k));
    record.put_config(cloth.phases[k]);
    record.put_cloth(cloth, cloth.scale);
    record.put_rows(fabric.constraint_first, fabric.constraint_rest, static_cast<uint32_t>(data.laid_out_rest.size()),
                    data.stiffness.empty() ? 1 : 2);
    const Range stretched = stretched_range(data, cloth.phases[k]);
    record.put(constraint_stretch_begin, stretched.begin);
    record.put(constraint_stretch_end, stretched.end);
  }
  if (cloth.has_tethers()) {
    Record record = record_at(cloth.tether_record());
    record.put(constraint_stiffness, cloth.parameters.tether_stiffness);
    record.put(constraint_parts, data.tethers_per_particle);
    record.put_cloth(cloth, cloth.parameters.tether_scale * cloth.scale);
    record.put_rows(fabric.tether_order, fabric.tether_length, fabric.tether_stride, data.tethers_per_particle);
  }
  if (cloth.has_virtual_particles()) {
    Record record = record_at(cloth.virtual_record());
    record.put_cloth(cloth, cloth.scale);
    record.put_rows(fabric.virtual_corners, fabric.virtual_weights, fabric.virtual_stride, 3);
  }
  return words;
}

}  // namespace clothc
