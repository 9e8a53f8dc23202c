// frame_poses.h - where a scene's coordinate frames stand.
#pragma once

#include <vector>

#include "pose.h"
#include "scene.h"

namespace clothc_tool {

// From coordinates of frames[index] to the scene's, at a time counted in updates; SCENE_FRAME gives the identity.
Pose pose_at(const std::vector<SceneFrame>& frames, uint32_t index, float time);

}  // namespace clothc_tool
