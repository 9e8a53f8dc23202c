// kinds.h - the kinds of collision with shapes, in the order in which an iteration runs them, and the kernel of each.
#pragma once

#include <array>

#include "core/collision/collider_set.h"
#include "kernels/layout.h"

namespace clothc {

struct CollisionKind {
  // Pushes particles out of the shapes, or reports the contacts.
  Kernel kernel;
  // Approximate number of loop iterations per particle. 0 if there are no such shapes.
  uint32_t loop_count;
};

// is_continuous: whether the cloth has CLOTHC_COLLISION_CONTINUOUS.
inline std::array<CollisionKind, 4> collision_kinds(const ShapeCounts& shapes, bool is_continuous) {
  // Rough numbers of BVH nodes and triangles that a batch of neighbouring particles visits, and of steps of a sweep.
  constexpr uint32_t loops_in_triangle_bvh = 128, steps_of_sweep = 40;
  return {{{Kernel::collide_convexes, shapes.planes + shapes.convexes + shapes.boxes},
           {Kernel::collide_triangles, shapes.meshes * loops_in_triangle_bvh},
           {Kernel::collide_sdfs, shapes.sdfs * (is_continuous ? steps_of_sweep : 1)},
           {is_continuous ? Kernel::collide_curved_continuously : Kernel::collide_curved,
            shapes.spheres + shapes.capsules + shapes.ellipsoids}}};
}

}  // namespace clothc
