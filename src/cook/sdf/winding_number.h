// winding_number.h - how many times a surface goes around a point.
#pragma once

#include <vector>

#include "cook/sdf/bounding_tree.h"

namespace clothc::cook {

class WindingNumber {
 public:
  // The tree outlives this. The greater the accuracy, the more triangles count one by one: groups of them are summed up
  // at points more than this many of their radii away.
  explicit WindingNumber(const BoundingTree& tree, double accuracy = 3);

  // Inside a closed surface that faces outward 1, outside 0, and around several their sum; across a hole it goes from one
  // to the other, 1/2 in its midst.
  double at(Vector point) const;

 private:
  // A group of triangles as it looks from afar: integrals over them, divided by 4 pi.
  struct Group {
    Vector centre;         // of area
    double squared_reach;  // nearer than that, look at its parts
    Vector normal;         // of the normal n
    double xx, yy, zz;     // of n (x - centre)^T, symmetric part
    double xy, yz, zx;     // twice
  };

  static Group sum_up(const BoundingTree& tree, const BoundingNode& node, double accuracy);
  static double from_afar(const Group& group, Vector to_group);

  const BoundingTree& tree_;
  std::vector<Group> groups_;  // [nodes]
};

}  // namespace clothc::cook
