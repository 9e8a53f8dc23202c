// recorded_scene.h - several updates of three cloths, recorded pass by pass. They contain everything that the order of
// passes may affect: several colours, levels of tethers, moving motion constraints and shapes, friction, shapes of
// different kinds that hold the same particles, velocities and accelerations, and different numbers of iterations.
#pragma once

#include <memory>
#include <vector>

#include "unit/core/host_backend.h"

namespace clothc::test {

class RecordedScene {
 public:
  // with_triangles: also adds a triangle mesh. Leave it out where kernels run before the triangle BVH has been built,
  // since they would read invalid data.
  explicit RecordedScene(bool with_triangles = true);
  ~RecordedScene();
  RecordedScene(const RecordedScene&) = delete;
  RecordedScene& operator=(const RecordedScene&) = delete;
  // Returns what the solver's stream ran, for updates and other calls.
  const std::vector<Recording>& recordings() const { return recordings_; }

 private:
  clothc_cloth_id add_sheet(float x, float solver_frequency);
  clothc_cloth_id add_rope();
  clothc_cloth_id add(clothc_fabric fabric, clothc_cloth_parameters parameters);
  void write_shapes(float time);
  void set(clothc_channel channel, clothc_cloth_id cloth, const std::vector<float>& values);
  void set_motion(clothc_cloth_id cloth, float time);
  void read_velocities(clothc_cloth_id cloth);
  void update(float dt);

  std::vector<Recording> recordings_;
  bool with_triangles_;
  clothc_device device_ = nullptr;
  clothc_solver solver_ = nullptr;
  clothc_collider_set_id shapes_ = 0;
};

}  // namespace clothc::test
