// device_fabric.h - where a fabric's arrays are on the device.
#pragma once

#include <memory>
#include <vector>

#include "cook/fabric_data.h"
#include "core/fabric/blocks.h"

namespace clothc {

// A fabric's arrays in a solver's fabric arena, shared by the cloths of that solver that use it. Offsets in words.
struct DeviceFabric {
  std::shared_ptr<const FabricData> data;
  uint32_t first = 0;
  uint32_t word_count = 0;
  uint32_t constraint_first = 0;
  uint32_t constraint_second = 0;
  uint32_t constraint_rest = 0;
  uint32_t constraint_stiffness = 0;
  uint32_t tether_anchor = 0;
  uint32_t tether_length = 0;
  uint32_t tether_order = 0;
  uint32_t tether_stride = 0;
  uint32_t triangle_corners = 0;  // 0 = no triangles
  uint32_t triangle_stride = 0;
  uint32_t particle_fans = 0;
  uint32_t vertex_fans = 0;
  uint32_t tangent_weights = 0;
  uint32_t particle_handedness = 0;
  uint32_t vertex_handedness = 0;
  uint32_t virtual_corners = 0;  // 0 = no virtual particles
  uint32_t virtual_weights = 0;
  uint32_t virtual_stride = 0;
  uint32_t storage_order = 0;               // 0 = particles are stored at their own indices
  uint32_t vertices = 0;                    // 0 = the particle of a vertex is stored at the vertex's index
  ParticleBlocks blocks;                    // of a large fabric where the backend has a cache to gain by it
  mutable std::vector<uint32_t> bvh_order;  // particles as cook::order_for_bvh has them, once a cloth needs that
};

}  // namespace clothc
