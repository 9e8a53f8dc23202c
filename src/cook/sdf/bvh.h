// bvh.h - a binary bounding volume hierarchy (BVH) of axis-aligned boxes over triangles in space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/geometry.h"

namespace clothc::cook {

struct Triangle {
  Vector corner[3];
};

struct BoundingBox {
  Vector low, high;

  bool contains(Vector point) const {
    return point.x >= low.x && point.y >= low.y && point.z >= low.z && point.x <= high.x && point.y <= high.y &&
           point.z <= high.z;
  }
};

struct BvhNode {
  BoundingBox box;
  // Range of the triangles of the node in Bvh::triangles.
  uint32_t begin, end;
  // Index of the right child, or 0 if the node is a leaf. The left child follows its parent directly.
  uint32_t right;

  bool is_leaf() const { return right == 0; }
};

struct Bvh {
  // Sorted so that the triangles of every node are contiguous.
  std::vector<Triangle> triangles;
  // The root is first, and parents come before their children. Empty if there are no triangles.
  std::vector<BvhNode> nodes;

  // Upper bound on the depth: up to 2^32 triangles are halved at every node.
  static constexpr uint32_t greatest_depth = 32;
};

// corners: [triangles][3].
Bvh build_bvh(const std::vector<Vector>& corners);

}  // namespace clothc::cook
