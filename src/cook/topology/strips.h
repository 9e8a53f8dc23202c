// strips.h - finds the lines that the edges of quads form: for both ends of each edge, the edge that continues it
// there.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/fabric_data.h"

namespace clothc::cook {

struct Strips {
  // [edges][2] the edge that continues each edge past its first and its second particle, or no_index.
  std::vector<uint32_t> continuations;

  // Returns the edge that continues the given edge past one of its particles, or no_index. The relation is not always
  // symmetric: the returned edge may be continued by another edge, or by none.
  uint32_t next(const EdgeList& edges, uint32_t edge, uint32_t particle) const {
    return continuations[edge * size_t{2} + (edges.pairs[edge].second == particle)];
  }
};

// An edge that ends at a particle is continued by the straightest of those edges there that share no face with it; at a
// regular particle that is the opposite edge. Where edges with more than two faces meet at a particle, only these edges
// are continued there, and only by each other, since such an edge has no unique other side. positions: [particles][4].
Strips find_strips(const std::vector<Face>& faces, const EdgeList& edges, const std::vector<float>& positions);

}  // namespace clothc::cook
