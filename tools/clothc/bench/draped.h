// The benchmark cases in which a sheet of 50 x 50 particles, 2 m wide, lies on colliders, with friction 0.3.
#pragma once

#include "scene/scene.h"

namespace clothc_tool {

// On a body of a sphere and 5 tapered capsules that stands on all fours. So that the sheet never slides down, the four
// particles in its middle are pinned.
struct DrapedOptions {
  bool continuous = false;
  uint32_t virtual_particles_per_triangle = 0;
};
Scene sheet_on_capsules(const DrapedOptions& options);

// On two hexagonal prisms, convexes of 8 planes each, and the ground.
Scene sheet_on_convexes();

// On a bumpy ellipsoid of 2 sectors (rings - 1) triangles that breathes: its vertices are others in every frame. The
// middle of the sheet is pinned, likewise.
Scene sheet_on_triangles(uint32_t sectors, uint32_t rings);

}  // namespace clothc_tool
