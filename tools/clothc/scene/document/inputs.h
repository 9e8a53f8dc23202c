// inputs.h - the inputs of a scene that change from frame to frame; each maker returns null if nothing does.
#pragma once

#include <memory>

#include "scene/simulation.h"

namespace clothc_tool {

// A collider set, and the frame in whose coordinates its shapes are; in the world, that is the scene.
struct PlacedColliders {
  clothc_collider_set_id set;
  uint32_t frame;
  clothc_collider_space space;
};

// Gravity and wind.
std::unique_ptr<FrameInput> make_parameter_input(const Scene& scene, const SceneCloth& cloth,
                                                 const SimulatedCloth& simulated);
// Also puts the cloth's frame where it is at first.
std::unique_ptr<FrameInput> make_frame_input(clothc_solver solver, const std::vector<SceneFrame>& frames,
                                             const SceneCloth& cloth, const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_breeze_input(clothc_device device, float dt, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_pin_input(clothc_device device, const std::vector<SceneFrame>& frames,
                                           const SceneCloth& cloth, const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_limits_input(clothc_device device, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_collider_input(const std::vector<SceneFrame>& frames, const SceneColliders& colliders,
                                                const PlacedColliders& placed);

// asset: what shows the body.
std::unique_ptr<FrameInput> make_body_input(const std::vector<SceneFrame>& frames, const Attached<SceneBody>& body,
                                            const PlacedColliders& placed, clothc_collider_asset_id asset);
std::unique_ptr<FrameInput> make_triangle_input(const std::vector<SceneFrame>& frames,
                                                const Attached<SceneTriangles>& triangles,
                                                const PlacedColliders& placed);

// From the second update on, where shapes start is what the library has.
inline bool needs_start(uint32_t frame) { return frame == 1; }

// Writes a scene's colliders, all but meshes, as they stand at frame, coming from where they stood a frame before.
void write_colliders(clothc_solver solver, const PlacedColliders& placed, const std::vector<SceneFrame>& frames,
                     const SceneColliders& colliders, uint32_t frame);
void write_body(clothc_solver solver, const PlacedColliders& placed, const std::vector<SceneFrame>& frames,
                const Attached<SceneBody>& body, clothc_collider_asset_id asset, uint32_t frame);
void write_triangles(clothc_solver solver, const PlacedColliders& placed, const std::vector<SceneFrame>& frames,
                     const Attached<SceneTriangles>& triangles, uint32_t frame);

}  // namespace clothc_tool
