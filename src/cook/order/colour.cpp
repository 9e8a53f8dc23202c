// colour.cpp - owns the order of cooked constraints. There are as many main colours as most particles have constraints.
// Constraints that do not fit into them, at unusual particles such as the hub of a fan, follow in small colours: if all
// constraints were spread over the many colours of a hub, none of these would be large.
// Long constraints have early main colours and short ones late ones. What is solved later is satisfied better, and an
// error of a millimetre stretches a short edge most. Irregular triangles stretch by 10 to 25 % less than with colours of
// even size, in which lengths play no part. Where all lengths are about the same, the main colours have even sizes.
#include "cook/order/colour.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "cook/geometry.h"
#include "cook/order/colour_sequence.h"
#include "cook/order/edge_colouring.h"
#include "cook/order/free_colours.h"
#include "cook/order/neighbourhood.h"

namespace clothc::cook {
namespace {

constexpr uint32_t max_main_colours = 16;
constexpr uint32_t max_sweeps = 4;
// From one class of lengths to the next they shrink by a factor of 2^(1/4); all that are shorter are in the last class.
constexpr uint32_t length_class_count = 32;

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

// Returns the class of each pair's length, 0 for that of the longest one. The limits between classes are chosen so that
// lengths whose ratio is a root of two, as that of diagonals and edges, are in the middle of their classes: rounding does
// not divide these.
std::vector<uint32_t> classify_lengths(const std::vector<Pair>& pairs, const std::vector<float>& positions) {
  std::vector<double> lengths;
  lengths.reserve(pairs.size());
  for (const Pair pair : pairs) lengths.push_back(distance(positions, pair.first, pair.second));
  constexpr double class_ratio = 0.84089641525371454;
  double limits[length_class_count - 1];
  double limit =
      std::accumulate(lengths.begin(), lengths.end(), 0.0, [](double a, double b) { return std::max(a, b); });
  limit *= 0.91700404320467121;  // the square root of class_ratio
  for (double& one : limits) {
    one = limit;
    limit *= class_ratio;
  }
  std::vector<uint32_t> classes;
  classes.reserve(pairs.size());
  for (const double length : lengths) {
    const double* const found = std::upper_bound(std::begin(limits), std::end(limits), length, std::greater<>());
    classes.push_back(static_cast<uint32_t>(found - limits));
  }
  return classes;
}

// Sorts the order by class, and keeps it within each class.
void sort_by_class(const std::vector<uint32_t>& classes, std::vector<uint32_t>& order) {
  std::vector<std::pair<uint32_t, uint32_t>> places;
  places.reserve(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) places.push_back({classes[order[i]], i});
  std::sort(places.begin(), places.end());
  std::vector<uint32_t> sorted;
  sorted.reserve(order.size());
  for (const auto& place : places) sorted.push_back(order[place.second]);
  order = std::move(sorted);
}

}  // namespace

std::vector<uint32_t> colour_pairs(const std::vector<Pair>& pairs, const std::vector<float>& positions) {
  const uint32_t particle_count = static_cast<uint32_t>(positions.size() / 4);
  const std::vector<uint32_t> classes = classify_lengths(pairs, positions);
  const bool are_alike = std::all_of(classes.begin(), classes.end(), [](uint32_t one) { return one == 0; });
  std::vector<uint32_t> order = order_by_neighbourhood(pairs, particle_count);
  if (!are_alike) sort_by_class(classes, order);
  const uint32_t main_count = count_main_colours(pairs, particle_count);
  EdgeColouring colouring(pairs, particle_count, main_count);
  std::vector<uint32_t>& rest = order;
  // Later sweeps may succeed, because chains that were swapped in the meantime have changed the colours around a
  // pair.
  for (uint32_t sweep = 0; sweep < max_sweeps && !rest.empty(); ++sweep) {
    rest.erase(std::remove_if(rest.begin(), rest.end(), [&](uint32_t i) { return colouring.colour(i); }), rest.end());
  }
  if (are_alike) colouring.balance();
  std::vector<uint32_t> colours(pairs.size());
  for (uint32_t i = 0; i < pairs.size(); ++i) colours[i] = colouring.colour_of(i);
  FreeColours small(rest.empty() ? 0 : particle_count, rest.size() * 2);
  for (const uint32_t i : rest) {
    const uint32_t ends[2] = {pairs[i].first, pairs[i].second};
    colours[i] = main_count + small.take(ends, 2);
  }
  return colours;
}

void order_by_colour(std::vector<Pair>& pairs, const std::vector<float>& positions) {
  ColourSequence sequence(pairs, static_cast<uint32_t>(positions.size() / 4));
  sequence.add(elements_of(pairs), colour_pairs(pairs, positions));
  pairs = sequence.take();
}

}  // namespace clothc::cook
