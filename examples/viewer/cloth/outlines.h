// outlines.h - the shapes that cloths collide with as lines, exactly where they are: solids are drawn slightly smaller.
#pragma once

#include "picture/render.h"
#include "render/draw_list.h"

namespace clothc_viewer {

void add_outlines(const clothc_tool::RenderScene& scene, clothc_renderer::DrawList& list);

}  // namespace clothc_viewer
