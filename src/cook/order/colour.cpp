// colour.cpp - owns the order of cooked constraints. There are as many main colours as most particles have constraints,
// and they are large and of even size. Constraints that do not fit into them, at unusual particles such as the hub of a
// fan, follow in small colours: if all constraints were spread over the many colours of a hub, none of these would be
// large.
#include "cook/order/colour.h"

#include <algorithm>
#include <cstddef>

#include "cook/order/colour_sequence.h"
#include "cook/order/edge_colouring.h"
#include "cook/order/free_colours.h"
#include "cook/order/neighbourhood.h"

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
  sequence.add(elements_of(pairs), colour_pairs(pairs, particle_count));
  pairs = sequence.take();
}

}  // namespace clothc::cook
