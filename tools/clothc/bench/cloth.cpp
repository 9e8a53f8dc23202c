// cloth.cpp - sets the parameters that all benchmark cases share.
#include "bench/cloth.h"

#include <utility>

#include "bench/mesh.h"

namespace clothc_tool {
namespace {

constexpr float kSolverFrequency = 240;

// kg/m2
constexpr float kArealDensity = 0.2f;

}  // namespace

SceneCloth bench_cloth(Mesh mesh, std::vector<uint32_t> pinned, uint32_t tethers_per_particle) {
  SceneCloth cloth;
  cloth.name = "cloth";
  cloth.mesh = std::move(mesh);
  cloth.areal_density = kArealDensity;
  cloth.weld_distance = -1;
  cloth.tethers_per_particle = tethers_per_particle;
  cloth.parameters = clothc::initialised<clothc_cloth_parameters>();
  cloth.parameters.solver_frequency = kSolverFrequency;
  cloth.parameters.hierarchy_stiffness = 0;
  PinGroup pins;
  pins.vertices = std::move(pinned);
  cloth.pins.push_back(std::move(pins));
  return cloth;
}

Scene scene_of_cloths(std::vector<SceneCloth> cloths) {
  Scene scene;
  scene.name = "benchmark";
  scene.cloths = std::move(cloths);
  return scene;
}

Scene hanging_sheet(uint32_t count, uint32_t tethers_per_particle) {
  std::vector<SceneCloth> cloths;
  cloths.push_back(bench_cloth(sheet_mesh(count, count, 1.0f / static_cast<float>(count - 1), {}), {0, count - 1},
                               tethers_per_particle));
  return scene_of_cloths(std::move(cloths));
}

Scene hanging_triangles(uint32_t count) {
  std::vector<SceneCloth> cloths;
  cloths.push_back(bench_cloth(triangle_mesh(count, 1.0f / static_cast<float>(count - 1)), {0, count - 1}, 0));
  return scene_of_cloths(std::move(cloths));
}

Scene with_hierarchy(Scene scene) {
  for (SceneCloth& cloth : scene.cloths) cloth.parameters.hierarchy_stiffness = 1;
  return scene;
}

}  // namespace clothc_tool
