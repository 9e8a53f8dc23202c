// colour.cpp - owns the order of cooked constraints. There are as many main colours as most particles have constraints,
// and they are large and of even size. Constraints that do not fit into them, at unusual particles such as the hub of a
// fan, follow in small colours: if all constraints were spread over the many colours of a hub, none of these would be
// large.
#include "cook/order/colour.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "cook/order/edge_colouring.h"
#include "cook/order/free_colours.h"
#include "cook/order/neighbourhood.h"
#include "cook/order/ring_search.h"

namespace clothc::cook {
namespace {

constexpr uint32_t max_main_colours = 16;
constexpr uint32_t max_sweeps = 4;

// Returns the smallest number n such that for nine constraints in ten, neither particle has more than n constraints, or
// one more if that is enough for all: a colour of a few constraints takes as long as a batch of them, and when large
// fabrics are solved block by block, its few constraints must not be far apart. It is at most max_main_colours.
uint32_t count_main_colours(const std::vector<Pair>& pairs, uint32_t particle_count) {
  std::vector<uint32_t> degree(particle_count, 0);
  for (const Pair pair : pairs) {
    ++degree[pair.first];
    ++degree[pair.second];
  }
  std::vector<size_t> histogram(max_main_colours + 1, 0);
  for (const Pair pair : pairs)
    ++histogram[std::min(std::max(degree[pair.first], degree[pair.second]), max_main_colours)];
  size_t within = 0;
  for (uint32_t count = 1; count < max_main_colours; ++count) {
    within += histogram[count];
    if (within < pairs.size() - pairs.size() / 10) continue;
    const bool one_more_is_enough = within < pairs.size() && within + histogram[count + 1] == pairs.size();
    return one_more_is_enough ? count + 1 : count;
  }
  return max_main_colours;
}

std::array<uint32_t, 2> particles_of(Pair pair) { return {pair.first, pair.second}; }
const std::array<uint32_t, 4>& particles_of(const Ring& ring) { return ring.particles; }

void append(Pair pair, const std::vector<Pair>&, std::vector<Pair>& out) { out.push_back(pair); }
void append(const Ring& ring, const std::vector<Pair>& pairs, std::vector<Pair>& out) {
  for (const uint32_t k : {0u, 2u, 1u, 3u}) out.push_back(pairs[ring.pairs[k]]);
}

// Lists pairs and rings colour by colour.
class ColourSequence {
 public:
  ColourSequence(const std::vector<Pair>& pairs, uint32_t particle_count)
      : pairs_(pairs), last_colour_(particle_count, 0) {
    ordered_.reserve(pairs.size());
  }

  // elements: pairs or rings. colours: the colour of each. Moves to the front of each colour an element that shares a
  // particle with the colour before. A colour without such an element becomes one with the colour before.
  template <class Element>
  void add(const std::vector<Element>& elements, const std::vector<uint32_t>& colours) {
    std::vector<std::vector<Element>> by_colour;
    for (size_t i = 0; i < elements.size(); ++i) {
      if (colours[i] >= by_colour.size()) by_colour.resize(size_t{colours[i]} + 1);
      by_colour[colours[i]].push_back(elements[i]);
    }
    for (std::vector<Element>& colour : by_colour) {
      const auto sharing = std::find_if(colour.begin(), colour.end(), [&](const Element& element) {
        const auto& particles = particles_of(element);
        return std::any_of(particles.begin(), particles.end(), [&](uint32_t p) { return last_colour_[p] == colour_; });
      });
      if (sharing != colour.end()) {
        std::rotate(colour.begin(), sharing, sharing + 1);
        ++colour_;
      }
      for (const Element& element : colour) {
        for (const uint32_t particle : particles_of(element)) last_colour_[particle] = colour_;
        append(element, pairs_, ordered_);
      }
    }
  }

  std::vector<Pair> take() { return std::move(ordered_); }

 private:
  const std::vector<Pair>& pairs_;
  std::vector<Pair> ordered_;
  // [particles] the last colour that the particle has an element of. Colours count from 1.
  std::vector<uint32_t> last_colour_;
  uint32_t colour_ = 1;
};

}  // namespace

std::vector<uint32_t> colour_pairs(const std::vector<Pair>& pairs, uint32_t particle_count) {
  const std::vector<uint32_t> order = order_by_neighbourhood(pairs, particle_count);
  const uint32_t main_count = count_main_colours(pairs, particle_count);
  EdgeColouring colouring(pairs, particle_count, main_count);
  std::vector<uint32_t> rest = order;
  // Later sweeps may succeed, because chains that were swapped in the meantime have changed the colours around a
  // pair.
  for (uint32_t sweep = 0; sweep < max_sweeps && !rest.empty(); ++sweep) {
    rest.erase(std::remove_if(rest.begin(), rest.end(), [&](uint32_t i) { return colouring.colour(i); }), rest.end());
  }
  colouring.balance();
  std::vector<uint32_t> colours(pairs.size());
  for (uint32_t i = 0; i < pairs.size(); ++i) colours[i] = colouring.colour_of(i);
  FreeColours small(rest.empty() ? 0 : particle_count, rest.size() * 2);
  for (const uint32_t i : rest) {
    const uint32_t ends[2] = {pairs[i].first, pairs[i].second};
    colours[i] = main_count + small.take(ends, 2);
  }
  return colours;
}

void order_by_colour(std::vector<Pair>& pairs, uint32_t particle_count) {
  ColourSequence sequence(pairs, particle_count);
  sequence.add(pairs, colour_pairs(pairs, particle_count));
  pairs = sequence.take();
}

void order_by_rings(std::vector<Pair>& pairs, uint32_t particle_count) {
  std::vector<Ring> rings = find_rings(pairs, particle_count);
  if (rings.empty()) return order_by_colour(pairs, particle_count);
  std::vector<bool> in_ring(pairs.size(), false);
  FreeColours free_colours(particle_count, rings.size() * 4);
  // Rings get their colours along the front on which they were found, and then the order of their lowest particles.
  std::vector<std::pair<uint32_t, Ring>> coloured;
  for (const Ring& ring : rings) {
    for (const uint32_t pair : ring.pairs) in_ring[pair] = true;
    coloured.push_back({free_colours.take(ring.particles.data(), 4), ring});
  }
  const auto lowest = [](const Ring& ring) { return *std::min_element(ring.particles.begin(), ring.particles.end()); };
  std::sort(coloured.begin(), coloured.end(),
            [&](const auto& a, const auto& b) { return lowest(a.second) < lowest(b.second); });
  std::vector<uint32_t> colours;
  rings.clear();
  for (const auto& [colour, ring] : coloured) {
    colours.push_back(colour);
    rings.push_back(ring);
  }
  std::vector<Pair> left;
  for (size_t k = 0; k < pairs.size(); ++k) {
    if (!in_ring[k]) left.push_back(pairs[k]);
  }
  ColourSequence sequence(pairs, particle_count);
  sequence.add(rings, colours);
  sequence.add(left, colour_pairs(left, particle_count));
  pairs = sequence.take();
}

}  // namespace clothc::cook
