// dressed.h - the benchmark cases of a garment on a body. The body is 1.8 m tall and has 26,912 triangles: a trunk with
// neck and head, two legs and two arms, each a closed surface. The garment has 2,496 particles in five pieces around
// trunk, thighs and upper arms, pinned at their upper ends. It is so tight that two thirds of the particles touch the
// skin, with a contact margin of 3 mm, and at most a few centimetres away from it elsewhere.
#pragma once

#include "scene/scene.h"

namespace clothc_tool {

// sway: how far the head sways to either side, in m, in periods of 240 frames, while the chest breathes. The vertices
// are set anew in every frame, unless the body stands still.
Scene garment_on_body(float sway);

}  // namespace clothc_tool
