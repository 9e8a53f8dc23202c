// dressed.cpp - builds the body and the garment only from additions, multiplications, sine_and_cosine() and wave(), so
// that they have the same bits on every machine.
#include "bench/dressed.h"

#include <algorithm>
#include <utility>

#include "bench/cloth.h"
#include "scene/frames/pose.h"
#include "scene/frames/wave.h"

namespace clothc_tool {
namespace {

// A horizontal ellipse, in m.
struct Section {
  Vector3 centre;
  float width, depth;
};

// A tube through ellipses, which are numbered from its upper end.
using Limb = std::vector<Section>;

// The point of a tube at a section, which may be between two, at a part of a turn around it, and so far in front of it.
// The surface is bumpy.
Vector3 skin(const Limb& limb, float section, double around, float distance) {
  const auto first = std::min(static_cast<size_t>(section), limb.size() - 2);
  const Section &a = limb[first], &b = limb[first + 1];
  const float t = section - static_cast<float>(first);
  const Vector3 centre = interpolate(a.centre, b.centre, t);
  const SineAndCosine turn = sine_and_cosine(360 * around);
  const float bump = 1 + 0.02f * wave(3 * around) * wave(6 * static_cast<double>(centre.y));
  const float width = (a.width + (b.width - a.width) * t) * bump + distance;
  const float depth = (a.depth + (b.depth - a.depth) * t) * bump + distance;
  return centre + Vector3{width * static_cast<float>(turn.cosine), 0, depth * static_cast<float>(turn.sine)};
}

// Adds a tube that is closed at both ends. Its rings are turned against each other, and become narrower towards the
// lower end, as do the triangles of hands and feet.
void add_limb(const Limb& limb, uint32_t sectors, uint32_t rings, SceneTriangles& body) {
  const auto first = static_cast<uint32_t>(body.positions.size());
  const auto sections = static_cast<float>(limb.size() - 1);
  body.positions.push_back(limb.front().centre);
  for (uint32_t ring = 0; ring < rings; ++ring) {
    const float down = (static_cast<float>(ring) + 0.5f) / static_cast<float>(rings);
    for (uint32_t sector = 0; sector < sectors; ++sector) {
      const double around = (sector + 0.3 * ring) / sectors;
      body.positions.push_back(skin(limb, sections * down * (1.3f - 0.3f * down), around, 0));
    }
  }
  body.positions.push_back(limb.back().centre);
  const uint32_t last = static_cast<uint32_t>(body.positions.size()) - 1;
  for (uint32_t sector = 0; sector < sectors; ++sector) {
    const uint32_t next = (sector + 1) % sectors, top = first + 1, bottom = last - sectors;
    body.triangles.insert(body.triangles.end(),
                          {first, top + next, top + sector, last, bottom + sector, bottom + next});
    for (uint32_t ring = 0; ring + 1 < rings; ++ring) {
      const uint32_t a = top + ring * sectors + sector, b = top + ring * sectors + next, c = a + sectors;
      body.triangles.insert(body.triangles.end(), {a, b, b + sectors, a, b + sectors, c});
    }
  }
}

// From head to hips.
const Limb kTrunk = {{{0, 1.78f, 0}, 0, 0},          {{0, 1.76f, 0}, 0.045f, 0.05f}, {{0, 1.68f, 0}, 0.075f, 0.09f},
                     {{0, 1.58f, 0}, 0.065f, 0.08f}, {{0, 1.51f, 0}, 0.055f, 0.06f}, {{0, 1.45f, 0}, 0.12f, 0.08f},
                     {{0, 1.4f, 0}, 0.17f, 0.095f},  {{0, 1.27f, 0}, 0.165f, 0.12f}, {{0, 1.1f, 0}, 0.135f, 0.105f},
                     {{0, 1.02f, 0}, 0.15f, 0.115f}, {{0, 0.9f, 0}, 0.178f, 0.125f}, {{0, 0.8f, 0}, 0.15f, 0.11f},
                     {{0, 0.76f, 0}, 0.06f, 0.05f},  {{0, 0.75f, 0}, 0, 0}};
// side: 1 or -1.
Limb leg(float side) {
  return {{{0.09f * side, 0.9f, 0}, 0, 0},
          {{0.09f * side, 0.86f, 0}, 0.075f, 0.09f},
          {{0.095f * side, 0.7f, 0}, 0.08f, 0.085f},
          {{0.1f * side, 0.48f, 0}, 0.055f, 0.06f},
          {{0.1f * side, 0.35f, 0}, 0.055f, 0.06f},
          {{0.1f * side, 0.1f, 0}, 0.035f, 0.045f},
          {{0.1f * side, 0.03f, 0.05f}, 0.04f, 0.1f},
          {{0.1f * side, 0, 0.05f}, 0, 0}};
}

Limb arm(float side) {
  return {{{0.15f * side, 1.42f, 0}, 0, 0},          {{0.17f * side, 1.39f, 0}, 0.05f, 0.05f},
          {{0.33f * side, 1.2f, 0}, 0.055f, 0.045f}, {{0.5f * side, 1, 0}, 0.04f, 0.035f},
          {{0.53f * side, 0.95f, 0}, 0.03f, 0.045f}, {{0.58f * side, 0.86f, 0}, 0, 0}};
}

SceneTriangles body_of(float sway) {
  SceneTriangles body;
  add_limb(kTrunk, 64, 84, body);
  for (const float side : {-1.0f, 1.0f}) {
    add_limb(leg(side), 40, 66, body);
    add_limb(arm(side), 28, 50, body);
  }
  if (sway == 0) return body;
  body.swing_period = 240;
  for (const Vector3& p : body.positions) {
    const float height = p.y * (1 / 1.8f);
    const float chest = wave(0.5 * static_cast<double>(height)) * 3;
    body.swings.push_back(Vector3{height * height, 0, 0} * sway + Vector3{p.x, 0, p.z} * (sway * chest));
  }
  return body;
}

// Adds a sleeve around a tube from one section to another. Its particles at the upper end are pinned. It is cut for
// another body, as the garments of programs are: its shape is up to 4 mm behind the skin, and up to 13 mm in front of
// it.
void add_sleeve(const Limb& limb, float from, float to, uint32_t around, uint32_t rows, Mesh& mesh, PinGroup& pins) {
  const auto first = static_cast<uint32_t>(mesh.positions.size());
  for (uint32_t row = 0; row < rows; ++row) {
    const float down = static_cast<float>(row) / static_cast<float>(rows - 1);
    for (uint32_t k = 0; k < around; ++k) {
      const double turn = (k + 0.5) / around;
      const float ease = 0.5f + 0.5f * wave(turn + 2 * static_cast<double>(down));
      mesh.positions.push_back(skin(limb, from + (to - from) * down, turn, -0.004f + 0.017f * ease * ease * ease));
    }
  }
  for (uint32_t k = 0; k < around; ++k) pins.vertices.push_back(first + k);
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t k = 0; k < around; ++k) {
      const uint32_t a = first + row * around + k, b = first + row * around + (k + 1) % around;
      mesh.quads.insert(mesh.quads.end(), {a, b, b + around, a + around});
    }
  }
}

SceneCloth suit() {
  Mesh mesh;
  PinGroup pins;
  add_sleeve(kTrunk, 7, 11, 60, 18, mesh, pins);
  for (const float side : {-1.0f, 1.0f}) {
    add_sleeve(leg(side), 1.2f, 4, 26, 18, mesh, pins);
    add_sleeve(arm(side), 1.5f, 3, 16, 15, mesh, pins);
  }
  SceneCloth cloth = bench_cloth(std::move(mesh), std::move(pins.vertices), 0);
  cloth.parameters.friction = 0.5f;
  cloth.parameters.contact_margin = 0.003f;
  cloth.parameters.stiffness_frequency = 1000;
  cloth.parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  return cloth;
}

}  // namespace

Scene garment_on_body(float sway) {
  std::vector<SceneCloth> cloths;
  cloths.push_back(suit());
  Scene scene = scene_of_cloths(std::move(cloths));
  scene.colliders.triangles.push_back({body_of(sway)});
  return scene;
}

}  // namespace clothc_tool
