// many.cpp - builds the cases of many cloths.
#include "bench/many.h"

#include <utility>

#include "bench/cloth.h"
#include "bench/mesh.h"

namespace clothc_tool {
namespace {

SceneCloth hanging_cloth(SheetSize size, Vector3 origin) {
  return bench_cloth(sheet_mesh(size.columns, size.rows, 1.0f / static_cast<float>(size.rows - 1), origin),
                     {0, size.columns - 1}, 0);
}

// Cloths are placed in rows, so that none is so far out that floats represent its coordinates coarsely.
Vector3 position_of(uint32_t i) {
  constexpr uint32_t kColumns = 100;
  // m
  constexpr float kPitch = 2;
  const uint32_t column = i % kColumns, row = i / kColumns;
  return {static_cast<float>(column), 0, kPitch * static_cast<float>(row)};
}

// A person of 1.8 m, with the shoulders at height 0, in front of a cape that hangs in the plane z = 0.
std::vector<CapsuleState> body_at(Vector3 position) {
  const Vector3 feet = position + Vector3{0.31f, 0, -0.1f};
  const auto sphere = [&](float x, float y, float radius) { return SphereState{feet + Vector3{x, y, 0}, radius}; };
  const SphereState pelvis = sphere(0, -0.55f, 0.13f), waist = sphere(0, -0.35f, 0.11f);
  const SphereState chest = sphere(0, -0.12f, 0.13f), neck = sphere(0, 0.05f, 0.06f), head = sphere(0, 0.22f, 0.1f);
  std::vector<CapsuleState> body = {{pelvis, waist}, {waist, chest}, {chest, neck}, {neck, head}};
  body.push_back({sphere(-0.1f, -0.58f, 0.1f), sphere(0.1f, -0.58f, 0.1f)});
  for (const float side : {-1.0f, 1.0f}) {
    const SphereState shoulder = sphere(0.18f * side, -0.03f, 0.06f), elbow = sphere(0.26f * side, -0.3f, 0.045f);
    const SphereState hip = sphere(0.1f * side, -0.6f, 0.09f), knee = sphere(0.12f * side, -1.0f, 0.06f);
    body.push_back({chest, shoulder});
    body.push_back({shoulder, elbow});
    body.push_back({elbow, sphere(0.3f * side, -0.55f, 0.035f)});
    body.push_back({hip, knee});
    body.push_back({knee, sphere(0.12f * side, -1.4f, 0.045f)});
  }
  return body;
}

}  // namespace

Scene many_cloths(uint32_t count, SheetSize size) {
  std::vector<SceneCloth> cloths;
  for (uint32_t i = 0; i < count; ++i) cloths.push_back(hanging_cloth(size, {static_cast<float>(i), 0, 0}));
  return scene_of_cloths(std::move(cloths));
}

Scene repeated_cloth(uint32_t count, SheetSize size) {
  std::vector<SceneCloth> cloths = {hanging_cloth(size, {})};
  SceneCloth repeated = bench_cloth({}, {}, 0);
  repeated.repeats = 0;
  for (uint32_t i = 1; i < count; ++i) {
    repeated.shift = position_of(i);
    cloths.push_back(repeated);
  }
  return scene_of_cloths(std::move(cloths));
}

Scene capes(uint32_t count) {
  Scene scene = repeated_cloth(count, {25, 40});
  for (SceneCloth& cloth : scene.cloths) {
    cloth.parameters.friction = 0.3f;
    for (const CapsuleState& capsule : body_at(cloth.shift)) cloth.own_colliders.capsules.push_back({{{0, capsule}}});
  }
  return scene;
}

}  // namespace clothc_tool
