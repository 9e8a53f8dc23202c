// sheet_shapes.h - the collider sets that the sheets touch, with shapes of every kind, in the layout of core's own
// code.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Gives the scene its sets: one in the coordinates of the cloths, and one in the world.
void add_collider_sets(Scene& scene);

// Gives a cloth, whose padded_count is known, the first few sets and a place for their shapes.
void add_shapes(Scene& scene, uint32_t set_count, ClothSettings& settings);

// Moves the shapes from where they are at an update's begin to where they are at its end.
void move_shapes(const Scene& scene, Arenas& arenas, int frame);

// The jobs that build the trees over the sets' triangles, which only some updates do, and that bound them.
std::vector<Job> triangle_bvh_jobs(const Scene& scene, int frame);

// Gives a cloth room for its contacts, and says anew, before an update, where those of each particle go.
void add_report(Arenas& arenas, uint32_t cloth, ClothSettings& settings);
void place_report(Arenas& arenas, const ClothSettings& settings);

// Appends the jobs that report contacts: without sums of counts between them, so that every particle has room of its
// own.
void add_reporting(const ClothSettings& settings, uint32_t cloth, std::vector<Job>& jobs);

// Appends the jobs that place the cloth's shapes: for the update, and in an iteration.
void add_bounding(const ClothSettings& settings, uint32_t cloth, std::vector<Job>& jobs);
void add_placing(const Scene& scene, const ClothSettings& settings, uint32_t cloth, std::vector<Job>& jobs);

}  // namespace clothc::probes
