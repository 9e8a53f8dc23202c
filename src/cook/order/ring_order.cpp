// ring_order.cpp - owns which pairs beside rings share a colour with them. At the border of a grid of quads those are the
// halves of rings that the border cuts off, so that they fill a colour as if it went on.
#include "cook/order/ring_order.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "cook/order/colour.h"
#include "cook/order/colour_sequence.h"
#include "cook/order/free_colours.h"
#include "cook/order/neighbourhood.h"
#include "cook/order/ring_search.h"
#include "cook/topology/incidence.h"

namespace clothc::cook {
namespace {

// In grids of quads, rings have two colours, as on a chessboard. Where they have more, pairs are left all over the mesh;
// putting those into the colours of rings kept a hat that is too small for its head from ever coming to rest.
constexpr uint32_t chessboard_colours = 2;

class RingOrder {
 public:
  RingOrder(const std::vector<Pair>& pairs, const std::vector<Ring>& rings, const std::vector<float>& positions)
      : pairs_(pairs),
        positions_(positions),
        particle_count_(static_cast<uint32_t>(positions.size() / 4)),
        at_particle_(find_incidence(particle_count_, static_cast<uint32_t>(pairs.size()), 2, Ends{pairs})),
        half_of_(pairs.size(), Half::unknown),
        free_colours_(particle_count_, 2 * pairs.size()) {
    add_rings(rings);
    if (ring_colours_ == chessboard_colours) add_paths();
  }

  std::vector<Pair> run() {
    sort_elements();
    ColourSequence sequence(pairs_, particle_count_);
    sequence.add(elements_, colours_);
    sequence.add(elements_of(left_), colour_pairs(left_, positions_));
    return sequence.take();
  }

 private:
  // The sides of a ring that are solved first or second.
  enum class Half : uint8_t { unknown, first, second };
  struct Ends {
    const std::vector<Pair>& pairs;
    uint32_t operator()(uint32_t i, uint32_t end) const { return end == 0 ? pairs[i].first : pairs[i].second; }
  };

  // Rings get their colours along the front on which they were found.
  void add_rings(const std::vector<Ring>& rings) {
    for (const Ring& ring : rings) {
      Element element{ring.particles, 4, {}, 4};
      for (size_t k = 0; k < 4; ++k) {
        constexpr size_t order[] = {0, 2, 1, 3};
        element.pairs[k] = pairs_[ring.pairs[order[k]]];
        half_of_[ring.pairs[k]] = k % 2 == 0 ? Half::first : Half::second;
      }
      add(element);
    }
    ring_colours_ = colours_.empty() ? 0 : *std::max_element(colours_.begin(), colours_.end()) + 1;
    for (size_t k = 0; k < pairs_.size(); ++k) {
      if (half_of_[k] == Half::unknown) left_.push_back(pairs_[k]);
    }
  }

  void add(const Element& element) {
    colours_.push_back(free_colours_.take(element.particles.data(), element.particle_count));
    elements_.push_back(element);
  }

  bool fits(const Element& element) const {
    return free_colours_.find(element.particles.data(), element.particle_count) < ring_colours_;
  }

  void add_paths() {
    const auto count = static_cast<uint32_t>(left_.size());
    const Incidence at_particle = find_incidence(particle_count_, count, 2, Ends{left_});
    std::vector<bool> is_added(count, false);
    for (const uint32_t one : order_by_neighbourhood(left_, particle_count_)) {
      if (is_added[one]) continue;
      uint32_t other = 0;
      Element element = find_path(one, at_particle, is_added, other);
      if (element.pair_count > 0) {
        is_added[other] = true;
      } else {
        element = elements_of({left_[one]}).front();
        if (!fits(element)) continue;
      }
      is_added[one] = true;
      add(element);
    }
    std::vector<Pair> rest;
    for (uint32_t i = 0; i < count; ++i) {
      if (!is_added[i]) rest.push_back(left_[i]);
    }
    left_ = std::move(rest);
  }

  // Returns a path of a pair and another one that fits into a colour of rings, or nothing.
  Element find_path(uint32_t one, const Incidence& at_particle, const std::vector<bool>& is_added,
                    uint32_t& other) const {
    for (const uint32_t middle : {left_[one].first, left_[one].second}) {
      if (at_particle.count(middle) > most_pairs_in_rings) continue;
      for (uint32_t i = at_particle.begin[middle]; i < at_particle.begin[middle + 1]; ++i) {
        other = at_particle.item[i];
        const uint32_t from = left_[one].other(middle), to = left_[other].other(middle);
        if (other == one || is_added[other] || from == to) continue;
        Element path{{from, middle, to}, 3, {left_[one], left_[other]}, 2};
        if (!fits(path)) continue;
        if (half_along(path.pairs[0]) == Half::second || half_along(path.pairs[1]) == Half::first)
          std::swap(path.pairs[0], path.pairs[1]);
        return path;
      }
    }
    return {};
  }

  // The half in which rings have the pairs that run along a pair: those opposite to it where four pairs make a ring.
  Half half_along(Pair pair) const {
    Half half = Half::unknown;
    for_each_at(pair.second, [&](uint32_t, uint32_t c) {
      if (c == pair.first) return;
      for_each_at(c, [&](uint32_t opposite, uint32_t d) {
        if (half != Half::unknown || half_of_[opposite] == Half::unknown || d == pair.second) return;
        for_each_at(d, [&](uint32_t, uint32_t end) {
          if (end == pair.first) half = half_of_[opposite];
        });
      });
    });
    return half;
  }

  // Calls body(pair, other end) for the pairs at a particle.
  template <class Body>
  void for_each_at(uint32_t particle, Body body) const {
    if (at_particle_.count(particle) > most_pairs_in_rings) return;
    for (uint32_t i = at_particle_.begin[particle]; i < at_particle_.begin[particle + 1]; ++i)
      body(at_particle_.item[i], pairs_[at_particle_.item[i]].other(particle));
  }

  // Rings and paths first, then pairs alone, both by their lowest particle.
  void sort_elements() {
    std::vector<std::pair<Element, uint32_t>> sorted;
    for (size_t i = 0; i < elements_.size(); ++i) sorted.push_back({elements_[i], colours_[i]});
    const auto lowest = [](const Element& element) {
      return *std::min_element(element.particles.begin(), element.particles.begin() + element.particle_count);
    };
    std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
      const bool a_is_alone = a.first.pair_count == 1, b_is_alone = b.first.pair_count == 1;
      if (a_is_alone != b_is_alone) return b_is_alone;
      const uint32_t of_a = lowest(a.first), of_b = lowest(b.first);
      return of_a != of_b ? of_a < of_b : a.second < b.second;
    });
    for (size_t i = 0; i < sorted.size(); ++i) std::tie(elements_[i], colours_[i]) = sorted[i];
  }

  const std::vector<Pair>& pairs_;
  const std::vector<float>& positions_;
  const uint32_t particle_count_;
  // The items are pairs.
  const Incidence at_particle_;
  // [pairs] where each is in its ring.
  std::vector<Half> half_of_;
  FreeColours free_colours_;
  uint32_t ring_colours_ = 0;
  std::vector<Element> elements_;
  std::vector<uint32_t> colours_;
  // Pairs that are in no element yet.
  std::vector<Pair> left_;
};

}  // namespace

void order_by_rings(std::vector<Pair>& pairs, const std::vector<float>& positions) {
  const std::vector<Ring> rings = find_rings(pairs, static_cast<uint32_t>(positions.size() / 4));
  if (rings.empty()) return order_by_colour(pairs, positions);
  pairs = RingOrder(pairs, rings, positions).run();
}

}  // namespace clothc::cook
