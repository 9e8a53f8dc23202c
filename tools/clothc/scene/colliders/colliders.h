// colliders.h - reads the "colliders" object of a scene file.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// folder: the folder that mesh files are relative to, empty or ending in a slash. contact_margin: the largest contact
// margin of all cloths.
SceneColliders read_colliders(const SceneField& field, const std::string& folder, const std::vector<SceneFrame>& frames,
                              float contact_margin);

}  // namespace clothc_tool
