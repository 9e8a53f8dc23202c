// device_fabric.h - the location of a fabric's arrays in device memory.
#pragma once

#include <memory>
#include <vector>

#include "cook/fabric_data.h"
#include "core/fabric/blocks.h"

namespace clothc {

// The arrays of a fabric in the topology arena of a solver, shared by all cloths of that solver that use the fabric.
// Offsets, strides and sizes are in 4-byte words. An offset of 0 means that there is no such array.
struct DeviceFabric {
  std::shared_ptr<const FabricData> data;

  // The range allocated in the arena.
  uint32_t first = 0;
  uint32_t word_count = 0;

  // Constraints.
  uint32_t constraint_first = 0;
  uint32_t constraint_second = 0;
  uint32_t constraint_rest = 0;
  uint32_t constraint_stiffness = 0;

  // Tethers. tether_stride is the distance from one tether of a particle to its next one.
  uint32_t tether_anchor = 0;
  uint32_t tether_length = 0;
  uint32_t tether_order = 0;
  uint32_t tether_stride = 0;

  // Triangles, and what normals and tangents need. triangle_stride is the number of triangles with padding.
  uint32_t triangle_corners = 0;
  uint32_t triangle_stride = 0;
  uint32_t particle_fans = 0;
  uint32_t vertex_fans = 0;
  uint32_t tangent_weights = 0;
  uint32_t particle_handedness = 0;
  uint32_t vertex_handedness = 0;

  // Virtual particles. virtual_stride is their number with padding.
  uint32_t virtual_corners = 0;
  uint32_t virtual_weights = 0;
  uint32_t virtual_stride = 0;

  // Storage index of each particle. 0 if every particle is stored at its own index.
  uint32_t storage_order = 0;

  // Storage index of the particle of each vertex. 0 if that is always the index of the vertex.
  uint32_t vertices = 0;

  // Division of a large fabric, for backends whose cache makes it worthwhile.
  ParticleBlocks blocks;

  // Particles in the order of cook::order_for_bvh. It is empty until a cloth needs it.
  mutable std::vector<uint32_t> bvh_order;
};

}  // namespace clothc
