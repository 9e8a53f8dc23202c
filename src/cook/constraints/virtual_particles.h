// virtual_particles.h - points on a mesh's triangles that collide beside its particles.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Gives every triangle the same virtual particles, triangle by triangle, and the fabric the table of their weights.
// per_triangle: a square number, or 0 for none.
void add_virtual_particles(uint32_t per_triangle, FabricData& fabric);

}  // namespace clothc::cook
