// inputs.h - factories of the scene inputs that change from frame to frame. Each returns null if its input never
// changes.
#pragma once

#include <memory>

#include "scene/simulation.h"

namespace clothc_tool {

// A collider set and the coordinate frame in which its shapes are given. With space WORLD that frame is the scene.
struct FramedColliderSet {
  clothc::ColliderSet set;
  uint32_t frame;
  clothc_collider_space space;
};

// Updates gravity and wind velocity.
std::unique_ptr<FrameInput> make_parameter_input(const Scene& scene, const SceneCloth& cloth,
                                                 const SimulatedCloth& simulated);
// Moves the cloth's coordinate frame. The frame is at its initial pose as soon as the input is created.
std::unique_ptr<FrameInput> make_frame_input(const std::vector<SceneFrame>& frames, const SceneCloth& cloth,
                                             const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_breeze_input(const clothc::Device& device, float dt, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_pin_input(const clothc::Device& device, const std::vector<SceneFrame>& frames,
                                           const SceneCloth& cloth, const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_limits_input(const clothc::Device& device, const SceneCloth& cloth,
                                              const SimulatedCloth& simulated);
std::unique_ptr<FrameInput> make_collider_input(const std::vector<SceneFrame>& frames, const SceneColliders& colliders,
                                                const FramedColliderSet& collider_set);

// asset: the collider mesh or SDF that the instance shows.
std::unique_ptr<FrameInput> make_mesh_instance_input(const std::vector<SceneFrame>& frames,
                                                     const Attached<SceneMeshInstance>& instance,
                                                     const FramedColliderSet& collider_set,
                                                     clothc_collider_asset_id asset);
std::unique_ptr<FrameInput> make_triangle_input(const std::vector<SceneFrame>& frames,
                                                const Attached<SceneTriangles>& triangles,
                                                const FramedColliderSet& collider_set);

// Shapes need explicit start values in the first update only; in later ones the library continues from the last target.
inline bool needs_start(uint32_t frame) { return frame == 1; }

// Write colliders at their poses at the end of update `frame`. Those of the first update start from their poses at time
// 0. write_colliders writes all shapes except meshes.
void write_colliders(const FramedColliderSet& collider_set, const std::vector<SceneFrame>& frames,
                     const SceneColliders& colliders, uint32_t frame);
void write_mesh_instance(const FramedColliderSet& collider_set, const std::vector<SceneFrame>& frames,
                         const Attached<SceneMeshInstance>& instance, clothc_collider_asset_id asset, uint32_t frame);
void write_triangles(const FramedColliderSet& collider_set, const std::vector<SceneFrame>& frames,
                     const Attached<SceneTriangles>& triangles, uint32_t frame);

}  // namespace clothc_tool
