// read.cpp - builds the default scene of a mesh file: its highest vertices are pinned, and there is gravity and a
// ground plane below.
#include <algorithm>
#include <cmath>

#include "cli/errors.h"
#include "mesh/file.h"
#include "scene/scene.h"
#include "scene/pins/pins.h"

namespace clothc_tool {
namespace {

// Pinned part of the height.
constexpr float PINNED_PART = 0.02f;

// Distance of the ground below the mesh, as a part of the largest extent.
constexpr float GROUND_DEPTH = 0.1f;

// Weld distance as a part of the bounding box's diagonal.
constexpr float WELD_PART = 1e-5f;

// m/s2
constexpr float GRAVITY = 9.81f;

// 1/s; high because garments have short edges and are long.
constexpr float SOLVER_FREQUENCY = 600;

// kg/m2
constexpr float AREAL_DENSITY = 0.2f;

}  // namespace

Scene scene_of_mesh(const std::string& path, const MeshSceneOptions& options) {
  const float unit = options.metres_per_unit;
  SceneCloth cloth;
  cloth.name = name_of_path(path);
  cloth.mesh = read_mesh(path);
  const Box box = bounds_of(cloth.mesh.positions);
  const Vector3 size = box.size();
  const float largest = std::max({size.x, size.y, size.z});
  if (!(largest > 0 && largest < 1e6f))
    throw InputError(path + ": the mesh is " + std::to_string(largest) +
                     " units large; want more than 0 and less than 1e6");
  PinGroup pins;
  pins.vertices = highest_vertices(cloth.mesh, PINNED_PART);
  cloth.pins.push_back(pins);
  cloth.weld_distance = WELD_PART * length(size);
  cloth.areal_density = AREAL_DENSITY * unit * unit;
  cloth.parameters = clothc::initialised<clothc_cloth_parameters>();
  cloth.parameters.gravity[1] = -GRAVITY / unit;
  cloth.parameters.friction = 0.3f;
  cloth.parameters.solver_frequency = SOLVER_FREQUENCY;
  std::fill_n(cloth.parameters.damping, 3, 0.1f);
  cloth.bend.stiffness = 0.5f;

  Scene scene;
  scene.name = cloth.name;
  scene.colliders.planes.push_back({{{0, 1, 0}, -(box.low.y - GROUND_DEPTH * largest)}});
  scene.cloths.push_back(std::move(cloth));
  return scene;
}

}  // namespace clothc_tool
