// draped.h - the benchmark cases in which a sheet of 50 x 50 particles, 2 m wide, lies on colliders with friction 0.3.
#pragma once

#include "scene/scene.h"

namespace clothc_tool {

// The sheet lies on a body on all fours, made of a sphere and 5 tapered capsules. The four particles in its centre are
// pinned so that it never slides off.
struct DrapedOptions {
  bool continuous = false;
  uint32_t virtual_particles_per_triangle = 0;
};
Scene sheet_on_capsules(const DrapedOptions& options);

// The sheet lies on two hexagonal prisms, convexes of 8 planes each, and on the ground.
Scene sheet_on_convexes();

// The sheet lies on shapes of every kind, and on 450 triangles that move. It has virtual particles, tethers, coarse levels
// and motion constraints, is in wind and collides with itself: a scene for what an update can do rather than for speed.
Scene sheet_on_everything();

// The sheet lies on a bumpy ellipsoid of 2 sectors (rings - 1) triangles that breathes, so that all vertices move in
// every frame. The centre of the sheet is pinned here, too.
Scene sheet_on_triangles(uint32_t sectors, uint32_t rings);

}  // namespace clothc_tool
