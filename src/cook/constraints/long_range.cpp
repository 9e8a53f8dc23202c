// long_range.cpp - owns the search for long-range pairs: it walks along the lines of quads from every particle.
#include "cook/constraints/long_range.h"

#include <algorithm>

#include "cook/fabric_data.h"
#include "cook/geometry.h"

namespace clothc::cook {
namespace {

class Walk {
 public:
  Walk(const EdgeList& edges, const Strips& strips, const std::vector<float>& positions,
       const std::vector<bool>& is_soft)
      : edges_(edges), strips_(strips), positions_(positions), is_soft_(is_soft) {}

  // Walks edge_count edges from a particle, along an edge and those that continue it and are continued by it in turn.
  // Returns false if the line ends earlier or meets a soft particle.
  bool go(uint32_t start, uint32_t edge, uint32_t edge_count, LongRangePair& pair) const {
    if (soft(start)) return false;
    uint32_t at = start;
    double length = 0;
    for (uint32_t passed = 0; true;) {
      length += distance(positions_, edges_.pairs[edge].first, edges_.pairs[edge].second);
      at = edges_.pairs[edge].other(at);
      if (soft(at)) return false;
      if (++passed == edge_count) break;
      const uint32_t next = strips_.next(edges_, edge, at);
      if (next == no_index || strips_.next(edges_, next, at) != edge) return false;
      edge = next;
    }
    pair = {{start, at}, std::min(length, double{longest_length})};
    return true;
  }

 private:
  bool soft(uint32_t particle) const { return !is_soft_.empty() && is_soft_[particle]; }

  const EdgeList& edges_;
  const Strips& strips_;
  const std::vector<float>& positions_;
  const std::vector<bool>& is_soft_;
};

}  // namespace

std::vector<LongRangePair> find_long_range_pairs(const EdgeList& edges, const Strips& strips,
                                                 const std::vector<float>& positions, const std::vector<bool>& is_soft,
                                                 uint32_t edge_count) {
  const Walk walk(edges, strips, positions, is_soft);
  std::vector<LongRangePair> found;
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
    for (const uint32_t start : {edges.pairs[e].first, edges.pairs[e].second}) {
      LongRangePair pair;
      // A line is walked from both of its ends, and the two lengths may differ in the last bit. Only the walk from the
      // lower particle counts.
      if (walk.go(start, e, edge_count, pair) && pair.particles.first < pair.particles.second) found.push_back(pair);
    }
  }
  std::sort(found.begin(), found.end(), [](const LongRangePair& a, const LongRangePair& b) {
    return a.particles == b.particles ? a.length < b.length : a.particles < b.particles;
  });
  const auto end = std::unique(found.begin(), found.end(), [](const LongRangePair& a, const LongRangePair& b) {
    return a.particles == b.particles;
  });
  found.erase(end, found.end());
  return found;
}

}  // namespace clothc::cook
