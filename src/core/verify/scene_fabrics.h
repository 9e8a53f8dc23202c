// scene_fabrics.h - the fabrics of the scene of a verification. Together they have every type of constraint, and every
// way in which constraints are laid out.
#pragma once

#include <memory>

#include "core/fabric/fabric.h"

namespace clothc {

// A grid of quads with its first row pinned, which is cooked.
struct GridSpec {
  uint32_t columns;
  uint32_t rows;
  // Of neighbours, in m.
  float spacing;
  // Position of the first vertex. The grid lies in a plane through it that rises a little.
  float origin[3];
  uint32_t virtual_particles_per_triangle = 0;
  // Of long-range constraints, 0 = none.
  uint32_t long_range_edges = 0;
  bool has_texture_coordinates = false;
  // Whether vertices have stiffnesses of their own.
  bool has_stiffness = false;
};

std::shared_ptr<Fabric> cook_grid(const std::shared_ptr<Device>& device, const GridSpec& spec);

// A net given as arrays, with pairs in no regular order, angles between triangles, areas, and tethers of its particles
// to each other.
std::shared_ptr<Fabric> make_net(const std::shared_ptr<Device>& device);

// A deterministic sequence of numbers in [low, high) (Numerical Recipes).
class SceneNumbers {
 public:
  explicit SceneNumbers(uint32_t seed) : state_(seed) {}
  float next(float low, float high) {
    state_ = state_ * 1664525u + 1013904223u;
    return low + (high - low) * (static_cast<float>(state_ >> 8) * 0x1p-24f);
  }

 private:
  uint32_t state_;
};

}  // namespace clothc
