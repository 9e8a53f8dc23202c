// scene_colliders.h - reads "colliders" of a scene file.
#pragma once

#include <vector>

#include "scene.h"
#include "scene_json.h"

namespace clothc_tool {

SceneColliders read_colliders(const SceneField& field, const std::vector<SceneFrame>& frames);

}  // namespace clothc_tool
