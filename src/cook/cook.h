// cook.h - the cooker's entry points: mesh -> fabric arrays -> layout. Input has been validated by core.
#pragma once

#include "cook/fabric_data.h"

namespace clothc {

// A validated mesh, copied out of the caller's strided arrays.
struct MeshData {
  std::vector<float> positions;            // [vertices][3]
  std::vector<float> inverse_masses;       // [vertices] or empty = all 1
  std::vector<float> stiffness;            // [vertices] 0..1, or empty
  std::vector<float> texture_coordinates;  // [vertices][2], or empty
  std::vector<uint32_t> triangles;         // [triangles][3]
  std::vector<uint32_t> quads;             // [quads][4]
  float weld_distance = 0;                 // < 0: never weld
  float areal_density = 0;                 // kg/m2, 0 = take inverse_masses as they are
  uint32_t tethers_per_particle = 1;       // 0 = none
  bool shear = true;
  bool bend = true;
  bool quadify = false;
  bool reorder = true;                          // particles may be stored in another order than the mesh's
  float gravity_hint[3] = {0, 0, 0};            // 0 = none
  uint32_t virtual_particles_per_triangle = 0;  // 0 or a square number
  uint32_t long_range_edges[4] = {0, 0, 0, 0};  // 0 = none
};

// Welds, builds stretch/shear/bend phases (one set and one phase each) and geodesic tethers. The result is not laid out.
FabricData cook_mesh(const MeshData& mesh);

// Chooses where particles are stored, from the constraints. cook_mesh does so if the mesh allows it; for other fabrics call
// it before lay_out, or not at all.
void choose_storage_order(FabricData& fabric);

// Fills the second part of fabric: colours, padding, tether levels, content hash. For cooked and raw fabrics alike.
void lay_out(FabricData& fabric);

}  // namespace clothc
