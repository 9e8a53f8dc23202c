// constraint_sets.cpp - owns which constraints of a fabric make a set of the layout, and fills the rows of each set.
#include "cook/layout/constraint_sets.h"

#include <algorithm>
#include <cstddef>

#include "cook/constraints/loose.h"
#include "cook/constraints/stiffness_log.h"
#include "cook/constraints/stretch_phases.h"
#include "cook/constraints/tether_levels.h"
#include "cook/layout/append.h"
#include "cook/layout/constraint_order.h"
#include "cook/layout/constraint_rows.h"
#include "cook/layout/rings.h"

namespace clothc::cook {
namespace {

// The constraints of a set as a fabric gives them. Parameter k of constraint c is at parameters[k][c * steps[k]].
struct Source {
  const ConstraintTypeInfo* type;
  size_t count;
  // [count][arity]
  const uint32_t* particles;
  const float* parameters[most_constraint_parameters];
  size_t steps[most_constraint_parameters];
};

// Appends an empty set whose colours have these sizes.
ConstraintLayout& append_set(ConstraintType type, uint32_t arity, uint32_t width,
                             const std::vector<ColourSize>& colours, LaidOutFabric& out) {
  ConstraintLayout set;
  set.type = type;
  set.arity = arity;
  set.width = width;
  place_colours(colours, set, out);
  out.layout.sets.push_back(set);
  return out.layout.sets.back();
}

class ConstraintSets {
 public:
  ConstraintSets(const FabricData& fabric, LaidOutFabric& out)
      : fabric_(fabric), out_(out), ordering_(fabric.particle_count, !fabric.storage_order.empty()), held_(fabric) {}

  // may_have_rings: whether its constraints may be solved in rings, if they are plain distance constraints.
  void append(const Source& source, bool may_have_rings = false) {
    stored_.resize(source.count * source.type->arity);
    std::transform(source.particles, source.particles + stored_.size(), stored_.begin(),
                   [&](uint32_t particle) { return fabric_.storage_index(particle); });
    const bool with_rings = may_have_rings && source.type->type == ConstraintType::distance;
    fill(source, ordering_.order(*source.type, stored_, source.count, with_rings));
  }

  void append_tethers() {
    const TetherLevels levels = find_tether_levels(fabric_);
    const uint32_t count = fabric_.tethers_per_particle;
    std::vector<ColourSize> sizes;
    for (const std::vector<uint32_t>& level : levels) sizes.push_back({static_cast<uint32_t>(level.size())});
    const ConstraintLayout& set = append_set(ConstraintType::tether, 1 + count, count, sizes, out_);
    for (size_t l = 0; l < levels.size(); ++l) {
      size_t item = out_.layout.colours[set.colours.begin + l].items.begin;
      for (const uint32_t particle : levels[l]) {
        out_.words[set.rows.particles + item] = fabric_.storage_index(particle);
        for (uint32_t t = 0; t < count; ++t) {
          const size_t tether = size_t{t} * fabric_.particle_count + particle;
          out_.words[set.rows.particles + (t + size_t{1}) * set.rows.stride + item] =
              fabric_.storage_index(fabric_.tether_anchors[tether]);
          out_.words[set.rows.parameters + size_t{t} * set.rows.stride + item] =
              bits_of(fabric_.tether_lengths[tether]);
        }
        ++item;
      }
    }
  }

 private:
  void fill(const Source& source, const ConstraintOrder& order) {
    const ConstraintTypeInfo& type = *source.type;
    ConstraintLayout& set = append_set(type.type, type.arity, type.width, order.colours, out_);
    set.constraint_count = static_cast<uint32_t>(source.count);
    set.holds_shapes = held_.joins_parts(out_.layout.sets.size() - 1);
    auto constraint = order.constraints.begin();
    auto ring = order.rings.begin();
    for (uint32_t c = set.colours.begin; c < set.colours.end; ++c) {
      const Colour& colour = out_.layout.colours[c];
      for (uint32_t item = colour.items.begin; item < colour.items.end; ++item) {
        if (colour.of_rings) {
          fill_ring(source, *ring++, set.rings, item);
        } else {
          fill_constraint(source, *constraint++, set.rows, item);
        }
      }
    }
  }

  void fill_constraint(const Source& source, size_t constraint, const ConstraintRows& rows, uint32_t item) {
    const ConstraintTypeInfo& type = *source.type;
    for (uint32_t k = 0; k < type.arity; ++k)
      out_.words[rows.particles + size_t{k} * rows.stride + item] = stored_[constraint * type.arity + k];
    const bool is_loose =
        is_of_shape(type.type) && !held_.hold_together(source.particles + constraint * type.arity, type.arity);
    for (uint32_t k = 0; k < type.width; ++k) {
      const float value = source.parameters[k][constraint * source.steps[k]];
      const bool is_kept = type.parameters[k].storage == ParameterStorage::kept;
      out_.words[rows.parameters + size_t{k} * rows.stride + item] = bits_of(!is_kept   ? value
                                                                             : is_loose ? -log2_of_one_minus(value)
                                                                                        : log2_of_one_minus(value));
    }
  }

  void fill_ring(const Source& source, RingSequence::Item constraints, const RingBlocks& rings, uint32_t item) {
    const bool is_path = constraints.count == 2;
    const uint32_t* const pairs = &stored_[size_t{constraints.first} * 2];
    uint32_t ring[ring_size];
    if (is_path) {
      read_path(pairs, ring + 1);
      ring[0] = ring[2];
    } else {
      read_ring(pairs, ring);
    }
    for (uint32_t k = 0; k < ring_size; ++k) {
      out_.words[rings.particle(k, item)] = ring[k];
      out_.words[rings.length(k, item)] = bits_of(no_constraint_length);
    }
    for (uint32_t k = 0; k < constraints.count; ++k) {
      const float length = source.parameters[0][(size_t{constraints.first} + k) * source.steps[0]];
      out_.words[rings.length(is_path ? path_order[k] : ring_order[k], item)] = bits_of(length);
    }
  }

  const FabricData& fabric_;
  LaidOutFabric& out_;
  ConstraintOrdering ordering_;
  HeldParts held_;
  // [constraints][arity] storage indices of the set being laid out.
  std::vector<uint32_t> stored_;
};

void append_pairs(const FabricData& fabric, ConstraintSets& sets) {
  const bool is_stiff = !fabric.stiffness.empty();
  // Long-range constraints are not solved in rings.
  std::vector<bool> rings_allowed(fabric.set_ends.size(), true);
  for (size_t k = 0; k < fabric.phase_sets.size(); ++k) {
    if (fabric.phase_types[k] == phase_long_range && fabric.phase_sets[k] < rings_allowed.size())
      rings_allowed[fabric.phase_sets[k]] = false;
  }
  size_t begin = 0;
  for (size_t s = 0; s < fabric.set_ends.size(); ++s) {
    const size_t end = fabric.set_ends[s];
    Source source{&info_of(is_stiff ? ConstraintType::stiff_distance : ConstraintType::distance),
                  end - begin,
                  fabric.indices.data() + begin * 2,
                  {fabric.rest_lengths.data() + begin, is_stiff ? fabric.stiffness.data() + begin : nullptr},
                  {1, 1}};
    sets.append(source, rings_allowed[s]);
    begin = end;
  }
}

void append_typed_sets(const FabricData& fabric, ConstraintSets& sets) {
  const uint32_t* particles = fabric.constraint_particles.data();
  const float* parameters = fabric.constraint_parameters.data();
  for (size_t s = 0; s < fabric.constraint_types.size(); ++s) {
    const ConstraintTypeInfo& type = *find_constraint_type(fabric.constraint_types[s]);
    Source source{&type, fabric.constraint_counts[s], particles, {}, {}};
    // If all sets are empty, there are no parameters to point at.
    for (uint32_t k = 0; k < type.width && source.count > 0; ++k) {
      source.parameters[k] = parameters + k;
      source.steps[k] = type.width;
    }
    sets.append(source);
    particles += source.count * type.arity;
    parameters += source.count * type.width;
  }
}

void append_virtual_particles(const FabricData& fabric, ConstraintSets& sets) {
  const size_t count = fabric.virtual_particle_count();
  std::vector<uint32_t> particles;
  std::vector<float> weights;
  particles.reserve(count * 3);
  weights.reserve(count * 3);
  for (size_t v = 0; v < count; ++v) {
    const uint32_t* virtual_particle = &fabric.virtual_particles[v * 4];
    const float* row = &fabric.virtual_weights[size_t{virtual_particle[3]} * 3];
    particles.insert(particles.end(), virtual_particle, virtual_particle + 3);
    weights.insert(weights.end(), row, row + 3);
  }
  const float* first = weights.data();
  sets.append(
      {&info_of(ConstraintType::virtual_particle), count, particles.data(), {first, first + 1, first + 2}, {3, 3, 3}});
}

}  // namespace

void lay_out_constraints(const FabricData& fabric, LaidOutFabric& out) {
  ConstraintSets sets(fabric, out);
  append_pairs(fabric, sets);
  append_typed_sets(fabric, sets);
  if (fabric.tethers_per_particle > 0) sets.append_tethers();
  if (!fabric.virtual_particles.empty()) append_virtual_particles(fabric, sets);
  for (uint32_t s = 0; s < out.layout.sets.size(); ++s) {
    const ConstraintStage stage = info_of(out.layout.sets[s].type).stage;
    if (stage == ConstraintStage::tether) out.layout.tether_sets.push_back(s);
    if (stage == ConstraintStage::collision) out.layout.collision_sets.push_back(s);
  }
}

}  // namespace clothc::cook
