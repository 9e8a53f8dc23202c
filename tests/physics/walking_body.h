// walking_body.h - a body mesh of the shared assets that walks: arms and legs swing, the torso bends and turns, by smooth
// functions of time and place.
#pragma once

#include <optional>

#include "support/world.h"

namespace physics {

class WalkingBody {
 public:
  // Empty, with the reason printed, where the assets are not there.
  static std::optional<WalkingBody> load();

  // Every vertex at a time in s: at 0 as modelled, standing at the origin with its feet 0.82 m below; walks along z.
  std::vector<Vertex> at(double time) const;
  // Where the motion takes a point near the body.
  static Vertex moved(const Vertex& modelled, double time);
  const std::vector<uint32_t>& triangles() const { return triangles_; }

 private:
  std::vector<Vertex> vertices_;
  std::vector<uint32_t> triangles_;
};

}  // namespace physics
