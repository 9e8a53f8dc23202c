// wind.h - reads the wind of a scene and evaluates it for each update.
#pragma once

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

SceneWind read_wind(const SceneField& field);

// Returns the wind velocity in m/s at the end of update `frame`. dt: seconds per update.
Vector3 wind_at(const SceneWind& wind, uint32_t frame, float dt);

}  // namespace clothc_tool
