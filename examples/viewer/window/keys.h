// keys.h - what the keys do.
#pragma once

#include "window/session.h"

namespace clothc_viewer {

// Handles the keys of the current frame of Dear ImGui, unless a field takes them as text. Returns whether the window shall
// be closed.
bool handle_keys(Session& session);

// While it is held, dragging makes wind.
bool is_wind_key_down();

}  // namespace clothc_viewer
