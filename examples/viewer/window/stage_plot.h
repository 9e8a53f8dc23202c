// stage_plot.h - plots of the last updates and frames, as stacked bars.
#pragma once

#include <imgui.h>

#include "window/times.h"

namespace clothc_viewer {

// By CLOTHC_STAGE_...
ImU32 stage_colour(size_t stage);

// Of the four parts of a frame in the plot of frames.
inline const ImVec4 SIMULATE_COLOUR = {0.29f, 0.56f, 0.89f, 1}, DRAW_COLOUR = {0.95f, 0.62f, 0.24f, 1};

// Draw a plot of this height in pixels, in all of the panel's width.
void draw_stage_plot(const TimesHistory& times, float height);
void draw_frame_plot(const TimesHistory& times, float height);

}  // namespace clothc_viewer
