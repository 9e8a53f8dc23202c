// wind.h - the wind of a scene: read, and worked out for each update.
#pragma once

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

SceneWind read_wind(const SceneField& field);

// m/s at an update's end; dt: seconds per update.
Vector3 wind_at(const SceneWind& wind, uint32_t frame, float dt);

}  // namespace clothc_tool
