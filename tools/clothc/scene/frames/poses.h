// poses.h - evaluates the poses of a scene's coordinate frames.
#pragma once

#include <vector>

#include "scene/frames/pose.h"
#include "scene/scene.h"

namespace clothc_tool {

// Returns the transform from the coordinates of frames[index] to those of the scene. time is measured in updates. The
// index SCENE_FRAME gives the identity.
Pose pose_at(const std::vector<SceneFrame>& frames, uint32_t index, float time);

// Returns the transform from the coordinates of frames[index] to those of frames[outer], which is exactly the identity
// if both are the same frame.
Pose pose_between(const std::vector<SceneFrame>& frames, uint32_t outer, uint32_t index, float time);

// Transforms points from the coordinates of the cloth's frame to those of the scene.
std::vector<Vector3> in_scene(const Scene& scene, const SceneCloth& cloth, std::vector<Vector3> points, uint32_t frame);

}  // namespace clothc_tool
