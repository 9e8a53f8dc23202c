// frames.h - reads "coordinate_frames" of a scene file, and the names by which shapes and pins speak of them.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

std::vector<SceneFrame> read_coordinate_frames(const SceneField& field);

// The index of the frame that a field names, and of the one that an object's "frame" names, or absent.
uint32_t read_frame_name(const SceneField& name, const std::vector<SceneFrame>& frames);
uint32_t read_attachment(const SceneField& object, const std::vector<SceneFrame>& frames, uint32_t absent);

// 1 to 64 letters, digits, '_' and '-'; why: what the message says about that.
std::string read_plain_name(const SceneField& name, const char* why);

}  // namespace clothc_tool
