// shapes.h - evaluates where the shapes of a scene's colliders are at a given time, for the simulation and for
// pictures.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace clothc_tool {

struct SceneShapes {
  std::vector<SphereState> spheres;
  std::vector<CapsuleState> capsules;
  std::vector<SolidState> ellipsoids, boxes;
  std::vector<ScenePlane> planes;
  std::vector<std::vector<ScenePlane>> convexes;
};

// Returns all shapes except meshes, in the order of the colliders and in the coordinates of frames[outer]. time is
// measured in updates.
SceneShapes shapes_at(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time,
                      uint32_t outer = SCENE_FRAME);

// Returns the transform from the mesh of an instance to the coordinates of frames[outer].
InstanceTransform transform_at(const std::vector<SceneFrame>& frames, const Attached<SceneMeshInstance>& instance,
                               float time, uint32_t outer = SCENE_FRAME);

// Return the vertices of a mesh in the coordinates of frames[outer].
std::vector<Vector3> vertices_at(const std::vector<SceneFrame>& frames, const Attached<SceneMeshInstance>& instance,
                                 float time, uint32_t outer = SCENE_FRAME);
std::vector<Vector3> vertices_at(const std::vector<SceneFrame>& frames, const Attached<SceneTriangles>& triangles,
                                 float time, uint32_t outer = SCENE_FRAME);

// Tell whether shapes_at, transform_at and vertices_at can return different results at different times.
bool moves(const SceneColliders& colliders, uint32_t outer);
bool moves(const Attached<SceneMeshInstance>& instance, uint32_t outer);
bool moves(const Attached<SceneTriangles>& triangles, uint32_t outer);

}  // namespace clothc_tool
