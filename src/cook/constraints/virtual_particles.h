// virtual_particles.h - creates virtual particles: points on the triangles that collide in addition to the particles.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Gives every triangle of the fabric the same virtual particles, in the order of the triangles, and fills the table of
// their weights. per_triangle: a square number, or 0 for none.
void add_virtual_particles(uint32_t per_triangle, FabricData& fabric);

}  // namespace clothc::cook
