// draped.cpp - builds the cases of draped sheets only from additions, multiplications, sine_and_cosine() and wave(), so
// that they have the same bits on every machine.
#include "bench/draped.h"

#include <utility>

#include "bench/cloth.h"
#include "bench/mesh.h"
#include "scene/frames/pose.h"
#include "scene/frames/wave.h"

namespace clothc_tool {
namespace {

constexpr uint32_t kCount = 50;

// m
constexpr float kDrapedSpacing = 2.0f / (kCount - 1);

// A horizontal sheet whose centre is above the origin; the four particles there are pinned if is_pinned is true.
Scene draped_sheet(float height, bool is_pinned) {
  constexpr uint32_t kMiddle = (kCount / 2 - 1) * (kCount + 1);
  std::vector<uint32_t> pinned;
  if (is_pinned) pinned = {kMiddle, kMiddle + 1, kMiddle + kCount, kMiddle + kCount + 1};
  std::vector<SceneCloth> cloths;
  cloths.push_back(bench_cloth(sheet_mesh(kCount, kCount, kDrapedSpacing, {-1, height, -1}), std::move(pinned), 0));
  cloths.back().parameters.friction = 0.3f;
  return scene_of_cloths(std::move(cloths));
}

void add_capsule(SceneColliders& colliders, const SphereState& from, const SphereState& to) {
  colliders.capsules.push_back({{{0, {from, to}}}});
}

// A hexagonal prism that stands on the ground, 0.4 m high, with its sides 0.35 m from its axis.
std::vector<ScenePlane> hexagonal_prism(float axis_x) {
  std::vector<ScenePlane> planes = {{{0, 1, 0}, -0.4f}, {{0, -1, 0}, 0}};
  for (int side = 0; side < 6; ++side) {
    const SineAndCosine turn = sine_and_cosine(60.0 * side);
    const Vector3 normal = {static_cast<float>(turn.cosine), 0, static_cast<float>(turn.sine)};
    planes.push_back({normal, -0.35f - normal.x * axis_x});
  }
  return planes;
}

// Returns a point of the unit sphere; around and down are 0 .. 1 for a full turn and for the way from the top to the
// bottom.
Vector3 sphere_point(double around, double down) {
  const SineAndCosine longitude = sine_and_cosine(360 * around), polar = sine_and_cosine(180 * down);
  return {static_cast<float>(polar.sine * longitude.cosine), static_cast<float>(polar.cosine),
          static_cast<float>(polar.sine * longitude.sine)};
}

// The bumps fade out towards the poles, where all sectors meet.
SceneTriangles breathing_body(uint32_t sectors, uint32_t rings) {
  // m
  constexpr Vector3 kRadii = {0.55f, 0.35f, 0.45f};
  // Relative to the radii.
  constexpr float kBump = 0.06f, kBreath = 0.03f;
  SceneTriangles body;
  body.swing_period = 90;
  const auto add_vertex = [&](double around, double down) {
    const Vector3 point = sphere_point(around, down);
    const float width = 1 - point.y * point.y;
    const float bump = kBump * width * wave(4 * around) * wave(3 * down);
    body.positions.push_back(kRadii * point * (1 + bump));
    body.swings.push_back(kRadii * point * (kBreath * (1 + width * wave(2 * around + down))));
  };
  add_vertex(0, 0);
  for (uint32_t ring = 1; ring < rings; ++ring)
    for (uint32_t sector = 0; sector < sectors; ++sector)
      add_vertex(static_cast<double>(sector) / sectors, static_cast<double>(ring) / rings);
  add_vertex(0, 1);
  const uint32_t last = static_cast<uint32_t>(body.positions.size()) - 1;
  for (uint32_t sector = 0; sector < sectors; ++sector) {
    const uint32_t next = (sector + 1) % sectors, bottom = last - sectors;
    body.triangles.insert(body.triangles.end(), {0, 1 + next, 1 + sector, last, bottom + sector, bottom + next});
    for (uint32_t ring = 0; ring + 2 < rings; ++ring) {
      const uint32_t a = 1 + ring * sectors + sector, b = 1 + ring * sectors + next, c = a + sectors, d = b + sectors;
      body.triangles.insert(body.triangles.end(), {a, b, d, a, d, c});
    }
  }
  return body;
}

}  // namespace

Scene sheet_on_capsules(const DrapedOptions& options) {
  Scene scene = draped_sheet(0.25f, true);
  SceneCloth& cloth = scene.cloths.front();
  if (options.continuous) cloth.parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  cloth.virtual_particles_per_triangle = options.virtual_particles_per_triangle;
  scene.colliders.spheres.push_back({{{0, {{0, 0.02f, -0.45f}, 0.15f}}}});
  add_capsule(scene.colliders, {{0, 0, -0.2f}, 0.22f}, {{0, 0, 0.2f}, 0.2f});
  for (float side : {-1.0f, 1.0f}) {
    add_capsule(scene.colliders, {{0.2f * side, 0, -0.25f}, 0.12f}, {{0.5f * side, -0.5f, -0.45f}, 0.08f});
    add_capsule(scene.colliders, {{0.15f * side, 0, 0.25f}, 0.14f}, {{0.45f * side, -0.5f, 0.5f}, 0.09f});
  }
  return scene;
}

Scene sheet_on_convexes() {
  Scene scene = draped_sheet(0.45f, false);
  scene.colliders.planes.push_back({{{0, 1, 0}, 0}});
  for (float axis_x : {-0.45f, 0.45f}) scene.colliders.convexes.push_back({hexagonal_prism(axis_x)});
  return scene;
}

Scene sheet_on_everything() {
  Scene scene = sheet_on_capsules({false, 1});
  SceneCloth& cloth = scene.cloths.front();
  cloth.tethers_per_particle = 2;
  cloth.limits.emplace().radius = 1;
  cloth.parameters.hierarchy_stiffness = 1;
  cloth.parameters.drag_coefficient = 0.3f;
  cloth.parameters.lift_coefficient = 0.2f;
  cloth.parameters.fluid_density = 0.02f;
  cloth.parameters.wind_velocity[0] = 3;
  cloth.parameters.self_collision_distance = 0.8f * kDrapedSpacing;
  SceneColliders& colliders = scene.colliders;
  colliders.planes.push_back({{{0, 1, 0}, 0.6f}});
  colliders.convexes.push_back({hexagonal_prism(1)});
  colliders.ellipsoids.push_back({{{0, {{-1, 0, 0}, {}, {0.3f, 0.2f, 0.4f}}}}});
  colliders.boxes.push_back({{{0, {{0, -0.3f, 0.9f}, {}, {0.4f, 0.1f, 0.1f}}}}});
  colliders.triangles.push_back({breathing_body(25, 10)});
  return scene;
}

Scene sheet_on_triangles(uint32_t sectors, uint32_t rings) {
  Scene scene = draped_sheet(0.38f, true);
  scene.colliders.triangles.push_back({breathing_body(sectors, rings)});
  return scene;
}

}  // namespace clothc_tool
