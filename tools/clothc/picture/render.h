// render.h - a small offscreen renderer: smooth two-sided cloth, ground, round and flat solids and meshes, one
// soft-shadowed light and ambient occlusion, so that folds read. The same input gives the same picture, whatever the threads.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/image.h"
#include "scene/scene.h"
#include "mesh/vector3.h"

namespace clothc_tool {

struct RenderCloth {
  std::vector<Vector3> positions;
  std::vector<uint32_t> triangles;  // [n][3]
  Vector3 colour;                   // linear, 0 .. 1
};

struct RenderBody {
  std::vector<Vector3> positions;
  std::vector<uint32_t> triangles;  // [n][3]
};

struct RenderScene {
  std::vector<RenderCloth> cloths;
  std::vector<SphereState> spheres;
  std::vector<CapsuleState> capsules;
  std::vector<SolidState> ellipsoids, boxes;
  std::vector<RenderBody> bodies;
  std::vector<ScenePlane> planes;
  std::vector<std::vector<ScenePlane>> convexes;
  SceneCamera camera;
};

struct RenderSettings {
  uint32_t width = 960, height = 540;
};

Image render(const RenderScene& scene, const RenderSettings& settings);

// A camera that shows all of box from the front, a little from above and from the side.
SceneCamera camera_for(const Box& box, float aspect);

}  // namespace clothc_tool
