// cook.h - entry points of the cooker, which turns a mesh into the arrays of a fabric and then into the layout that the
// kernels read. src/core validates the input before it calls them.
#pragma once

#include "cook/fabric_data.h"
#include "cook/fabric_layout.h"

namespace clothc {

// A validated mesh, copied out of the caller's strided arrays.
struct MeshData {
  // [vertices][3] in m.
  std::vector<float> positions;
  // [vertices] in 1/kg; 0 = pinned. If the array is empty, all are 1.
  std::vector<float> inverse_masses;
  // [vertices] from 0 to 1, or empty if constraints have the stiffness of their phase.
  std::vector<float> stiffness;
  // [vertices][2], or empty.
  std::vector<float> texture_coordinates;

  // [triangles][3] and [quads][4] vertices.
  std::vector<uint32_t> triangles;
  std::vector<uint32_t> quads;

  // In m. Vertices no farther apart than this become one particle. 0 = only identical ones, negative = none.
  float weld_distance = 0;
  // In kg/m2. 0 = take inverse_masses as they are.
  float areal_density = 0;
  // 0 = no tethers.
  uint32_t tethers_per_particle = 1;

  // Whether to create shear and bend constraints.
  bool shear = true;
  bool bend = true;
  // Whether to create coarse levels.
  bool hierarchy = true;
  // Whether to merge pairs of triangles into quads.
  bool quadify = false;
  // Whether particles may be stored in another order than that of the mesh.
  bool reorder = true;
  // Direction of gravity, of any length. 0 0 0 = no hint.
  float gravity_hint[3] = {0, 0, 0};
  // 0 or a square number.
  uint32_t virtual_particles_per_triangle = 0;
  // Number of edges that the long-range constraints of each such phase bridge. 0 = no such phase.
  uint32_t long_range_edges[4] = {0, 0, 0, 0};
};

// Welds the vertices and creates the constraints of all phases (every phase has one set), the geodesic tethers, the
// coarse levels and the virtual particles. It does not call lay_out.
FabricData cook_mesh(const MeshData& mesh);

// Chooses from the constraints in which order particles are stored. cook_mesh calls this if the mesh allows another
// order. For other fabrics the call is optional, and must come before lay_out.
void choose_storage_order(FabricData& fabric);

// Lays out a fabric as kernels read it. Cooked and raw fabrics are treated alike.
// lattice_batch_cost: that of the device (is_worth_lattice), or UINT32_MAX for no lattice.
LaidOutFabric lay_out(const FabricData& fabric, uint32_t lattice_batch_cost = UINT32_MAX);

}  // namespace clothc
