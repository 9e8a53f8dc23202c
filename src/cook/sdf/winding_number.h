// winding_number.h - computes winding numbers: how many times a surface goes around a point.
#pragma once

#include <vector>

#include "cook/sdf/bvh.h"

namespace clothc::cook {

class WindingNumber {
 public:
  // The BVH must outlive this object. accuracy: a group of triangles is approximated as a whole at points that are
  // more than this many of its radii away from it. Greater values are more accurate but evaluate more triangles one by
  // one.
  explicit WindingNumber(const Bvh& bvh, double accuracy = 3);

  // Returns the winding number: 1 inside a closed surface that faces outward, 0 outside, and the sum where several
  // surfaces overlap. Across a hole it changes from 1 to 0 gradually, and is 1/2 in the middle.
  double at(Vector point) const;

 private:
  // Approximation of a group of triangles at distant points. Integrals are over the area of the group, divided by 4 pi.
  struct Group {
    // Centre of area.
    Vector centre;
    // Squared distance from the centre up to which the approximation is not used.
    double squared_reach;
    // Integral of the normal n.
    Vector normal;
    // Integral of n (x - centre)^T, symmetric part: the diagonal, and twice the elements off the diagonal.
    double xx, yy, zz;
    double xy, yz, zx;
  };

  static Group sum_up(const Bvh& bvh, const BvhNode& node, double accuracy);
  static double from_afar(const Group& group, Vector to_group);

  const Bvh& bvh_;
  // [nodes] of the BVH.
  std::vector<Group> groups_;
};

}  // namespace clothc::cook
