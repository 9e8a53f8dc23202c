// simulation.h - a scene on a device: cooks and adds its cloths, applies each frame's inputs and queues updates.
// Invariant: step() waits only if the solver's limit of queued updates is reached; functions that read state wait for
// the work that they depend on.
#pragma once

#include <clothc.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/fabric_report.h"
#include "scene/scene.h"

namespace clothc_tool {

// An input that is written to the solver before every update.
class FrameInput {
 public:
  virtual ~FrameInput() = default;

  // frame: number of the update that is about to be queued, counted from 1.
  virtual void apply(const clothc::Solver& solver, uint32_t frame) = 0;
};

struct SimulatedCloth {
  // Owned by the simulation.
  const clothc::Fabric* fabric = nullptr;

  FabricReport report;
  clothc::Cloth cloth;
  clothc_cloth_info info;

  // Particle of each mesh vertex.
  std::vector<uint32_t> vertex_map;
};

// Cooks the mesh of a cloth, with its pinned vertices.
clothc::Result<clothc::Fabric> cook_scene_cloth(const clothc::Device& device, const SceneCloth& cloth);

class SceneSimulation {
 public:
  // The device and the scene must outlive the simulation. schedule: AUTO = the schedule of the scene. contact_capacity:
  // number of contacts that an update can report, for cloths whose collision_flags ask for it. Throws InputError and
  // clothc::Error.
  SceneSimulation(const clothc::Device& device, const Scene& scene, clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO,
                  uint32_t contact_capacity = 0);

  // Applies the next frame's inputs (gravity, wind, coordinate frames, moving pins, limits and colliders) and queues
  // one update of scene.dt.
  void step();

  // Whether the updates of steps measure their times.
  void set_timers(bool has_timers) { has_timers_ = has_timers; }

  // Adds an input that is applied behind the scene's own, unless it is null.
  void add_input(std::unique_ptr<FrameInput> input);

  // Number of updates queued so far.
  uint32_t frame() const { return frame_; }

  const Scene& scene() const { return scene_; }
  const clothc::Device& device() const { return device_; }
  const clothc::Solver& solver() const { return solver_; }

  // In the order of the scene.
  const std::vector<SimulatedCloth>& cloths() const { return cloths_; }

  // Number of elements of the per-particle channels.
  uint32_t particle_capacity() const { return particle_capacity_; }

  void wait() const { solver_.wait().check(); }
  uint64_t hash() const { return solver_.state_hash().value(); }

  // Destroy the fabrics, which the cloths do not need any more, and the solver with its cloths. Only frame(), scene()
  // and device() may be called afterwards.
  void destroy_fabrics() { fabrics_.clear(); }
  void destroy_solver() { solver_.reset(); }

 private:
  void prepare_cloth(const SceneCloth& cloth, SimulatedCloth& simulated);
  void create_solver_and_colliders(clothc_schedule schedule, uint32_t contact_capacity);
  using ColliderSets = std::vector<clothc_collider_set_id>;

  // Creates the collider sets for cloths that live in the given frame: one for all shapes that are no meshes, if there
  // are any, and one for each mesh.
  ColliderSets add_colliders(const SceneColliders& colliders, uint32_t frame);

  // Returns the asset of the mesh or SDF of an instance, which all instances of it share.
  clothc_collider_asset_id asset_of(const SceneMeshInstance& instance);

  const ColliderSets& scene_colliders(uint32_t frame);

  void add_cloth(const SceneCloth& cloth, SimulatedCloth& simulated);

  const clothc::Device& device_;
  const Scene& scene_;
  clothc::Solver solver_;

  // Assets by the address of their mesh or SDF.
  std::map<const void*, clothc_collider_asset_id> assets_;

  // The scene's collider sets by the frame in whose coordinates they are.
  std::map<uint32_t, ColliderSets> colliders_;

  // Cloths that repeat another one share its fabric. The vector never grows beyond what is reserved, because
  // SimulatedCloth points to its elements.
  std::vector<clothc::Fabric> fabrics_;

  std::vector<SimulatedCloth> cloths_;
  std::vector<std::unique_ptr<FrameInput>> inputs_;
  uint32_t particle_capacity_ = 0;
  bool has_timers_ = false;
  uint32_t frame_ = 0;
};

}  // namespace clothc_tool
