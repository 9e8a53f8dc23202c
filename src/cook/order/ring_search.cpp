// ring_search.cpp - owns the choice of rings. It goes through the pairs along a front of the mesh, and makes a ring of
// each pair that is left with three others that are left, if there are any: of several rings, one that has most of its
// particles in rings already. In a grid of quads this takes every second quad, as on a chessboard, and no pair is left
// but at the border.
#include "cook/order/ring_search.h"

#include "cook/order/neighbourhood.h"
#include "cook/topology/incidence.h"

namespace clothc::cook {
namespace {

class RingSearch {
 public:
  RingSearch(const std::vector<Pair>& pairs, uint32_t particle_count)
      : pairs_(pairs),
        at_particle_(
            find_incidence(particle_count, static_cast<uint32_t>(pairs.size()), 2,
                           [&](uint32_t i, uint32_t end) { return end == 0 ? pairs[i].first : pairs[i].second; })),
        in_ring_(pairs.size(), false),
        ring_count_(particle_count, 0) {}

  std::vector<Ring> run(const std::vector<uint32_t>& order) {
    std::vector<Ring> rings;
    for (const uint32_t pair : order) {
      if (in_ring_[pair] || !find_ring_of(pair)) continue;
      for (const uint32_t member : best_.pairs) in_ring_[member] = true;
      for (const uint32_t particle : best_.particles) ++ring_count_[particle];
      rings.push_back(best_);
    }
    return rings;
  }

 private:
  // Calls body(pair, other end) for the pairs at a particle that are in no ring, but not for one of them.
  template <class Body>
  void for_each_at(uint32_t particle, uint32_t but, Body body) const {
    if (at_particle_.count(particle) > most_pairs_in_rings) return;
    for (uint32_t i = at_particle_.begin[particle]; i < at_particle_.begin[particle + 1]; ++i) {
      const uint32_t pair = at_particle_.item[i];
      if (pair != but && !in_ring_[pair]) body(pair, pairs_[pair].other(particle));
    }
  }

  bool find_ring_of(uint32_t pair) {
    const uint32_t a = pairs_[pair].first, b = pairs_[pair].second;
    bool is_found = false;
    uint32_t most = 0;
    for_each_at(b, pair, [&](uint32_t second, uint32_t c) {
      for_each_at(c, second, [&](uint32_t third, uint32_t d) {
        if (d == a || d == b) return;
        for_each_at(d, third, [&](uint32_t fourth, uint32_t end) {
          if (end != a) return;
          const uint32_t count = ring_count_[a] + ring_count_[b] + ring_count_[c] + ring_count_[d];
          if (is_found && count <= most) return;
          is_found = true;
          most = count;
          best_ = {{a, b, c, d}, {pair, second, third, fourth}};
        });
      });
    });
    return is_found;
  }

  const std::vector<Pair>& pairs_;
  // The items are pairs.
  const Incidence at_particle_;
  std::vector<bool> in_ring_;
  // [particles] number of rings that the particle is in.
  std::vector<uint32_t> ring_count_;
  Ring best_{};
};

}  // namespace

std::vector<Ring> find_rings(const std::vector<Pair>& pairs, uint32_t particle_count) {
  std::vector<Ring> rings = RingSearch(pairs, particle_count).run(order_by_neighbourhood(pairs, particle_count));
  if (rings.size() * 16 < pairs.size() * 3) rings.clear();
  return rings;
}

}  // namespace clothc::cook
