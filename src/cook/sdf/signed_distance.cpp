// signed_distance.cpp - owns the grid: the positions of its nodes and their signed distances. Distances are exact
// except for rounding. A node is inside if its winding number is above 1/2. The error of that number only matters where
// the true number is near 1/2: on the surface, where the distance is 0 anyway, and in a hole.
#include "cook/sdf/signed_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cook/sdf/bvh.h"
#include "cook/sdf/nearest_triangle.h"
#include "cook/topology/outward.h"
#include "cook/sdf/winding_number.h"

namespace clothc::cook {
namespace {

double node_at(const DistanceGrid& grid, size_t axis, uint32_t index) {
  return double{grid.origin[axis]} + index * double{grid.spacing};
}

float round_up(double x) {
  const float rounded = static_cast<float>(x);
  return double{rounded} < x ? std::nextafter(rounded, std::numeric_limits<float>::max()) : rounded;
}

}  // namespace

DistanceGrid grid_around(const float* vertices, size_t vertex_count, uint32_t longest_side, float padding) {
  double low[3] = {0, 0, 0}, size[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    double high = low[axis] = vertex_count > 0 ? double{vertices[axis]} : 0;
    for (size_t v = 0; v < vertex_count; ++v) {
      low[axis] = std::min(low[axis], double{vertices[v * 3 + axis]});
      high = std::max(high, double{vertices[v * 3 + axis]});
    }
    low[axis] -= double{padding};
    size[axis] = high + double{padding} - low[axis];
  }
  const uint32_t most = std::max(longest_side, 2u);
  DistanceGrid grid;
  grid.spacing = round_up(std::max(std::max(size[0], size[1]), size[2]) / (most - 1));
  if (!(grid.spacing > 0)) grid.spacing = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double cell_count = std::ceil(size[axis] / double{grid.spacing});
    grid.counts[axis] = std::min(std::max(static_cast<uint32_t>(cell_count) + 1, 2u), most);
    const double surplus = (grid.counts[axis] - 1) * double{grid.spacing} - size[axis];
    grid.origin[axis] = static_cast<float>(low[axis] - 0.5 * surplus);
  }
  return grid;
}

bool has_surface(const float* vertices, const uint32_t* triangles, size_t triangle_count) {
  const auto coincide = [](const float* a, const float* b) { return std::equal(a, a + 3, b); };
  for (size_t k = 0; k < 3 * triangle_count; k += 3) {
    const float* corner[3];
    for (size_t i = 0; i < 3; ++i) corner[i] = vertices + 3 * (triangles == nullptr ? k + i : size_t{triangles[k + i]});
    if (!coincide(corner[0], corner[1]) && !coincide(corner[1], corner[2]) && !coincide(corner[2], corner[0]))
      return true;
  }
  return false;
}

std::vector<float> cook_signed_distance(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                        size_t triangle_count, const DistanceGrid& grid) {
  std::vector<float> distances(size_t{grid.counts[0]} * grid.counts[1] * grid.counts[2],
                               std::numeric_limits<float>::max());
  const Bvh bvh = build_bvh(face_outward(vertices, vertex_count, triangles, triangle_count));
  if (bvh.triangles.empty()) return distances;
  const WindingNumber winding(bvh);
  NearestTriangle nearest(bvh);
  size_t at = 0;
  for (uint32_t k = 0; k < grid.counts[2]; ++k) {
    for (uint32_t j = 0; j < grid.counts[1]; ++j) {
      for (uint32_t i = 0; i < grid.counts[0]; ++i) {
        const Vector node = {node_at(grid, 0, i), node_at(grid, 1, j), node_at(grid, 2, k)};
        const float distance = static_cast<float>(std::sqrt(nearest.squared_distance_to(node)));
        // A node outside the box around the mesh cannot be inside the mesh, and a distance of 0 needs no sign.
        const bool is_inside = distance > 0 && bvh.nodes[0].box.contains(node) && winding.at(node) > 0.5;
        distances[at++] = is_inside ? -distance : distance;
      }
    }
  }
  return distances;
}

}  // namespace clothc::cook
