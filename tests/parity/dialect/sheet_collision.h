// sheet_collision.h - what the sheets need to collide with themselves and with each other.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Gives a cloth, whose particles are known, its collision particles; called for all cloths in their order.
void add_collision_particles(Arenas& arenas, uint32_t cloth, uint32_t cloth_count, ClothSettings& settings);
// Once all have theirs: the list of cloths that collide, and their tree.
void add_inter_collision(Arenas& arenas);
// Rest positions, and a cloth that sleeps in some updates.
void place_collision_particles(const Scene& scene, Arenas& arenas, int frame);

// Appends the jobs of self-collision in an iteration, and those by which all cloths collide once their iterations are
// done.
void add_self_collision(const ClothSettings& settings, uint32_t cloth, std::vector<Job>& jobs);
void add_inter_collision_jobs(const Scene& scene, std::vector<Job>& jobs);

}  // namespace clothc::probes
