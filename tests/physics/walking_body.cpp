// walking_body.cpp - see walking_body.h. Sizes are those of female_generic.obj in m.
#include "physics/walking_body.h"

#include <algorithm>
#include <cmath>

#include "physics/shared_meshes.h"

namespace physics {
namespace {

struct BodyPoint {
  double x, y, z;
};

double smooth(double t) {
  const double u = std::clamp(t, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

// Bends forwards about the x axis at a height. The axis lies in the middle of the body.
constexpr double middle = 0.02;
BodyPoint bent(const BodyPoint& p, double height, double angle) {
  const double y = p.y - height, z = p.z - middle, c = std::cos(angle), s = std::sin(angle);
  return {p.x, height + c * y - s * z, middle + s * y + c * z};
}

// Turns about the upright axis.
BodyPoint turned(const BodyPoint& p, double angle) {
  const double z = p.z - middle, c = std::cos(angle), s = std::sin(angle);
  return {c * p.x + s * z, p.y, middle + c * z - s * p.x};
}

// Two steps take 1.2 s. During the first second the motion grows from nothing to its full size.
BodyPoint walked(const BodyPoint& modelled, double time) {
  const double size = smooth(time), phase = time * 2 * std::acos(-1.0) / 1.2;
  const double side = modelled.x < 0 ? -1 : 1;
  const double arm = smooth((std::fabs(modelled.x) - 0.19) / 0.1);
  const double leg = smooth((-0.02 - modelled.y) / 0.2) * (2 * smooth(modelled.x / 0.06 + 0.5) - 1);
  const double upper = 1 - (1 - arm) * (1 - smooth((modelled.y - 0.02) / 0.35));
  BodyPoint p = bent(modelled, 0.5, -0.45 * size * arm * side * std::sin(phase));
  p = bent(p, -0.02, 0.4 * size * leg * std::sin(phase));
  p = bent(p, 0.1, size * upper * (0.2 + 0.25 * std::sin(0.7 * phase)));
  p = turned(p, 0.5 * size * upper * std::sin(phase));
  p = turned(p, 0.15 * size * std::sin(0.5 * phase));
  return {p.x + 0.03 * size * std::sin(phase), p.y - 0.02 * size * (1 - std::cos(2 * phase)), p.z + 0.8 * time * size};
}

}  // namespace

std::optional<WalkingBody> WalkingBody::load() {
  const std::optional<SharedMesh> mesh = load_shared_mesh("female_generic");
  if (!mesh) return std::nullopt;
  WalkingBody body;
  body.vertices_ = mesh->vertices;
  body.triangles_ = mesh->all_triangles();
  return body;
}

Vertex WalkingBody::moved(const Vertex& modelled, double time) {
  const BodyPoint p =
      walked({static_cast<double>(modelled.x), static_cast<double>(modelled.y), static_cast<double>(modelled.z)}, time);
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

std::vector<Vertex> WalkingBody::at(double time) const {
  std::vector<Vertex> found;
  found.reserve(vertices_.size());
  for (const Vertex& vertex : vertices_) found.push_back(moved(vertex, time));
  return found;
}

}  // namespace physics
