// shapes.cpp - the order of the shapes of a set, and boxes.
#include "core/debug/shapes.h"

namespace clothc {

void draw_colliders(const ColliderSet& set, DrawnShapes drawn, const Ball& near, LineList& lines) {
  const bool all = drawn == DrawnShapes::all;
  if (all) draw_spheres_and_capsules(set, lines);
  draw_convexes(set, drawn, near, lines);
  if (!all) return;
  draw_ellipsoids(set, lines);
  draw_boxes(set, lines);
  draw_triangles(set, lines);
  draw_instances(set, lines);
}

void draw_boxes(const ColliderSet& set, LineList& lines) {
  const std::vector<float>& boxes = set.shapes[ColliderSet::boxes].starts;
  for (size_t k = 0; k < boxes.size(); k += ColliderSet::widths[ColliderSet::boxes]) {
    const Vector half_sides = vector_at(&boxes[k + 7]);
    add_box(Placement(&boxes[k], &boxes[k + 3]), -1 * half_sides, half_sides, lines);
  }
}

void add_box(const Placement& placement, Vector least, Vector most, LineList& lines) {
  const auto corner = [&](size_t bits) {
    return placement(
        {(bits & 1) != 0 ? most.x : least.x, (bits & 2) != 0 ? most.y : least.y, (bits & 4) != 0 ? most.z : least.z});
  };
  for (const size_t along : {size_t{1}, size_t{2}, size_t{4}}) {
    for (size_t bits = 0; bits < 8; ++bits) {
      if ((bits & along) == 0) lines.add(corner(bits), corner(bits | along), colour_of_colliders);
    }
  }
}

}  // namespace clothc
