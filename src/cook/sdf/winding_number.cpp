// winding_number.cpp - owns winding numbers, w(q) = 1/(4 pi) integral of n.(x - q)/|x - q|^3 over the surface. Near
// triangles count by their solid angles, distant groups of triangles by two terms of a series. Only + - * / and sqrt
// are used, so that every machine gives the same bits: angles are added by multiplying complex numbers, and the one
// arctangent that is left is computed here.
// Sources: Jacobson, Kavan, Sorkine-Hornung 2013, "Robust inside-outside segmentation using generalized winding
// numbers"; Barill, Dickson, Schmidt, Levin, Jacobson 2018, "Fast winding numbers for soups and clouds" (far groups,
// eq. 15-17); Van Oosterom and Strackee 1983, "The solid angle of a plane triangle", eq. 8.
#include "cook/sdf/winding_number.h"

#include <algorithm>
#include <cmath>

namespace clothc::cook {
namespace {

constexpr double pi = 3.14159265358979323846;

// Returns the angle of (x, y) in turns, -1/2 .. 1/2. The vector (x + |(x, y)|, y) has half the angle of (x, y). Halving
// a right angle three times gives pi/16, where the error of the five terms of Gregory's series below is less than 2e-9.
double angle_of(double x, double y) {
  if (x < 0) return (y < 0 ? -0.5 : 0.5) - angle_of(-x, y);
  for (int halving = 0; halving < 3; ++halving) x += std::sqrt(x * x + y * y);
  const double t = x > 0 ? y / x : 0, s = t * t;
  return 8 / (2 * pi) * t * (1 - s * (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s * (1.0 / 9)))));
}

// A sum of angles, each in -1/2 .. 1/2 turns.
class AngleSum {
 public:
  // Adds the angle of (x, y). If the sum passes half a turn, it is on the other side of the x axis although both
  // summands were on the same side.
  void add(double x, double y) {
    const double size = std::sqrt(x * x + y * y);
    if (!(size > 0)) return;
    const double x_sum = (x_ * x - y_ * y) / size, y_sum = (x_ * y + y_ * x) / size;
    if (y_ >= 0 && y >= 0 && y_sum < 0) turns_ += 1;
    if (y_ < 0 && y < 0 && y_sum >= 0) turns_ -= 1;
    x_ = x_sum;
    y_ = y_sum;
  }

  double turns() const { return turns_ + angle_of(x_, y_); }

 private:
  double x_ = 1, y_ = 0;
  double turns_ = 0;
};

// Adds half the solid angle of the triangle. The whole sphere is 4 pi, so half the solid angle in turns is its fraction
// of the whole sphere. The angle follows from
//   tan(angle / 2) = a.(b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|).
void add_solid_angle(Vector point, const Triangle& triangle, AngleSum& sum) {
  const Vector a = triangle.corner[0] - point, b = triangle.corner[1] - point, c = triangle.corner[2] - point;
  const double a_size = length(a), b_size = length(b), c_size = length(c);
  sum.add(a_size * b_size * c_size + dot(a, b) * c_size + dot(b, c) * a_size + dot(c, a) * b_size, dot(a, cross(b, c)));
}

}  // namespace

WindingNumber::WindingNumber(const Bvh& bvh, double accuracy) : bvh_(bvh) {
  groups_.reserve(bvh.nodes.size());
  for (const BvhNode& node : bvh.nodes) groups_.push_back(sum_up(bvh, node, accuracy));
}

WindingNumber::Group WindingNumber::sum_up(const Bvh& bvh, const BvhNode& node, double accuracy) {
  double area = 0;
  Vector weighted = {0, 0, 0};
  for (uint32_t t = node.begin; t < node.end; ++t) {
    const Vector* c = bvh.triangles[t].corner;
    const double part = length(cross(c[1] - c[0], c[2] - c[0]));
    area += part;
    weighted = weighted + (part / 3) * (c[0] + c[1] + c[2]);
  }
  Group group = {};
  group.centre = area > 0 ? (1 / area) * weighted : bvh.triangles[node.begin].corner[0];
  double squared_radius = 0;
  for (uint32_t t = node.begin; t < node.end; ++t) {
    const Vector* c = bvh.triangles[t].corner;
    const Vector n = (1 / (8 * pi)) * cross(c[1] - c[0], c[2] - c[0]);
    const Vector x = (1.0 / 3) * (c[0] + c[1] + c[2]) - group.centre;
    group.normal = group.normal + n;
    group.xx += n.x * x.x;
    group.yy += n.y * x.y;
    group.zz += n.z * x.z;
    group.xy += n.x * x.y + n.y * x.x;
    group.yz += n.y * x.z + n.z * x.y;
    group.zx += n.z * x.x + n.x * x.z;
    for (size_t i = 0; i < 3; ++i) {
      const Vector corner = c[i] - group.centre;
      squared_radius = std::max(squared_radius, dot(corner, corner));
    }
  }
  group.squared_reach = accuracy * accuracy * squared_radius;
  return group;
}

// The approximation uses (r + y)/|r + y|^3 = r/|r|^3 + (y - 3 r (r.y)/|r|^2)/|r|^3 + ..., with r from the point to the
// centre of the group and y from there to a point of the group.
double WindingNumber::from_afar(const Group& g, Vector r) {
  const double squared = dot(r, r);
  const double trace = g.xx + g.yy + g.zz;
  const double along =
      r.x * r.x * g.xx + r.y * r.y * g.yy + r.z * r.z * g.zz + r.x * r.y * g.xy + r.y * r.z * g.yz + r.z * r.x * g.zx;
  return (dot(g.normal, r) + trace - 3 * along / squared) / (squared * std::sqrt(squared));
}

double WindingNumber::at(Vector point) const {
  uint32_t stack[Bvh::greatest_depth + 1];
  uint32_t size = 0;
  double far = 0;
  AngleSum near;
  if (!groups_.empty()) stack[size++] = 0;
  while (size > 0) {
    const uint32_t at = stack[--size];
    const Vector to_group = groups_[at].centre - point;
    const BvhNode& node = bvh_.nodes[at];
    if (dot(to_group, to_group) > groups_[at].squared_reach) {
      far += from_afar(groups_[at], to_group);
    } else if (!node.is_leaf()) {
      stack[size++] = node.right;
      stack[size++] = at + 1;
    } else {
      for (uint32_t t = node.begin; t < node.end; ++t) add_solid_angle(point, bvh_.triangles[t], near);
    }
  }
  return near.turns() + far;
}

}  // namespace clothc::cook
