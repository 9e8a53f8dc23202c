// scene.h - what a picture shows of a scene besides its cloths: colliders where they are at a time, and the camera.
#pragma once

#include "picture/render.h"

namespace clothc_tool {

// Sets the colliders of a picture to those of a scene. time is measured in updates.
void place_colliders(const Scene& scene, float time, RenderScene& drawn);

// Returns the scene's camera or, where it has none, one that shows the cloths in their initial state, the solids, and the
// ground below if it is near. aspect: width divided by height.
SceneCamera camera_of(const Scene& scene, float aspect);

}  // namespace clothc_tool
