// mixed.h - the case `mixed200`: a scene whose cloths differ in everything that a scheduler might wrongly assume to be
// equal for all cloths.
#pragma once

#include "scene/scene.h"

namespace clothc_tool {

// Returns a scene of 200 cloths, from one particle to 900, about 7,000 in total, with 1 to 8 iterations per frame. It
// mixes tethers, motion limits, breezes, moving and fixed pins, friction, and cloths with shared colliders, own
// colliders, both or none.
Scene mixed_scene();

}  // namespace clothc_tool
