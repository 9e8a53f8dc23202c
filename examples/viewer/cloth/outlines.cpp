// outlines.cpp - see outlines.h.
#include "cloth/outlines.h"

#include <algorithm>
#include <array>
#include <glm/gtc/constants.hpp>
#include <utility>

#include "picture/surface.h"
#include "picture/vulkan/conversion.h"

namespace clothc_viewer {
namespace {

using clothc_tool::to_glm;
using clothc_tool::Vector3;

constexpr int CIRCLE_PARTS = 48;
constexpr glm::vec4 COLOUR = {1, 0.55f, 0.05f, 0.9f};

class Lines {
 public:
  explicit Lines(clothc_renderer::DrawList& list) : list_(list), colour_(clothc_renderer::packed_colour(COLOUR)) {}

  void add(Vector3 a, Vector3 b) {
    list_.lines.push_back({to_glm(a), colour_});
    list_.lines.push_back({to_glm(b), colour_});
  }

  // An ellipse, or a circle, around a centre through centre + u and centre + v.
  void add_ellipse(Vector3 centre, Vector3 u, Vector3 v) {
    const auto at = [&](int part) {
      const float angle = glm::two_pi<float>() * static_cast<float>(part) / CIRCLE_PARTS;
      return centre + u * std::cos(angle) + v * std::sin(angle);
    };
    for (int part = 0; part < CIRCLE_PARTS; ++part) add(at(part), at(part + 1));
  }

 private:
  clothc_renderer::DrawList& list_;
  uint32_t colour_;
};

void add_ball(Lines& lines, Vector3 centre, const clothc_tool::Axes& axes, Vector3 radii) {
  const Vector3 x = axes.right * radii.x, y = axes.up * radii.y, z = axes.forward * radii.z;
  lines.add_ellipse(centre, x, y);
  lines.add_ellipse(centre, y, z);
  lines.add_ellipse(centre, z, x);
}

// The balls at its ends, and the sides of the cone that touches both.
void add_capsule(Lines& lines, const clothc_tool::CapsuleState& capsule) {
  const clothc_tool::SphereState &from = capsule.from, &to = capsule.to;
  const Vector3 axis = to.center - from.center;
  const float distance = length(axis);
  const clothc_tool::Axes axes = clothc_tool::axes_along(distance > 0 ? axis : Vector3{0, 1, 0});
  add_ball(lines, from.center, axes, {from.radius, from.radius, from.radius});
  add_ball(lines, to.center, axes, {to.radius, to.radius, to.radius});
  if (distance <= std::fabs(from.radius - to.radius)) return;
  const float sine = (from.radius - to.radius) / distance, cosine = std::sqrt(1 - sine * sine);
  for (const Vector3& side : {axes.right, axes.up, -axes.right, -axes.up}) {
    const Vector3 normal = axes.forward * sine + side * cosine;
    lines.add(from.center + normal * from.radius, to.center + normal * to.radius);
  }
}

void add_box(Lines& lines, const clothc_tool::SolidState& box) {
  const auto corner = [&](int bits) {
    const Vector3 signs = {bits & 1 ? 1.0f : -1.0f, bits & 2 ? 1.0f : -1.0f, bits & 4 ? 1.0f : -1.0f};
    return rotated(box.rotation, signs * box.half_size) + box.center;
  };
  for (int bits = 0; bits < 8; ++bits) {
    for (int axis : {1, 2, 4})
      if (!(bits & axis)) lines.add(corner(bits), corner(bits | axis));
  }
}

// Each side of the triangles once.
void add_mesh(Lines& lines, const clothc_tool::RenderMesh& mesh) {
  std::vector<std::pair<uint32_t, uint32_t>> sides;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const uint32_t a = mesh.triangles[i], b = mesh.triangles[i % 3 == 2 ? i - 2 : i + 1];
    sides.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(sides.begin(), sides.end());
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  for (const auto& [a, b] : sides) lines.add(mesh.positions[a], mesh.positions[b]);
}

// The sides of its faces.
void add_convex(Lines& lines, const std::vector<clothc_tool::ScenePlane>& planes) {
  for (const std::vector<Vector3>& face : clothc_tool::convex_faces(planes)) {
    for (size_t i = 0; i < face.size(); ++i) lines.add(face[i], face[(i + 1) % face.size()]);
  }
}

}  // namespace

void add_outlines(const clothc_tool::RenderScene& scene, clothc_renderer::DrawList& list) {
  Lines lines(list);
  const clothc_tool::Axes world = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& sphere : scene.spheres)
    add_ball(lines, sphere.center, world, {sphere.radius, sphere.radius, sphere.radius});
  for (const auto& capsule : scene.capsules) add_capsule(lines, capsule);
  for (const auto& ellipsoid : scene.ellipsoids) {
    const clothc_tool::Rotation& rotation = ellipsoid.rotation;
    const clothc_tool::Axes axes = {rotated(rotation, {1, 0, 0}), rotated(rotation, {0, 1, 0}),
                                    rotated(rotation, {0, 0, 1})};
    add_ball(lines, ellipsoid.center, axes, ellipsoid.half_size);
  }
  for (const auto& box : scene.boxes) add_box(lines, box);
  for (const auto& mesh : scene.meshes) add_mesh(lines, mesh);
  for (const auto& convex : scene.convexes) add_convex(lines, convex);
}

}  // namespace clothc_viewer
