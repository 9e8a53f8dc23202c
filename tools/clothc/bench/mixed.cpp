// mixed.cpp - builds the case mixed200. Features recur with periods that have few common factors, so that most
// combinations occur.
#include "bench/mixed.h"

#include <utility>

#include "bench/mesh.h"

namespace clothc_tool {
namespace {

// Cloths are placed in rows of kColumns.
constexpr uint32_t kClothCount = 200, kColumns = 20;

// Distance between particles and between cloths in m.
constexpr float kMixedSpacing = 0.0625f, kPitch = 2.0f;

struct Size {
  uint32_t columns, rows;
};

Size size_of(uint32_t i) {
  if (i % 10 == 0) return {1, 1};
  if (i % 50 == 7) return {30, 30};
  return {2 + i % 7, 2 + i / 7 % 6};
}

Vector3 origin_of(uint32_t i) {
  const uint32_t column = i % kColumns, row = i / kColumns;
  return {kPitch * static_cast<float>(column), 1, kPitch * static_cast<float>(row)};
}

clothc_cloth_parameters parameters_of(uint32_t i) {
  // 1, 2, 4, 5, 2 and 8 iterations per frame.
  constexpr float kFrequencies[] = {60, 120, 240, 300, 90, 480};
  auto parameters = clothc::initialised<clothc_cloth_parameters>();
  parameters.solver_frequency = kFrequencies[i % 6];
  parameters.acceleration_filter_width = 1 + i % 40;
  for (float& damping : parameters.damping) damping = static_cast<float>(i % 5) / 8;
  parameters.friction = static_cast<float>(i % 3) / 4;
  if (i % 8 == 5) parameters.friction_smoothing = 3.4526698e-4f;
  parameters.tether_stiffness = i % 7 == 3 ? 0.5f : 1;
  parameters.tether_scale = 1 + static_cast<float>(i % 2) / 16;
  parameters.motion_constraint_stiffness = i % 4 == 1 ? 0.75f : 1;
  return parameters;
}

PinGroup pins_of(uint32_t i, Size size) {
  PinGroup pins;
  pins.vertices = {0, size.columns - 1};
  pins.pivot = origin_of(i);
  if (i % 11 == 3)
    pins.motion = {{0, {}}, {40, {{0.5f, 0.25f, 0}, {1, 1, 1}}}, {120, {{-0.5f, 0, 0.25f}, {0.5f, 1, 1}}}};
  return pins;
}

MotionLimits limits_of(uint32_t i) {
  MotionLimits limits;
  limits.radius = 0.125f + static_cast<float>(i % 5) / 16;
  if (i % 2 == 0) limits.translation = {{0, {}}, {30, {0, 0.5f, 0}}, {90, {0.25f, 0, 0}}};
  return limits;
}

Breeze breeze_of(uint32_t i) {
  Breeze breeze;
  breeze.acceleration = {static_cast<float>(i % 4), 0, 1};
  breeze.waves.push_back({{0, 1, 4}, {0.5f, 0.25f, 0}, 0.75f});
  return breeze;
}

// A sphere that rises through the cloth's position, and a wedge below it.
SceneColliders own_colliders_of(uint32_t i) {
  const Vector3 below = origin_of(i) + Vector3{0.25f, -0.5f, 0.25f};
  SceneColliders colliders;
  colliders.spheres.push_back({{{0, {below, 0.25f}}, {60, {below + Vector3{0.125f, 0.375f, 0}, 0.375f}}}});
  if (i % 2 == 1) {
    const ScenePlane left = {{-0.6f, 0.8f, 0}, dot({0.6f, -0.8f, 0}, below)};
    const ScenePlane right = {{0.6f, 0.8f, 0}, dot({-0.6f, -0.8f, 0}, below)};
    colliders.convexes.push_back({{left, right, {{0, -1, 0}, 0.125f}}});
  }
  return colliders;
}

// The ground, a sphere that moves across the rows of cloths, and a box.
SceneColliders shared_colliders() {
  SceneColliders colliders;
  colliders.planes.push_back({{{0, 1, 0}, 0}});
  colliders.spheres.push_back({{{0, {{-4, 0.5f, 9}, 1.5f}}, {300, {{44, 0.5f, 9}, 1.5f}}}});
  colliders.convexes.push_back(
      {{{{1, 0, 0}, -20}, {{-1, 0, 0}, 16}, {{0, 1, 0}, -0.75f}, {{0, 0, 1}, -16}, {{0, 0, -1}, 12}}});
  return colliders;
}

SceneCloth cloth_of(uint32_t i) {
  const Size size = size_of(i);
  SceneCloth cloth;
  cloth.name = "cloth" + std::to_string(i);
  cloth.mesh = sheet_mesh(size.columns, size.rows, kMixedSpacing, origin_of(i));
  cloth.weld_distance = -1;
  // A cloth of one particle has no area to derive its mass from.
  cloth.areal_density = i % 10 == 0 ? 0 : 0.2f;
  cloth.tethers_per_particle = i % 4;
  cloth.parameters = parameters_of(i);
  if (i % 10 != 0 && i % 3 != 2) cloth.pins.push_back(pins_of(i, size));
  if (i % 19 == 9) cloth.gravity = {{0, {0, -9.81f, 0}}, {50, {3, -6, 0}}, {100, {0, -9.81f, 2}}};
  if (i % 5 == 2) cloth.breeze = breeze_of(i);
  if (i % 6 == 4) cloth.limits = limits_of(i);
  if (i % 9 == 1) cloth.stretch = {0.75f, 0.5f, 0.875f, 1.125f};
  if (i % 8 == 6) cloth.shear.stiffness = 0;
  if (i % 7 == 5) cloth.bend.stiffness = 0.25f;
  cloth.collides_with_scene = i % 3 != 0;
  if (i % 7 == 1 || i % 10 == 0) cloth.own_colliders = own_colliders_of(i);
  return cloth;
}

}  // namespace

Scene mixed_scene() {
  Scene scene;
  scene.name = "benchmark";
  for (uint32_t i = 0; i < kClothCount; ++i) scene.cloths.push_back(cloth_of(i));
  scene.colliders = shared_colliders();
  return scene;
}

}  // namespace clothc_tool
