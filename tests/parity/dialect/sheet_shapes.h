// sheet_shapes.h - collider sets with shapes of every kind that collide with the sheets, laid out by core's own code.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Gives the scene its two sets: one in the coordinates of the cloths and one in the world.
void add_collider_sets(Scene& scene);

// Gives a cloth with a known padded_count the first few sets, and memory for its transformed shapes.
void add_shapes(Scene& scene, uint32_t set_count, GroupSettings& settings);

// Moves the shapes from their positions at an update's start to those at its end.
void move_shapes(const Scene& scene, Arenas& arenas, int frame);

// Returns the jobs that build the BVHs over the sets' triangles, which only some updates do, and the jobs that compute
// their bounds.
std::vector<Job> triangle_bvh_jobs(const Scene& scene, int frame);

// add_report reserves memory for a cloth's contacts. set_report sets, before each update, where those of each
// particle go.
void add_report(Arenas& arenas, uint32_t cloth, GroupSettings& settings);
void set_report(Arenas& arenas, const GroupSettings& settings);

// Appends the jobs that report contacts. They run without the sums of counts in between, so every particle has reserved
// memory of its own.
void add_reporting(const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);

// Appends the jobs that transform the cloth's shapes: add_bounding for the update, add_placing for one iteration.
void add_bounding(const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);
void add_placing(const Scene& scene, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);

}  // namespace clothc::probes
