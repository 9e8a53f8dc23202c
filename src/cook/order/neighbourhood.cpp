// neighbourhood.cpp - owns the breadth-first order of pairs. Greedy colouring along a moving front leaves few conflicts
// to repair. In the order of a badly numbered mesh it would leave many, and repairing them would take most of the
// cooking time.
// Source: Cuthill and McKee 1969, "Reducing the bandwidth of sparse symmetric matrices".
#include "cook/order/neighbourhood.h"

#include <algorithm>
#include <utility>

#include "cook/topology/incidence.h"

namespace clothc::cook {

std::vector<uint32_t> order_by_neighbourhood(const std::vector<Pair>& pairs, uint32_t particle_count) {
  const Incidence incidence =
      find_incidence(particle_count, static_cast<uint32_t>(pairs.size()), 2,
                     [&](uint32_t i, uint32_t end) { return end == 0 ? pairs[i].first : pairs[i].second; });
  std::vector<uint32_t> rank(particle_count, no_index);
  std::vector<uint32_t> queue, order;
  queue.reserve(particle_count);
  order.reserve(pairs.size());
  // For each pair that leads on from a particle, the rank of its other particle and the index of the pair.
  std::vector<std::pair<uint32_t, uint32_t>> onward;
  const auto visit = [&](uint32_t particle) {
    if (rank[particle] != no_index) return;
    rank[particle] = static_cast<uint32_t>(queue.size());
    queue.push_back(particle);
  };
  for (uint32_t start = 0; start < particle_count; ++start) {
    uint32_t next = static_cast<uint32_t>(queue.size());
    visit(start);
    for (; next < queue.size(); ++next) {
      const uint32_t p = queue[next];
      onward.clear();
      for (uint32_t i = incidence.begin[p]; i < incidence.begin[p + 1]; ++i) {
        const uint32_t other = pairs[incidence.item[i]].other(p);
        visit(other);
        if (rank[other] > next) onward.push_back({rank[other], incidence.item[i]});
      }
      std::sort(onward.begin(), onward.end());
      for (const auto& pair : onward) order.push_back(pair.second);
    }
  }
  return order;
}

}  // namespace clothc::cook
