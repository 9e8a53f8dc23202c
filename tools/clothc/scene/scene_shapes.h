// scene_shapes.h - the shapes of a scene's colliders where they stand at a time, for the simulation and for pictures.
#pragma once

#include <vector>

#include "scene.h"

namespace clothc_tool {

struct SceneShapes {
  std::vector<SphereState> spheres;
  std::vector<CapsuleState> capsules;
  std::vector<ScenePlane> planes;
  std::vector<std::vector<ScenePlane>> convexes;
};

// In the colliders' order and in the coordinates of frames[outer]; time is counted in updates.
SceneShapes shapes_at(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time,
                      uint32_t outer = SCENE_FRAME);

// Whether shapes_at may differ from one time to another.
bool moves(const SceneColliders& colliders, uint32_t outer);

// The library has no capsules yet; a capsule is given to it as spheres in a row that overlap so far that their surface
// lies less than 1 % of the smaller radius below the capsule's. Their number is the same at all times.
uint32_t spheres_along(const Keyframes<CapsuleState>& capsule);
void append_spheres(const CapsuleState& capsule, uint32_t count, std::vector<SphereState>& spheres);

}  // namespace clothc_tool
