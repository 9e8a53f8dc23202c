// constraint_sets.cpp - owns the order in which kernels process constraints. Invariants: the constraints of a set give
// the same result as in the order in which the fabric lists them, but for virtual particles, for which no order is
// promised; no two constraints of a colour share a particle that either of them moves.
#include "cook/layout/constraint_sets.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>

#include "cook/constraints/stiffness_log.h"
#include "cook/constraints/tether_levels.h"
#include "cook/order/free_colours.h"
#include "cook/order/independent_groups.h"

namespace clothc::cook {
namespace {

// Number of colours tried before a virtual particle gets a new one, see FreeColours.
constexpr uint32_t most_colour_tries = 1024;

// The constraints of a set as a fabric gives them. Parameter k of constraint c is at parameters[k][c * steps[k]].
struct Source {
  const ConstraintTypeInfo* type;
  size_t count;
  // [count][arity]
  const uint32_t* particles;
  const float* parameters[most_constraint_parameters];
  size_t steps[most_constraint_parameters];
};

// The constraints of a set in the order in which they are solved, and the end of each colour in it.
struct Order {
  std::vector<uint32_t> constraints;
  std::vector<uint32_t> ends;
};

uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

// Appends an empty set whose colours have these sizes, with padding in all rows.
ConstraintLayout& append_set(ConstraintType type, uint32_t arity, uint32_t width,
                             const std::vector<uint32_t>& colour_sizes, LaidOutFabric& out) {
  FabricLayout& layout = out.layout;
  ConstraintLayout set;
  set.type = type;
  set.arity = arity;
  set.width = width;
  set.colours.begin = static_cast<uint32_t>(layout.colours.size());
  uint64_t stride = 0;
  for (const uint32_t size : colour_sizes) {
    layout.colours.push_back({static_cast<uint32_t>(stride), static_cast<uint32_t>(stride) + size});
    stride += (uint64_t{size} + lane_padding - 1) / lane_padding * lane_padding;
    // Kernels use int for offsets.
    if (out.words.size() + (uint64_t{arity} + width) * stride > std::numeric_limits<int32_t>::max())
      throw std::bad_alloc();
  }
  set.stride = static_cast<uint32_t>(stride);
  set.colours.end = static_cast<uint32_t>(layout.colours.size());
  set.particles = static_cast<uint32_t>(out.words.size());
  out.words.resize(out.words.size() + size_t{arity} * set.stride, padding_particle);
  set.parameters = static_cast<uint32_t>(out.words.size());
  out.words.resize(out.words.size() + size_t{width} * set.stride, 0u);
  layout.sets.push_back(set);
  return layout.sets.back();
}

class ConstraintSets {
 public:
  ConstraintSets(const FabricData& fabric, LaidOutFabric& out)
      : fabric_(fabric), out_(out), groups_(fabric.particle_count) {}

  void append(const Source& source) {
    stored_.resize(source.count * source.type->arity);
    std::transform(source.particles, source.particles + stored_.size(), stored_.begin(),
                   [&](uint32_t particle) { return fabric_.storage_index(particle); });
    fill(source, source.type->stage == ConstraintStage::collision ? coloured(source) : grouped(source));
  }

  void append_tethers() {
    const TetherLevels levels = find_tether_levels(fabric_);
    const uint32_t count = fabric_.tethers_per_particle;
    std::vector<uint32_t> sizes;
    for (const std::vector<uint32_t>& level : levels) sizes.push_back(static_cast<uint32_t>(level.size()));
    const ConstraintLayout& set = append_set(ConstraintType::tether, 1 + count, count, sizes, out_);
    for (size_t l = 0; l < levels.size(); ++l) {
      size_t item = out_.layout.colours[set.colours.begin + l].begin;
      for (const uint32_t particle : levels[l]) {
        out_.words[set.particles + item] = fabric_.storage_index(particle);
        for (uint32_t t = 0; t < count; ++t) {
          const size_t tether = size_t{t} * fabric_.particle_count + particle;
          out_.words[set.particles + (t + size_t{1}) * set.stride + item] =
              fabric_.storage_index(fabric_.tether_anchors[tether]);
          out_.words[set.parameters + size_t{t} * set.stride + item] = bits_of(fabric_.tether_lengths[tether]);
        }
        ++item;
      }
    }
  }

 private:
  // Splits the constraints into groups in their order. Within a group, the order is free: along memory.
  Order grouped(const Source& source) {
    const uint32_t arity = source.type->arity;
    conflicts_ = stored_;
    if (source.type->moved < arity) forget_unmoved(*source.type, source.count);
    groups_.split(conflicts_.data(), arity, source.count);
    Order order{std::move(groups_.order), std::move(groups_.ends)};
    if (fabric_.storage_order.empty()) return order;
    const auto lowest = [&](uint32_t constraint) {
      const uint32_t* first = &stored_[size_t{constraint} * arity];
      return *std::min_element(first, first + arity);
    };
    auto begin = order.constraints.begin();
    for (const uint32_t end : order.ends) {
      const auto next = order.constraints.begin() + end;
      std::sort(begin, next, [&](uint32_t a, uint32_t b) { return lowest(a) < lowest(b); });
      begin = next;
    }
    return order;
  }

  // Particles that no constraint of the set moves cause no conflicts.
  void forget_unmoved(const ConstraintTypeInfo& type, size_t count) {
    std::vector<bool> moves(fabric_.particle_count, false);
    for (size_t c = 0; c < count; ++c) {
      for (uint32_t k = 0; k < type.moved; ++k) moves[conflicts_[c * type.arity + k]] = true;
    }
    for (uint32_t& particle : conflicts_) {
      if (!moves[particle]) particle = IndependentGroups::no_particle;
    }
  }

  // Gives each constraint the lowest colour that is free at all its particles. Within a colour, constraints keep their
  // order, and with it their locality.
  Order coloured(const Source& source) {
    const uint32_t arity = source.type->arity;
    FreeColours free_colours(fabric_.particle_count, source.count * arity, most_colour_tries);
    std::vector<uint32_t> colours(source.count);
    Order order;
    for (size_t c = 0; c < source.count; ++c) {
      colours[c] = free_colours.take(&stored_[c * arity], arity);
      if (colours[c] == order.ends.size()) order.ends.push_back(0);
      ++order.ends[colours[c]];
    }
    uint32_t begin = 0;
    std::vector<uint32_t> next;
    for (uint32_t& end : order.ends) {
      next.push_back(begin);
      end = begin += end;
    }
    order.constraints.resize(source.count);
    for (size_t c = 0; c < source.count; ++c) order.constraints[next[colours[c]]++] = static_cast<uint32_t>(c);
    return order;
  }

  void fill(const Source& source, const Order& order) {
    const ConstraintTypeInfo& type = *source.type;
    std::vector<uint32_t> sizes;
    for (size_t g = 0; g < order.ends.size(); ++g) sizes.push_back(order.ends[g] - (g == 0 ? 0 : order.ends[g - 1]));
    const ConstraintLayout& set = append_set(type.type, type.arity, type.width, sizes, out_);
    size_t next = 0;
    for (size_t g = 0; g < order.ends.size(); ++g) {
      size_t item = out_.layout.colours[set.colours.begin + g].begin;
      for (; next < order.ends[g]; ++next, ++item) {
        const size_t constraint = order.constraints[next];
        for (uint32_t k = 0; k < type.arity; ++k)
          out_.words[set.particles + size_t{k} * set.stride + item] = stored_[constraint * type.arity + k];
        for (uint32_t k = 0; k < type.width; ++k) {
          const float value = source.parameters[k][constraint * source.steps[k]];
          const bool is_kept = type.parameters[k].storage == ParameterStorage::kept;
          out_.words[set.parameters + size_t{k} * set.stride + item] =
              bits_of(is_kept ? log2_of_one_minus(value) : value);
        }
      }
    }
  }

  const FabricData& fabric_;
  LaidOutFabric& out_;
  IndependentGroups groups_;
  // [constraints][arity] storage indices of the set being laid out, and the particles that make its constraints
  // conflict.
  std::vector<uint32_t> stored_;
  std::vector<uint32_t> conflicts_;
};

void append_pairs(const FabricData& fabric, ConstraintSets& sets) {
  const bool is_stiff = !fabric.stiffness.empty();
  size_t begin = 0;
  for (const uint32_t end : fabric.set_ends) {
    Source source{&info_of(is_stiff ? ConstraintType::stiff_distance : ConstraintType::distance),
                  end - begin,
                  fabric.indices.data() + begin * 2,
                  {fabric.rest_lengths.data() + begin, is_stiff ? fabric.stiffness.data() + begin : nullptr},
                  {1, 1}};
    sets.append(source);
    begin = end;
  }
}

void append_typed_sets(const FabricData& fabric, ConstraintSets& sets) {
  const uint32_t* particles = fabric.constraint_particles.data();
  const float* parameters = fabric.constraint_parameters.data();
  for (size_t s = 0; s < fabric.constraint_types.size(); ++s) {
    const ConstraintTypeInfo& type = *find_constraint_type(fabric.constraint_types[s]);
    Source source{&type, fabric.constraint_counts[s], particles, {}, {}};
    for (uint32_t k = 0; k < type.width; ++k) {
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
