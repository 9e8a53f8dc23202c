// cloth.h - reads the elements of a scene file's "cloths" array.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// folder: the scene file's folder, empty or ending in a slash; mesh files are relative to it. frames: the coordinate
// frames of the scene.
SceneCloth read_cloth(const SceneField& field, const std::string& folder, const std::vector<SceneFrame>& frames);

}  // namespace clothc_tool
