// scene_inputs.h - the inputs of a scene that change from frame to frame; each maker returns null if nothing does.
#pragma once

#include <memory>

#include "scene_simulation.h"

namespace clothc_tool {

std::unique_ptr<FrameInput> make_gravity_input(const SceneCloth& cloth, const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_breeze_input(clothc_device device, float dt, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_pin_input(clothc_device device, const std::vector<SceneFrame>& frames,
                                           const SceneCloth& cloth, const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_limits_input(clothc_device device, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_collider_input(const std::vector<SceneFrame>& frames, const SceneColliders& colliders,
                                                clothc_collider_set_id set);

// Writes a scene's colliders as they stand at frame, coming from where they stood a frame before.
void write_colliders(clothc_solver solver, clothc_collider_set_id set, const std::vector<SceneFrame>& frames,
                     const SceneColliders& colliders, uint32_t frame);

}  // namespace clothc_tool
