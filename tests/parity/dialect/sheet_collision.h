// sheet_collision.h - what the sheets need in order to collide with themselves and with each other.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Gives a cloth with known particles its collision particles. It is called for all cloths in order.
void add_collision_particles(Arenas& arenas, uint32_t cloth, GroupSettings& settings);
// Adds the list of colliding cloths and the BVH over them, once all cloths have their collision particles.
void add_inter_collision(Arenas& arenas);
// Sets rest positions, and puts one cloth to sleep in some updates.
void set_collision_particles(const Scene& scene, Arenas& arenas, int frame);

// Appends the jobs of self-collision in an iteration; add_inter_collision_jobs appends those by which all cloths
// collide after their iterations.
void add_self_collision(const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);
void add_inter_collision_jobs(const Scene& scene, std::vector<Job>& jobs);

}  // namespace clothc::probes
