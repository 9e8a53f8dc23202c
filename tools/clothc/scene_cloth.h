// scene_cloth.h - reads the entries of "cloths" of a scene file.
#pragma once

#include "scene.h"
#include "scene_json.h"

namespace clothc_tool {

// folder: of the scene file, with a slash at its end or empty; mesh files are relative to it.
SceneCloth read_cloth(const SceneField& field, const std::string& folder);

}  // namespace clothc_tool
