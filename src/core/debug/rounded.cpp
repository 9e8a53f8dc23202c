// rounded.cpp - draws spheres, capsules and ellipsoids.
#include "core/debug/circles.h"
#include "core/debug/shapes.h"

namespace clothc {
namespace {

// Number of lines along the cone of a capsule.
constexpr uint32_t cone_lines = 8;

struct DrawnSphere {
  Vector centre;
  double radius;
};

DrawnSphere sphere_at(const ColliderSet& set, uint32_t index) {
  const float* sphere = &set.shapes[ColliderSet::spheres].starts[size_t{index} * 4];
  return {vector_at(sphere), double{sphere[3]}};
}

// The cone that is tangent to two spheres. It touches both at the same angle: with s its sine and c its cosine, the
// points centre + radius (s axis + c w) of both spheres, for any w perpendicular to the axis, are on a line of the
// cone.
struct TangentCone {
  TangentCone(const DrawnSphere& a, const DrawnSphere& b) {
    const Vector between = b.centre - a.centre;
    const double square = dot(between, between);
    const double difference = a.radius - b.radius;
    // As in kinds.kernel.h.
    exists = square - difference * difference > 1e-6 * square;
    if (!exists) return;
    const double distance = std::sqrt(square);
    axis = (1 / distance) * between;
    sine = difference / distance;
    cosine = std::sqrt(1 - sine * sine);
  }
  bool exists;
  Vector axis{};
  double sine = 0, cosine = 0;
};

// Draws where the cone touches the sphere, and two half circles around the pole of the sphere that is outside. side: 1
// for the sphere towards which the axis points, -1 for the other one.
void draw_end(const DrawnSphere& sphere, const TangentCone& cone, double side, Vector u, Vector v, LineList& lines) {
  const double touching = sphere.radius * cone.cosine;
  add_ellipse(sphere.centre + (sphere.radius * cone.sine) * cone.axis, touching * u, touching * v, circle_lines,
              colour_of_colliders, lines);
  const Vector pole = (side * sphere.radius) * cone.axis;
  for (const Vector across : {u, -1 * u, v, -1 * v})
    add_arc(sphere.centre, pole, sphere.radius * across, side * cone.sine, cone.cosine, colour_of_colliders, lines);
}

void draw_capsule(const DrawnSphere& a, const DrawnSphere& b, const TangentCone& cone, LineList& lines) {
  const Vector u = perpendicular_to(cone.axis);
  const Vector v = cross(cone.axis, u);
  draw_end(a, cone, -1, u, v, lines);
  draw_end(b, cone, 1, u, v, lines);
  const double half = std::sqrt(0.5);
  const Vector directions[cone_lines] = {u,      half * (u + v),        v,      half * (v - u),
                                         -1 * u, -1 * (half * (u + v)), -1 * v, half * (u - v)};
  for (const Vector w : directions) {
    const Vector touching = cone.sine * cone.axis + cone.cosine * w;
    lines.add(a.centre + a.radius * touching, b.centre + b.radius * touching, colour_of_colliders);
  }
}

}  // namespace

void draw_spheres_and_capsules(const ColliderSet& set, LineList& lines) {
  std::vector<bool> is_end(set.count(ColliderSet::spheres), false);
  std::vector<TangentCone> cones;
  for (size_t k = 0; k < set.capsules.size(); k += 2) {
    const uint32_t a = set.capsules[k], b = set.capsules[k + 1];
    cones.emplace_back(sphere_at(set, a), sphere_at(set, b));
    if (cones.back().exists) is_end[a] = is_end[b] = true;
  }
  for (uint32_t k = 0; k < is_end.size(); ++k) {
    const DrawnSphere sphere = sphere_at(set, k);
    if (!is_end[k]) add_sphere(sphere.centre, sphere.radius, circle_lines, colour_of_colliders, lines);
  }
  for (size_t k = 0; k < cones.size(); ++k) {
    if (cones[k].exists)
      draw_capsule(sphere_at(set, set.capsules[2 * k]), sphere_at(set, set.capsules[2 * k + 1]), cones[k], lines);
  }
}

void draw_ellipsoids(const ColliderSet& set, LineList& lines) {
  const std::vector<float>& ellipsoids = set.shapes[ColliderSet::ellipsoids].starts;
  for (size_t k = 0; k < ellipsoids.size(); k += ColliderSet::widths[ColliderSet::ellipsoids]) {
    const Vector radii = vector_at(&ellipsoids[k + 7]);
    // It collides with nothing then.
    if (radii.x == 0 || radii.y == 0 || radii.z == 0) continue;
    const Placement placement(&ellipsoids[k], &ellipsoids[k + 3]);
    const Vector centre = placement({0, 0, 0});
    const Vector x = placement({radii.x, 0, 0}) - centre, y = placement({0, radii.y, 0}) - centre;
    const Vector z = placement({0, 0, radii.z}) - centre;
    add_ellipse(centre, y, z, circle_lines, colour_of_colliders, lines);
    add_ellipse(centre, z, x, circle_lines, colour_of_colliders, lines);
    add_ellipse(centre, x, y, circle_lines, colour_of_colliders, lines);
  }
}

}  // namespace clothc
