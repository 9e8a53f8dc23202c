// cloth_collision_passes.cpp - see cloth_collision_passes.h.
#include "core/schedule/cloth_collision_passes.h"

#include "core/collision/particle_layout.h"

namespace clothc {
namespace {

// Rough number of BVH nodes and collision particles that a batch of neighbouring collision particles visits.
constexpr uint32_t loops_in_wide_bvh = 64;

// The part of the argument of a kernel that tells what the walk through the collision particles is for.
uint32_t argument_of_walk(int walk) { return static_cast<uint32_t>(walk) << walk_shift; }

// Refits the boxes of a BVH from its last level up to the root. Levels from `levels` on are left out. Every BVH takes
// the same number of passes, so that level 0 is refitted in the same pass in all cloths. argument_of(level): the
// argument of the kernel.
template <class ArgumentOf>
void add_bvh_refit(Kernel kernel, const WideBvh& bvh, uint32_t levels, PassList& passes, ArgumentOf argument_of) {
  for (uint32_t level = most_bvh_levels; level-- > 0;) {
    const uint32_t boxes = (bvh.boxes(level) + node_children - 1) / node_children * node_children;
    if (level < levels) {
      passes.add(kernel, {0, boxes}, argument_of(level), node_children);
    } else {
      passes.end_pass();
    }
  }
}

void add_particle_bvh_refit(const WideBvh& bvh, PassList& passes) {
  add_bvh_refit(Kernel::refit_particle_bvh, bvh, bvh.levels, passes, [](uint32_t level) { return level; });
}

}  // namespace

void add_self_collision(const Cloth& cloth, PassList& passes) {
  if (!cloth.collides_with_itself()) return;
  const CollisionParticleLayout layout(cloth.collision_particle_count());
  const Range range{0, layout.stride};
  const bool has_friction = cloth.parameters.self_collision_friction > 0 || cloth.parameters.self_collision_damping > 0;
  passes.add(Kernel::gather_collision_particles, range, has_friction ? particles_move : 0u);
  add_particle_bvh_refit(layout.bvh, passes);
  passes.add(Kernel::collide_self, range, argument_of_walk(walk_counts), loops_in_wide_bvh);
  passes.add(Kernel::collide_self, range, argument_of_walk(walk_pushes), loops_in_wide_bvh);
  if (has_friction) passes.add(Kernel::collide_self, range, argument_of_walk(walk_friction), loops_in_wide_bvh);
}

void add_collision_particle_refits(const Cloth& cloth, const InterCollision& inter_collision, uint32_t gather_flags,
                                   bool collides, PassList& passes) {
  const CollisionParticleLayout layout(cloth.collision_particle_count());
  passes.begin_stage();
  if (collides) {
    passes.add(Kernel::gather_collision_particles, {0, layout.stride},
               particles_in_world | (inter_collision.has_friction ? particles_move : 0u) | gather_flags);
  }
  passes.begin_stage();
  if (collides) add_particle_bvh_refit(layout.bvh, passes);
  passes.begin_stage();
  if (cloth.inter_index == 0)
    passes.add(Kernel::refit_cloth_leaves, {0, inter_collision.count()}, inter_collision.header, node_children);
  passes.begin_stage();
  const WideBvh bvh(inter_collision.count());
  if (cloth.inter_index == 0) {
    add_bvh_refit(Kernel::refit_cloth_bvh, bvh, bvh.levels - 1, passes,
                  [&](uint32_t level) { return inter_collision.header_of(level); });
  }
  passes.begin_stage();
}

void add_inter_collision(const Cloth& cloth, const InterCollision& inter_collision, uint32_t argument, bool collides,
                         PassList& passes) {
  const Range range{0, CollisionParticleLayout(cloth.collision_particle_count()).stride};
  add_collision_particle_refits(cloth, inter_collision, argument == inter_in_iteration ? 0u : particles_of_update,
                                collides, passes);
  const int last_walk = inter_collision.has_friction ? walk_friction : walk_pushes;
  for (int walk = walk_counts; walk < walk_kinds; ++walk) {
    if (collides && walk <= last_walk)
      passes.add(Kernel::collide_cloths, range, argument | argument_of_walk(walk), loops_in_wide_bvh);
    passes.begin_stage();
  }
}

void add_after_iterations(const Cloth& cloth, const InterCollision& inter_collision, PassList& passes) {
  for (uint32_t pass = 0; pass < inter_collision.passes; ++pass)
    add_inter_collision(cloth, inter_collision, pass, pass < cloth.parameters.inter_collision_iterations, passes);
  passes.begin_stage();
  if (cloth.parameters.sleep_threshold > 0) {
    passes.add(Kernel::collide_cloths, {0, CollisionParticleLayout(cloth.collision_particle_count()).stride},
               argument_of_walk(walk_counts) | inter_restless |
                   (cloth.collides_with_cloths_in_iterations() ? inter_in_iteration : 0u),
               loops_in_wide_bvh);
  }
  passes.begin_stage();
}

}  // namespace clothc
