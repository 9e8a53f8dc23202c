// frames.h - reads the "coordinate_frames" array of a scene file and the names by which shapes and pins refer to
// frames.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

std::vector<SceneFrame> read_coordinate_frames(const SceneField& field);

// read_frame_name returns the index of the frame that a text field names. read_attachment does so for the "frame" field
// of an object and returns `absent` if there is none.
uint32_t read_frame_name(const SceneField& name, const std::vector<SceneFrame>& frames);
uint32_t read_attachment(const SceneField& object, const std::vector<SceneFrame>& frames, uint32_t absent);

// Reads a name of 1 to 64 letters, digits, '_' and '-'. why: reason for this rule, appended to the error message.
std::string read_plain_name(const SceneField& name, const char* why);

}  // namespace clothc_tool
