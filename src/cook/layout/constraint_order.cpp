// constraint_order.cpp - owns the choice of colours. Invariants: the constraints of a set give the same result as in the
// order in which the fabric lists them, but for virtual particles, for which no order is promised; no two constraints
// of a colour share a particle that either of them moves.
#include "cook/layout/constraint_order.h"

#include <algorithm>
#include <utility>

#include "cook/order/free_colours.h"

namespace clothc::cook {
namespace {

// Number of colours tried before a virtual particle gets a new one, see FreeColours.
constexpr uint32_t most_colour_tries = 1024;

// Particles that no constraint of the set moves cause no conflicts.
void forget_unmoved(const ConstraintTypeInfo& type, uint32_t particle_count, std::vector<uint32_t>& conflicts) {
  std::vector<bool> moves(particle_count, false);
  for (size_t c = 0; c < conflicts.size(); c += type.arity) {
    for (uint32_t k = 0; k < type.moved; ++k) moves[conflicts[c + k]] = true;
  }
  for (uint32_t& particle : conflicts) {
    if (!moves[particle]) particle = IndependentGroups::no_particle;
  }
}

}  // namespace

ConstraintOrdering::ConstraintOrdering(uint32_t particle_count, bool is_reordered)
    : particle_count_(particle_count), is_reordered_(is_reordered), groups_(particle_count) {}

ConstraintOrder ConstraintOrdering::order(const ConstraintTypeInfo& type, const std::vector<uint32_t>& particles,
                                          size_t count, bool may_have_rings) {
  if (type.stage == ConstraintStage::collision) return in_free_colours(type.arity, particles, count);
  return may_have_rings ? in_groups_with_rings(particles, count) : in_groups(type, particles, count);
}

// Splits the constraints into groups in their order. Within a group, the order is free: along memory.
ConstraintOrder ConstraintOrdering::in_groups(const ConstraintTypeInfo& type, const std::vector<uint32_t>& particles,
                                              size_t count) {
  std::vector<uint32_t> conflicts = particles;
  if (type.moved < type.arity) forget_unmoved(type, particle_count_, conflicts);
  groups_.split(conflicts.data(), type.arity, count);
  sort_groups(particles, type.arity);
  ConstraintOrder order{std::move(groups_.order), {}, {}};
  uint32_t begin = 0;
  for (const uint32_t end : groups_.ends) {
    order.colours.push_back({end - begin});
    begin = end;
  }
  return order;
}

ConstraintOrder ConstraintOrdering::in_groups_with_rings(const std::vector<uint32_t>& pairs, size_t count) {
  const RingSequence sequence = recognise_rings(pairs.data(), count);
  groups_.split(sequence.particles.data(), ring_size, sequence.items.size());
  sort_groups(sequence.particles, ring_size);
  ConstraintOrder order;
  size_t begin = 0;
  for (const uint32_t end : groups_.ends) {
    const size_t constraints_before = order.constraints.size(), rings_before = order.rings.size();
    for (; begin < end; ++begin) {
      const RingSequence::Item& item = sequence.items[groups_.order[begin]];
      if (item.count == 1) {
        order.constraints.push_back(item.first);
      } else {
        order.rings.push_back(item);
      }
    }
    const auto rings = static_cast<uint32_t>(order.rings.size() - rings_before);
    const auto constraints = static_cast<uint32_t>(order.constraints.size() - constraints_before);
    if (rings > 0) order.colours.push_back({rings, true, false});
    if (constraints > 0) order.colours.push_back({constraints, false, rings > 0});
  }
  return order;
}

// Sorts the items of each group by their lowest particle, unless the order of particles is that of the fabric, which the
// items follow already. particles: [items][arity].
void ConstraintOrdering::sort_groups(const std::vector<uint32_t>& particles, uint32_t arity) {
  if (!is_reordered_) return;
  const auto lowest = [&](uint32_t item) {
    const uint32_t* first = &particles[size_t{item} * arity];
    return *std::min_element(first, first + arity);
  };
  auto begin = groups_.order.begin();
  for (const uint32_t end : groups_.ends) {
    const auto next = groups_.order.begin() + end;
    std::sort(begin, next, [&](uint32_t a, uint32_t b) { return lowest(a) < lowest(b); });
    begin = next;
  }
}

// Gives each constraint the lowest colour that is free at all its particles. Within a colour, constraints keep their
// order, and with it their locality.
ConstraintOrder ConstraintOrdering::in_free_colours(uint32_t arity, const std::vector<uint32_t>& particles,
                                                    size_t count) const {
  FreeColours free_colours(particle_count_, count * arity, most_colour_tries);
  std::vector<uint32_t> colours(count);
  ConstraintOrder order;
  for (size_t c = 0; c < count; ++c) {
    colours[c] = free_colours.take(&particles[c * arity], arity);
    if (colours[c] == order.colours.size()) order.colours.emplace_back();
    ++order.colours[colours[c]].count;
  }
  std::vector<uint32_t> next;
  uint32_t begin = 0;
  for (const ColourSize colour : order.colours) {
    next.push_back(begin);
    begin += colour.count;
  }
  order.constraints.resize(count);
  for (size_t c = 0; c < count; ++c) order.constraints[next[colours[c]]++] = static_cast<uint32_t>(c);
  return order;
}

}  // namespace clothc::cook
