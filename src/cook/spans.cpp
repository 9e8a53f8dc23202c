// spans.cpp - walks along lines of quads from every particle.
#include "cook/spans.h"

#include <algorithm>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

// m; what fabrics may hold. No two particles are as far from each other.
constexpr double longest_span = 4e9;

class Walk {
 public:
  Walk(const EdgeList& edges, const Strips& strips, const std::vector<float>& positions,
       const std::vector<bool>& is_soft)
      : edges_(edges), strips_(strips), positions_(positions), is_soft_(is_soft) {}

  // From a particle along an edge and those that continue it both ways; false where the line ends before.
  bool go(uint32_t start, uint32_t edge, uint32_t edge_count, Span& span) const {
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
    span = {{start, at}, std::min(length, longest_span)};
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

std::vector<Span> find_spans(const EdgeList& edges, const Strips& strips, const std::vector<float>& positions,
                             const std::vector<bool>& is_soft, uint32_t edge_count) {
  const Walk walk(edges, strips, positions, is_soft);
  std::vector<Span> spans;
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
    for (const uint32_t start : {edges.pairs[e].first, edges.pairs[e].second}) {
      Span span;
      // A line is walked from both of its ends; lengths that differ in the last bit are to come from one of them.
      if (walk.go(start, e, edge_count, span) && span.pair.first < span.pair.second) spans.push_back(span);
    }
  }
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.pair == b.pair ? a.length < b.length : a.pair < b.pair; });
  const auto end =
      std::unique(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.pair == b.pair; });
  spans.erase(end, spans.end());
  return spans;
}

}  // namespace clothc::cook
