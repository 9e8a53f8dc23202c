// walking_body.h - a body mesh of the shared assets that walks: arms and legs swing, and the torso bends and turns, by
// smooth functions of time and position.
#pragma once

#include <optional>

#include "support/world.h"

namespace physics {

class WalkingBody {
 public:
  // Returns nothing, after printing the reason, if the assets are missing.
  static std::optional<WalkingBody> load();

  // Returns every vertex at a time in s. At time 0 the body is as modelled and stands at the origin with its feet 0.82
  // m below. It walks along z.
  std::vector<Vertex> at(double time) const;
  // Returns where the motion takes a point near the body.
  static Vertex moved(const Vertex& modelled, double time);
  const std::vector<uint32_t>& triangles() const { return triangles_; }

 private:
  std::vector<Vertex> vertices_;
  std::vector<uint32_t> triangles_;
};

}  // namespace physics
