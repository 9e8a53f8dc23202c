// cloth.h - reads the entries of "cloths" of a scene file.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// folder: of the scene file, with a slash at its end or empty; mesh files are relative to it. frames: the scene's.
SceneCloth read_cloth(const SceneField& field, const std::string& folder, const std::vector<SceneFrame>& frames);

}  // namespace clothc_tool
