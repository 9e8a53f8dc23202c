// signed_distance.h - how far the nodes of a grid are from the surface of a mesh, and on which side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

// Node (i, j, k) is at origin + spacing (i, j, k) and has index (k * counts[1] + j) * counts[0] + i.
struct DistanceGrid {
  uint32_t counts[3];  // nodes along x, y, z, each >= 2
  float origin[3];     // m, node (0, 0, 0)
  float spacing;       // m, > 0
};

// The grid over the mesh's box grown by padding (m, >= 0) on each side, with longest_side (>= 2) nodes along its longest
// axis and as few as cover it along the others, centred. A mesh without extent, and without padding, gets spacing 1.
// vertices: [vertex_count][3].
DistanceGrid grid_around(const float* vertices, size_t vertex_count, uint32_t longest_side, float padding);

// Returns per node the distance (m) to the nearest triangle, negative inside, and FLT_MAX if no triangle has three
// positions. Input is trusted: finite numbers, indices in range, valid grid. Triangles may wind either way, be flat,
// missing, duplicate or overlap; what is inside then is in docs/cooking.md.
// vertices: [vertex_count][3]. triangles: [triangle_count][3].
std::vector<float> cook_signed_distance(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                        size_t triangle_count, const DistanceGrid& grid);

}  // namespace clothc::cook
