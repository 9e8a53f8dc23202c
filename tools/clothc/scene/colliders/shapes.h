// shapes.h - the shapes of a scene's colliders where they stand at a time, for the simulation and for pictures.
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

// All but meshes. In the colliders' order and in the coordinates of frames[outer]; time is counted in updates.
SceneShapes shapes_at(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time,
                      uint32_t outer = SCENE_FRAME);

// From a body's mesh to the coordinates of frames[outer].
BodyPlacement placement_at(const std::vector<SceneFrame>& frames, const Attached<SceneBody>& body, float time,
                           uint32_t outer = SCENE_FRAME);

// The vertices of meshes, likewise.
std::vector<Vector3> vertices_at(const std::vector<SceneFrame>& frames, const Attached<SceneBody>& body, float time,
                                 uint32_t outer = SCENE_FRAME);
std::vector<Vector3> vertices_at(const std::vector<SceneFrame>& frames, const Attached<SceneTriangles>& triangles,
                                 float time, uint32_t outer = SCENE_FRAME);

// Whether shapes_at, placement_at and vertices_at may differ from one time to another.
bool moves(const SceneColliders& colliders, uint32_t outer);
bool moves(const Attached<SceneBody>& body, uint32_t outer);
bool moves(const Attached<SceneTriangles>& triangles, uint32_t outer);

}  // namespace clothc_tool
