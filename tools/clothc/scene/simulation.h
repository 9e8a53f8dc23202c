// simulation.h - a scene on a device: cooks and adds its cloths, applies each frame's inputs, queues updates.
// Invariant: step() waits for no update but when the solver's limit of queued ones is reached; what reads state waits
// for what it reads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/api.h"
#include "cli/fabric_report.h"
#include "scene/scene.h"

namespace clothc_tool {

// Something that is written to the solver before every update.
class FrameInput {
 public:
  virtual ~FrameInput() = default;
  // frame: the update about to be queued, counted from 1.
  virtual void apply(clothc_solver solver, uint32_t frame) = 0;
};

struct SimulatedCloth {
  clothc_fabric fabric = nullptr;  // the simulation's
  FabricReport report;
  clothc_cloth_id id = 0;
  clothc_cloth_info info;
  std::vector<uint32_t> vertex_map;  // particle of each mesh vertex
};

// Cooks the mesh of a cloth with its pins. Throws ApiError.
Fabric cook_scene_cloth(clothc_device device, const SceneCloth& cloth);

class SceneSimulation {
 public:
  // The scene must outlive the simulation. schedule AUTO = the scene's own. Throws InputError and ApiError.
  SceneSimulation(clothc_device device, const Scene& scene, clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO);

  // Applies the next frame's inputs (gravity, wind, coordinate frames, moving pins, limits and colliders) and queues one update of scene.dt.
  void step();

  uint32_t frame() const { return frame_; }  // updates queued so far
  const Scene& scene() const { return scene_; }
  clothc_device device() const { return device_; }
  clothc_solver solver() const { return solver_.get(); }
  const std::vector<SimulatedCloth>& cloths() const { return cloths_; }  // in the scene's order
  uint32_t particle_capacity() const { return particle_capacity_; }      // elements of per-particle channels

  void wait() const { check(clothc_solver_wait(solver(), UINT64_MAX, CLOTHC_WAIT_FOREVER)); }
  uint64_t hash() const { return state_hash(solver()); }

 private:
  void prepare_cloth(const SceneCloth& cloth, SimulatedCloth& simulated);
  void create_solver_and_colliders(clothc_schedule schedule);
  using ColliderSets = std::vector<clothc_collider_set_id>;
  // For cloths that live in a frame: one of each mesh and one of all other shapes, if there are any.
  ColliderSets add_colliders(const SceneColliders& colliders, uint32_t frame);
  clothc_collider_asset_id asset_of(const SceneBody& body);  // one for all bodies of a mesh or field
  const ColliderSets& scene_colliders(uint32_t frame);
  void add_input(std::unique_ptr<FrameInput> input);  // null is left out
  void add_cloth(const SceneCloth& cloth, SimulatedCloth& simulated);

  clothc_device device_;
  const Scene& scene_;
  Solver solver_;
  std::map<const void*, clothc_collider_asset_id> assets_;  // by mesh or field
  std::map<uint32_t, ColliderSets> colliders_;              // the scene's, by the frame whose coordinates they are in
  std::vector<Fabric> fabrics_;                             // one of all cloths that repeat another
  std::vector<SimulatedCloth> cloths_;
  std::vector<std::unique_ptr<FrameInput>> inputs_;
  uint32_t particle_capacity_ = 0;
  uint32_t frame_ = 0;
};

}  // namespace clothc_tool
