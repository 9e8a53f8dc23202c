// cloth_collision.h - the words of collision particles and of the BVHs over them and over the cloths that collide, and the
// arguments of the kernels that use them. Part of kernels/types.h.

// Words per collision particle of a cloth that collides with cloth, in arrays over its collision particles. Positions
// and inverse masses are those of the begin of the stage.
const uint set_particle = 0u;
const uint set_position = 1u;
const uint set_inverse_mass = 4u;
const uint set_previous = 5u;
// x y z, and w = 1 where there is a rest position.
const uint set_rest = 8u;
// Number of other collision particles that push this one.
const uint set_contacts = 12u;
// Position after it was pushed, where any push it.
const uint set_moved = 13u;
// Phase, where the cloth or group has phases.
const uint set_phase = 16u;
const uint collision_particle_words = 17u;

// A node of a BVH: least x of its 16 children, their least y, ..., their greatest z.
const uint node_children = 16u;
const uint node_words = 96u;
// Enough for 2^28 items.
const uint most_bvh_levels = 6u;

// Words of the header of the BVH over the cloths that collide with each other, in tables. There is a header for each
// level, one behind the other; they differ in cloth_bvh_level only.
const uint cloth_bvh_words = 8u;
// Number of these cloths.
const uint cloth_bvh_count = 0u;
// Their slots, in the order in which they were added and in the order of the curve of cloth_bvh.kernel.h.
const uint cloth_bvh_cloths = 1u;
const uint cloth_bvh_order = 2u;
// Float, cells of that curve per m.
const uint cloth_bvh_cells = 3u;
const uint cloth_bvh_nodes = 4u;
const uint cloth_bvh_levels = 5u;
const uint cloth_bvh_level = 6u;
// Numbers of the cloths along the curve, by which they are sorted.
const uint cloth_bvh_keys = 7u;

// Arguments of gather_collision_particles.
const uint particles_in_world = 1u;
// Gathers previous positions as well.
const uint particles_move = 2u;
// In place of previous positions, gathers where the particles would have been when the update began.
const uint particles_of_update = 4u;

// Arguments of the kernels by which cloth collides with cloth: what a walk through the collision particles is for. One
// kernel does all of them in turn, because drivers take seconds to compile each copy of the walk.
const uint walk_shift = 10u;
const int walk_counts = 0;
const int walk_pushes = 1;
const int walk_friction = 2;
const int walk_kinds = 3;
// The same, of cloths that collide with each other. Without inter_in_iteration, the low bits are the number of a pass at
// the update's end.
const uint inter_in_iteration = 0x100u;
// Considers only cloths that did not pass their last sleep test, and counts contacts of a cloth that sleeps, to wake it.
const uint inter_restless = 0x200u;

// What else decides whether particles of one cloth collide: nothing, rest positions, or phases and, if there are any,
// rest positions.
const int filter_none = 0;
const int filter_rest = 1;
const int filter_phases = 2;
const int filter_kinds = 3;
