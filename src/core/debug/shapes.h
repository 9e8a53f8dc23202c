// shapes.h - draws the shapes of a collider set where the next update begins, in the coordinates of the set.
#pragma once

#include "core/collision/collider_set.h"
#include "core/debug/cloth_view.h"
#include "core/debug/line_list.h"

namespace clothc {

// Which shapes of a set are drawn.
enum class DrawnShapes : uint8_t { all, only_planes };

// near: the particles near which planes are drawn, with a radius above 0.
void draw_colliders(const ColliderSet& set, DrawnShapes drawn, const Ball& near, LineList& lines);

// The kinds of shapes, in this order. Defined in rounded.cpp, convexes.cpp, and meshes.cpp.

// A capsule is drawn as the two circles at which its cone touches its spheres, eight lines between them, and half
// circles around both ends. Spheres that are ends of such capsules are not drawn on their own.
void draw_spheres_and_capsules(const ColliderSet& set, LineList& lines);
// Draws the edges of the convexes, and squares of planes without edges.
void draw_convexes(const ColliderSet& set, DrawnShapes drawn, const Ball& near, LineList& lines);
void draw_ellipsoids(const ColliderSet& set, LineList& lines);
void draw_boxes(const ColliderSet& set, LineList& lines);
// Draws each edge of the set's triangles and of its instances of meshes once, and the grids of its instances of SDFs.
void draw_triangles(const ColliderSet& set, LineList& lines);
void draw_instances(const ColliderSet& set, LineList& lines);

// Adds the twelve edges of the box of the points placement(x, y, z) with each coordinate between those of the corners.
void add_box(const Placement& placement, Vector least, Vector most, LineList& lines);

}  // namespace clothc
