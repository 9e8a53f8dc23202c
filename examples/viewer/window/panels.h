// panels.h - the user interface: a bar at the top, a sidebar with a tab for each panel, and what is drawn over the
// picture.
// Invariant: panels are drawn from the session anew in each frame, and keep nothing but what is being dragged and what
// is typed into their filters.
#pragma once

#include "window/session.h"

namespace clothc_viewer {

// Draw everything. The bar and the sidebar leave a part of the window free, which the session's view gets.
void draw_panels(Session& session);

// The bar: play, step, reset, speed, the frame, and what takes the user through a capture.
void draw_toolbar(Session& session, ImVec2 position, ImVec2 size);

// Panels of the sidebar.
void draw_scene_panel(Session& session);
void draw_cloth_panel(Session& session);
void draw_show_panel(Session& session);
void draw_wind_panel(Session& session);
void draw_times_panel(Session& session);
void draw_keys_panel(Session& session);

// Over the picture: the wind, what is pulled, what is being opened, and what went wrong.
void draw_canvas(Session& session);

// Width of the sliders of parameters, as a part of the panel's.
constexpr float PARAMETER_WIDTH = 0.43f;

// The phases of the selected cloth.
void draw_phases(Session& session);

// The slider, box or boxes of a parameter. Returns whether the user has changed it.
struct Parameter;
bool draw_parameter(Items& items, const Parameter& parameter, clothc_cloth_parameters& parameters,
                    const clothc_cloth_parameters& opened);

}  // namespace clothc_viewer
