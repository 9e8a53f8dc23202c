// poses.h - where a scene's coordinate frames stand.
#pragma once

#include <vector>

#include "scene/frames/pose.h"
#include "scene/scene.h"

namespace clothc_tool {

// From coordinates of frames[index] to the scene's, at a time counted in updates; SCENE_FRAME gives the identity.
Pose pose_at(const std::vector<SceneFrame>& frames, uint32_t index, float time);

// From coordinates of frames[index] to those of frames[outer]; exactly the identity if they are the same.
Pose pose_between(const std::vector<SceneFrame>& frames, uint32_t outer, uint32_t index, float time);

// Points of a cloth, given in the coordinates of its frame, in the scene's.
std::vector<Vector3> in_scene(const Scene& scene, const SceneCloth& cloth, std::vector<Vector3> points, uint32_t frame);

}  // namespace clothc_tool
