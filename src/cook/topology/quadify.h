// quadify.h - merges pairs of triangles into the quads that a triangulated mesh was made from, or could have been.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

struct Quadified {
  // In the order of the given faces. A merged quad takes the position of its first triangle.
  std::vector<Face> faces;
  // [edges] whether the edge has become the diagonal of a quad.
  std::vector<bool> merged;
  uint32_t merged_count = 0;
};

// Merges pairs of triangles that make a good quad, in order of decreasing quality. Every face is merged at most once.
Quadified merge_triangles(const std::vector<Face>& faces, const EdgeList& edges, const std::vector<float>& positions);

}  // namespace clothc::cook
