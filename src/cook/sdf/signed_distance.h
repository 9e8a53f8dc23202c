// signed_distance.h - cooks a signed distance field (SDF): the distance of every node of a grid from the surface of a
// mesh, negative inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

// Node (i, j, k) is at origin + spacing (i, j, k) and has index (k * counts[1] + j) * counts[0] + i.
struct DistanceGrid {
  // Number of nodes along x, y and z, each >= 2.
  uint32_t counts[3];
  // Position of node (0, 0, 0), in m.
  float origin[3];
  // In m, > 0.
  float spacing;
};

// Returns a grid that covers the box around the mesh, grown by padding (m, >= 0) on each side. It has longest_side (>=
// 2) nodes along the longest axis of the box and as few as cover the box along the other axes, and is centred on the
// box. If the box has no extent and padding is 0, the spacing is 1 m. vertices: [vertex_count][3].
DistanceGrid grid_around(const float* vertices, size_t vertex_count, uint32_t longest_side, float padding);

// Returns whether a triangle has three different positions, so that there is something to be distant from.
// triangles: [triangle_count][3], or null if they are 0 1 2, 3 4 5 and so on.
bool has_surface(const float* vertices, const uint32_t* triangles, size_t triangle_count);

// Returns for each node the distance in m to the nearest triangle, negative inside, or FLT_MAX if there is no triangle
// with three different positions. The input is trusted: numbers are finite, indices in range, and the grid is valid.
// Triangles may wind either way, be flat, missing or duplicate, or overlap; docs/cooking.md says what counts as inside
// then.
// vertices: [vertex_count][3]. triangles: [triangle_count][3].
std::vector<float> cook_signed_distance(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                        size_t triangle_count, const DistanceGrid& grid);

}  // namespace clothc::cook
