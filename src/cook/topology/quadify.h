// quadify.h - finds the quads that a triangulated mesh was made from, or could have been.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

struct Quadified {
  std::vector<Face> faces;   // in the order of the faces given; a merged quad in the place of its first triangle
  std::vector<bool> merged;  // [edges] the edge has become a diagonal
  uint32_t merged_count = 0;
};

// Merges pairs of triangles that make a good quad, the best ones first. Every face is merged at most once.
Quadified merge_triangles(const std::vector<Face>& faces, const EdgeList& edges, const std::vector<float>& positions);

}  // namespace clothc::cook
