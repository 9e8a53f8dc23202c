// bounding_tree.h - a binary tree of boxes over triangles in space.
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

struct BoundingNode {
  BoundingBox box;
  uint32_t begin, end;  // its triangles
  uint32_t right;       // 0 = a leaf; the left child follows its parent

  bool is_leaf() const { return right == 0; }
};

struct BoundingTree {
  std::vector<Triangle> triangles;  // those of a node are together
  std::vector<BoundingNode> nodes;  // parents before children, the root first; none without triangles

  static constexpr uint32_t greatest_depth = 32;  // of 2^32 triangles, halved at every node
};

// corners: [triangles][3].
BoundingTree build_bounding_tree(const std::vector<Vector>& corners);

}  // namespace clothc::cook
