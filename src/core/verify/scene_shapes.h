// scene_shapes.h - the collider sets of the scene of a verification, with shapes of every kind that move.
#pragma once

#include "core/solver/solver.h"

namespace clothc {

class SceneShapes {
 public:
  explicit SceneShapes(Solver& solver);

  // Shapes of all kinds, in the world.
  clothc_collider_set_id all() const { return all_; }
  // Spheres, tapered capsules and ellipsoids, in the frame of each cloth.
  clothc_collider_set_id curved() const { return curved_; }
  // Moves the shapes to where they are at the end of an update.
  void move(Solver& solver, uint32_t update) const;

 private:
  void write_all(Solver& solver, float time) const;
  void write_curved(Solver& solver, float time) const;

  clothc_collider_asset_id mesh_;
  clothc_collider_asset_id sdf_;
  clothc_collider_set_id all_;
  clothc_collider_set_id curved_;
};

}  // namespace clothc
