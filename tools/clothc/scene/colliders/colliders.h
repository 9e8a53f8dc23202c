// colliders.h - reads "colliders" of a scene file.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Meshes that it names are relative to folder, which is empty or ends in a slash. contact_margin: the largest of the cloths.
SceneColliders read_colliders(const SceneField& field, const std::string& folder, const std::vector<SceneFrame>& frames,
                              float contact_margin);

}  // namespace clothc_tool
