// cloth_collision_passes.h - the passes in which a cloth collides with itself and with other cloths.
#pragma once

#include "core/schedule/pass_list.h"

namespace clothc {

// Adds nothing if the cloth does not collide with itself.
void add_self_collision(const Cloth& cloth, PassList& passes);

// Gathers the collision particles of a cloth that collides with others and refits the BVH over them, then refits the
// BVH over all such cloths. The jobs of the latter, which belong to no cloth, are listed with the first of these
// cloths. gather_flags: more flags for gather_collision_particles. collides: whether the cloth gathers its particles at
// all.
void add_collision_particle_refits(const Cloth& cloth, const InterCollision& inter_collision, uint32_t gather_flags,
                                   bool collides, PassList& passes);

// Adds the jobs of one collision step between cloths. argument: inter_in_iteration, or the number of the pass at the
// update's end. collides: whether the cloth collides now; if not, only the shared BVH is refitted.
void add_inter_collision(const Cloth& cloth, const InterCollision& inter_collision, uint32_t argument, bool collides,
                         PassList& passes);

// Adds the jobs that cloths which collide with others run once the iterations of all cloths are done.
void add_after_iterations(const Cloth& cloth, const InterCollision& inter_collision, PassList& passes);

}  // namespace clothc
