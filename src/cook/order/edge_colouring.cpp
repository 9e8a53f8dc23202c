// edge_colouring.cpp - owns greedy edge colouring that is repaired by Kempe chains. If the two ends of a pair have no
// free colour in common, the two colours of a chain of alternating colours that starts at one of the ends are swapped.
// Sources: Kempe 1879, "On the geographical problem of the four colours" (chains); de Werra 1971, "Equitable
// colorations of graphs" (swapping chains of odd length evens out any two colours).
#include "cook/order/edge_colouring.h"

#include <algorithm>
#include <cstddef>

namespace clothc::cook {
namespace {

// Longest chain that is swapped. A chain may run through the whole mesh, which is not worth saving one colour.
constexpr size_t max_chain = 20000;

uint32_t lowest_bit(uint32_t bits) {
  uint32_t i = 0;
  while ((bits >> i & 1) == 0) ++i;
  return i;
}

}  // namespace

EdgeColouring::EdgeColouring(const std::vector<Pair>& pairs, uint32_t particle_count, uint32_t colour_count)
    : pairs_(pairs),
      particle_count_(particle_count),
      colour_count_(colour_count),
      step_budget_(pairs.size() * 4 + max_chain),
      pair_at_(size_t{particle_count} * colour_count, no_index),
      used_(particle_count, 0),
      colour_of_(pairs.size(), no_index),
      size_(colour_count, 0) {}

uint32_t& EdgeColouring::pair_at(uint32_t particle, uint32_t colour) {
  return pair_at_[size_t{particle} * colour_count_ + colour];
}

void EdgeColouring::assign(uint32_t pair, uint32_t colour) {
  for (const uint32_t p : {pairs_[pair].first, pairs_[pair].second}) {
    pair_at(p, colour) = pair;
    used_[p] |= 1u << colour;
  }
  colour_of_[pair] = colour;
  ++size_[colour];
}

bool EdgeColouring::colour(uint32_t pair) {
  const uint32_t first = pairs_[pair].first, second = pairs_[pair].second;
  if (free_colours(first) == 0 || free_colours(second) == 0) return false;
  if (colour_once(pair)) return true;
  // Swapping a chain that begins at an end also changes which colours are free there, so try that next.
  for (const uint32_t p : {first, second}) {
    for (uint32_t wanted = used_[p]; wanted != 0; wanted &= wanted - 1) {
      if (!free_colour(p, no_index, lowest_bit(wanted), lowest_bit(free_colours(p)))) continue;
      if (colour_once(pair)) return true;
    }
  }
  return false;
}

bool EdgeColouring::colour_once(uint32_t pair) {
  const uint32_t first = pairs_[pair].first, second = pairs_[pair].second;
  const uint32_t free = free_colours(first) & free_colours(second);
  if (free != 0) {
    assign(pair, lowest_bit(free));
    return true;
  }
  for (uint32_t wanted = free_colours(first); wanted != 0; wanted &= wanted - 1) {
    for (uint32_t exchange = free_colours(second); exchange != 0; exchange &= exchange - 1) {
      if (!free_colour(second, first, lowest_bit(wanted), lowest_bit(exchange))) continue;
      assign(pair, lowest_bit(wanted));
      return true;
    }
  }
  return false;
}

uint32_t EdgeColouring::free_colours(uint32_t particle) const {
  return static_cast<uint32_t>((uint64_t{1} << colour_count_) - 1) & ~used_[particle];
}

// Makes the colour wanted free at the particle, where exchange is free, by swapping the two along a chain. Returns
// false and changes nothing if the chain reaches the particle other, where wanted is free and would be taken, or is too
// long.
bool EdgeColouring::free_colour(uint32_t particle, uint32_t other, uint32_t wanted, uint32_t exchange) {
  const size_t limit = std::min(max_chain, step_budget_);
  const bool ends = collect_chain(particle, wanted, exchange, other, limit);
  step_budget_ -= std::min(step_budget_, chain_.size());
  if (ends) flip_chain(wanted, exchange);
  return ends;
}

// Collects the chain of pairs with alternating colours wanted, exchange, wanted, ... from the particle. Returns false
// if it reaches the forbidden particle or is longer than the limit.
bool EdgeColouring::collect_chain(uint32_t particle, uint32_t wanted, uint32_t exchange, uint32_t forbidden,
                                  size_t limit) {
  chain_.clear();
  uint32_t colour = wanted;
  while (true) {
    const uint32_t pair = pair_at(particle, colour);
    if (pair == no_index) return true;
    if (chain_.size() >= limit) return false;
    chain_.push_back(pair);
    particle = pairs_[pair].other(particle);
    if (particle == forbidden) return false;
    colour = colour == wanted ? exchange : wanted;
  }
}

void EdgeColouring::flip_chain(uint32_t wanted, uint32_t exchange) {
  for (const uint32_t pair : chain_) {
    const uint32_t colour = colour_of_[pair];
    for (const uint32_t p : {pairs_[pair].first, pairs_[pair].second}) {
      pair_at(p, colour) = no_index;
      used_[p] &= ~(1u << colour);
    }
    --size_[colour];
  }
  for (const uint32_t pair : chain_) assign(pair, colour_of_[pair] == wanted ? exchange : wanted);
}

void EdgeColouring::balance() {
  for (uint32_t round = 0; round < 4 * colour_count_; ++round) {
    const auto small = std::min_element(size_.begin(), size_.end());
    const auto large = std::max_element(size_.begin(), size_.end());
    if (*large - *small <= std::max(2u, *large / 16)) return;
    even_out(static_cast<uint32_t>(large - size_.begin()), static_cast<uint32_t>(small - size_.begin()));
  }
}

// Swaps chains that begin and end with a pair of the large colour until the sizes of both colours are even.
void EdgeColouring::even_out(uint32_t large, uint32_t small) {
  for (uint32_t p = 0; p < particle_count_ && size_[large] > size_[small] + 1; ++p) {
    const bool is_end = pair_at(p, large) != no_index && pair_at(p, small) == no_index;
    if (!is_end) continue;
    const bool ends = collect_chain(p, large, small, no_index, max_chain);
    if (ends && chain_.size() % 2 == 1) flip_chain(large, small);
  }
}

}  // namespace clothc::cook
