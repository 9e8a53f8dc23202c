// offscreen_run.h - simulates a scene without a window: a picture of its end, and how long its frames take.
#pragma once

#include "options.h"

namespace clothc_viewer {

// Throws clothc_tool::InputError, clothc::Error and clothc_renderer::GraphicsError.
void run_offscreen(Viewer& viewer, const clothc_renderer::Graphics& graphics, const Options& options);

}  // namespace clothc_viewer
