// render.h - a small offscreen renderer: smooth two-sided cloth, the ground, solids and meshes, lit by one light with
// soft shadows and by ambient occlusion, so that folds are visible. The image does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "picture/image.h"
#include "scene/scene.h"
#include "mesh/vector3.h"

namespace clothc_tool {

struct RenderCloth {
  std::vector<Vector3> positions;

  // [n][3]
  std::vector<uint32_t> triangles;

  // Linear, 0 .. 1.
  Vector3 colour;
};

struct RenderMesh {
  std::vector<Vector3> positions;

  // [n][3]
  std::vector<uint32_t> triangles;
};

struct RenderScene {
  std::vector<RenderCloth> cloths;
  std::vector<SphereState> spheres;
  std::vector<CapsuleState> capsules;
  std::vector<SolidState> ellipsoids, boxes;
  std::vector<RenderMesh> meshes;
  std::vector<ScenePlane> planes;
  std::vector<std::vector<ScenePlane>> convexes;
  SceneCamera camera;
};

struct RenderSettings {
  uint32_t width = 960, height = 540;
};

// Renders images of one size. It keeps its memory, because fresh memory for each image can take as long as rendering.
class Renderer {
 public:
  explicit Renderer(const RenderSettings& settings);
  ~Renderer();

  Image render(const RenderScene& scene);

 private:
  struct Memory;
  class Picture;

  RenderSettings settings_;
  std::unique_ptr<Memory> memory_;
};

// Returns a camera that shows all of the box from the front, slightly from above and from the side.
SceneCamera camera_for(const Box& box, float aspect);

}  // namespace clothc_tool
