// colour_sequence.cpp - owns where one colour ends and the next one begins.
#include "cook/order/colour_sequence.h"

#include <algorithm>
#include <cstddef>

namespace clothc::cook {

std::vector<Element> elements_of(const std::vector<Pair>& pairs) {
  std::vector<Element> elements;
  elements.reserve(pairs.size());
  for (const Pair pair : pairs) elements.push_back({{pair.first, pair.second}, 2, {pair}, 1});
  return elements;
}

ColourSequence::ColourSequence(const std::vector<Pair>& pairs, uint32_t particle_count)
    : last_colour_(particle_count, 0) {
  ordered_.reserve(pairs.size());
}

void ColourSequence::add(const std::vector<Element>& elements, const std::vector<uint32_t>& colours) {
  std::vector<std::vector<Element>> by_colour;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (colours[i] >= by_colour.size()) by_colour.resize(size_t{colours[i]} + 1);
    by_colour[colours[i]].push_back(elements[i]);
  }
  for (std::vector<Element>& colour : by_colour) {
    const auto sharing = std::find_if(colour.begin(), colour.end(), [&](const Element& element) {
      const auto end = element.particles.begin() + element.particle_count;
      return std::any_of(element.particles.begin(), end, [&](uint32_t p) { return last_colour_[p] == colour_; });
    });
    if (sharing != colour.end()) {
      std::rotate(colour.begin(), sharing, sharing + 1);
      ++colour_;
    }
    for (const Element& element : colour) {
      for (uint32_t k = 0; k < element.particle_count; ++k) last_colour_[element.particles[k]] = colour_;
      ordered_.insert(ordered_.end(), element.pairs.begin(), element.pairs.begin() + element.pair_count);
    }
  }
}

}  // namespace clothc::cook
