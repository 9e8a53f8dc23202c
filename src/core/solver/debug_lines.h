// debug_lines.h - reads from the device what a drawing of cloths needs, and draws them with the functions of
// core/debug.
#pragma once

#include "core/debug/line_list.h"
#include "core/solver/contents.h"

namespace clothc {

// Waits for everything queued. desc: checked. cloths: those to draw.
std::vector<clothc_debug_line> draw_debug_lines(SolverContents& contents, const std::vector<Cloth*>& cloths,
                                                const clothc_debug_desc& desc);

}  // namespace clothc
