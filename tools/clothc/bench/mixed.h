// The case `mixed200`: a scene whose cloths differ in everything that a scheduler could mistake for common to all.
#pragma once

#include "scene/scene.h"

namespace clothc_tool {

// 200 cloths in one solver, from one particle to 900, some 7,000 in all: 1 to 8 iterations per frame; tethers, motion
// limits, breezes and pins that move or stand; colliders shared by many, of one cloth alone, both or none; friction.
Scene mixed_scene();

}  // namespace clothc_tool
