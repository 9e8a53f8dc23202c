// convexes.cpp - draws planes and convexes, which are intersections of half-spaces. Each plane's face is a large square
// that the other planes clip one after the other (Sutherland and Hodgman 1974, Reentrant Polygon Clipping); the edges
// of the faces are those of the convex. Coordinates are relative to the centre of the cloth, near which a convex that
// has no end is drawn.
#include <algorithm>

#include "core/debug/circles.h"
#include "core/debug/shapes.h"

namespace clothc {
namespace {

// A point p is inside if dot(normal, p) + distance is below 0.
struct HalfSpace {
  Vector normal;
  double distance;
  double height_of(Vector point) const { return dot(normal, point) + distance; }
};

// A corner of a face, and the plane along which the edge to the next corner runs.
struct FaceCorner {
  Vector at;
  uint32_t plane;
};
using Face = std::vector<FaceCorner>;
// In place of a plane: the side of the large square, where the face has no end.
constexpr uint32_t no_plane = UINT32_MAX;

// Half the side of the large square, in multiples of the greatest distance of a plane or of the cloth's radius.
constexpr double face_reach = 1e4;
// Corners that are above a plane by less than this multiple of the same length count as being in the plane.
constexpr double plane_slack = 1e-9;

// Two vectors of length 1 that span a plane.
struct PlaneAxes {
  explicit PlaneAxes(Vector normal) : u(perpendicular_to(normal)), v(cross(normal, u)) {}
  Vector u, v;
};

// Where the edge from a to b, whose heights above a plane have different signs, goes through the plane.
Vector crossing_of(Vector a, Vector b, double height_a, double height_b) {
  const double part = std::clamp(height_a / (height_a - height_b), 0.0, 1.0);
  return a + part * (b - a);
}

Face clipped_face(const Face& face, const HalfSpace& space, uint32_t plane, double slack) {
  Face rest;
  for (size_t k = 0; k < face.size(); ++k) {
    const FaceCorner &corner = face[k], &next = face[(k + 1) % face.size()];
    const double height = space.height_of(corner.at), next_height = space.height_of(next.at);
    const bool is_inside = height <= slack, next_is_inside = next_height <= slack;
    if (is_inside) rest.push_back(corner);
    if (is_inside != next_is_inside)
      rest.push_back({crossing_of(corner.at, next.at, height, next_height), is_inside ? plane : corner.plane});
  }
  return rest;
}

class ConvexDrawing {
 public:
  // near: a ball with a radius above 0.
  ConvexDrawing(std::vector<HalfSpace> spaces, const Ball& near, LineList& lines)
      : spaces_(std::move(spaces)), near_(near), lines_(lines) {
    largest_ = near.radius;
    for (HalfSpace& space : spaces_) {
      space.distance = space.height_of(near.centre);
      largest_ = std::max(largest_, std::fabs(space.distance));
    }
  }

  void draw() const {
    for (uint32_t plane = 0; plane < spaces_.size(); ++plane) {
      const Face face = face_of(plane);
      if (face.empty()) continue;
      const bool has_edge =
          std::any_of(face.begin(), face.end(), [](const FaceCorner& c) { return c.plane != no_plane; });
      has_edge ? draw_edges_of(face, plane) : draw_patch(spaces_[plane]);
    }
  }

 private:
  Face face_of(uint32_t plane) const {
    const HalfSpace& space = spaces_[plane];
    const PlaneAxes axes(space.normal);
    const Vector middle = -space.distance * space.normal;
    const Vector u = (face_reach * largest_) * axes.u, v = (face_reach * largest_) * axes.v;
    Face face;
    for (const Vector corner : {u + v, v - u, -1 * (u + v), u - v}) face.push_back({middle + corner, no_plane});
    for (uint32_t other = 0; other < spaces_.size() && !face.empty(); ++other) {
      if (other != plane) face = clipped_face(face, spaces_[other], other, plane_slack * largest_);
    }
    return face;
  }

  // Draws the edges with planes further on in the list; the faces of planes before have drawn the others.
  void draw_edges_of(const Face& face, uint32_t plane) const {
    for (size_t k = 0; k < face.size(); ++k) {
      const FaceCorner &before = face[(k + face.size() - 1) % face.size()], &corner = face[k];
      const FaceCorner& next = face[(k + 1) % face.size()];
      if (corner.plane == no_plane || corner.plane < plane) continue;
      draw_edge(corner.at, next.at, before.plane != no_plane, next.plane != no_plane);
    }
  }

  // An edge without a corner at one end is as long as the radius of the ball; one without corners is twice as long,
  // around the point that is nearest to the centre.
  void draw_edge(Vector from, Vector to, bool has_begin, bool has_end) const {
    const Vector edge = to - from;
    if (length(edge) <= plane_slack * largest_) return;
    const Vector along = near_.radius * unit_of(edge);
    if (!has_begin && !has_end) {
      const Vector nearest = from - (dot(from, edge) / dot(edge, edge)) * edge;
      return add(nearest - along, nearest + along);
    }
    add(has_begin ? from : to - along, has_end ? to : from + along);
  }

  // Draws a square around the point that is nearest to the centre, in 4 x 4 cells, and the normal of the plane.
  void draw_patch(const HalfSpace& space) const {
    constexpr int cells = 4;
    const PlaneAxes axes(space.normal);
    const Vector middle = -space.distance * space.normal;
    const Vector u = near_.radius * axes.u, v = near_.radius * axes.v;
    for (int k = 0; k <= cells; ++k) {
      const double part = 2.0 * k / cells - 1;
      add(middle + part * u - v, middle + part * u + v);
      add(middle + part * v - u, middle + part * v + u);
    }
    add(middle, middle + (near_.radius / 2) * space.normal);
  }

  void add(Vector from, Vector to) const { lines_.add(near_.centre + from, near_.centre + to, colour_of_colliders); }

  std::vector<HalfSpace> spaces_;
  const Ball near_;
  double largest_;
  LineList& lines_;
};

}  // namespace

void draw_convexes(const ColliderSet& set, DrawnShapes drawn, const Ball& near, LineList& lines) {
  const std::vector<float>& planes = set.shapes[ColliderSet::planes].starts;
  uint32_t begin = 0;
  for (const uint32_t end : set.convex_ends) {
    std::vector<HalfSpace> spaces;
    for (uint32_t k = begin; k < end; ++k) {
      const float* plane = &planes[size_t{set.convex_planes[k]} * 4];
      const Vector normal = vector_at(plane);
      const double inverse = 1 / length(normal);
      spaces.push_back({inverse * normal, inverse * double{plane[3]}});
    }
    begin = end;
    if (drawn == DrawnShapes::all || spaces.size() == 1) ConvexDrawing(std::move(spaces), near, lines).draw();
  }
}

}  // namespace clothc
