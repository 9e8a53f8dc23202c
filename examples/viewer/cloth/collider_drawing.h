// collider_drawing.h - draws the colliders and planes of a scene where they are at the current frame.
#pragma once

#include "cloth/scene_source.h"
#include "render/frames.h"

namespace clothc_viewer {

// Adds the colliders to a frame: solids as meshes, and planes.
void add_colliders(const SceneSource& source, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list);

}  // namespace clothc_viewer
