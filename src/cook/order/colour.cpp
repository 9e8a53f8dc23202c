// colour.cpp - owns the order of cooked constraints. There are as many main colours as most particles have constraints,
// and they are large and of even size. Constraints that do not fit into them, at unusual particles such as the hub of a
// fan, follow in small colours: if all constraints were spread over the many colours of a hub, none of these would be
// large.
#include "cook/order/colour.h"

#include <algorithm>
#include <cstddef>

#include "cook/order/edge_colouring.h"
#include "cook/order/free_colours.h"
#include "cook/order/neighbourhood.h"

namespace clothc::cook {
namespace {

constexpr uint32_t max_main_colours = 16;
constexpr uint32_t max_sweeps = 4;

// Returns the smallest number n such that for nine constraints in ten, neither particle has more than n constraints. It
// is at most max_main_colours.
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
    if (within >= pairs.size() - pairs.size() / 10) return count;
  }
  return max_main_colours;
}

// Moves to the front of each colour a pair that shares a particle with the colour before. A colour without such a pair
// becomes one with the colour before.
void mark_runs(std::vector<Pair>& pairs, const std::vector<size_t>& begin, uint32_t particle_count) {
  std::vector<uint32_t> last_run(particle_count, 0);
  uint32_t run = 1;
  for (size_t c = 0; c + 1 < begin.size(); ++c) {
    const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(begin[c]);
    const auto last = pairs.begin() + static_cast<std::ptrdiff_t>(begin[c + 1]);
    const auto sharing = std::find_if(
        first, last, [&](Pair pair) { return last_run[pair.first] == run || last_run[pair.second] == run; });
    if (sharing != last) {
      std::rotate(first, sharing, sharing + 1);
      ++run;
    }
    for (auto pair = first; pair != last; ++pair) last_run[pair->first] = last_run[pair->second] = run;
  }
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
  const std::vector<uint32_t> colours = colour_pairs(pairs, particle_count);
  uint32_t colour_count = 0;
  for (const uint32_t colour : colours) colour_count = std::max(colour_count, colour + 1);
  std::vector<size_t> begin(size_t{colour_count} + 1, 0);
  for (const uint32_t colour : colours) ++begin[size_t{colour} + 1];
  for (uint32_t c = 0; c < colour_count; ++c) begin[c + 1] += begin[c];
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  std::vector<Pair> ordered_pairs(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) ordered_pairs[next[colours[i]]++] = pairs[i];
  pairs.swap(ordered_pairs);
  mark_runs(pairs, begin, particle_count);
}

}  // namespace clothc::cook
