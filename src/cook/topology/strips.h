// strips.h - the lines that the edges of quads form: which edge goes on where another one ends.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/fabric_data.h"

namespace clothc::cook {

struct Strips {
  std::vector<uint32_t> continuations;  // [edges][2] at each edge's first and second particle, or no_index

  // The edge that continues one past a particle of it, or no_index. Not always continued by it in turn.
  uint32_t next(const EdgeList& edges, uint32_t edge, uint32_t particle) const {
    return continuations[edge * size_t{2} + (edges.pairs[edge].second == particle)];
  }
};

// An edge at a particle is continued by the straightest of the edges there that share no face with it, which on a regular
// particle is the opposite one. An edge of more than two faces has no other side: past it only the line of such edges
// goes on.
Strips find_strips(const std::vector<Face>& faces, const EdgeList& edges, const std::vector<float>& positions);

}  // namespace clothc::cook
