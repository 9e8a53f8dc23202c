// hierarchy.h - where kernels find the coarse levels of a cloth. Part of kernels/types.h.

// Words of the record of a level, which is a constraint record: its stiffness is that of the corrections, and its soft
// part the rate at which the cloth resists shear. These words take the places of those that other constraints have.
// Level 0 has only those of parents and motions.
// topology: see cook/layout/levels.h and, about neighbours, cook/layout/neighbours.h.
const uint level_parent_nodes = 22u;
const uint level_members = 24u;
const uint level_neighbours = 25u;
const uint neighbour_slot_words = 48u;
const uint level_nodes = 26u;
// tables: the rows of the level. The rows of the next finer level are behind them.
const uint level_rows = 27u;
// Number of elements in each row: more than there are nodes, and a multiple of 16.
const uint level_stride = 28u;
// topology: the parents of this level's nodes; 0 = this is the coarsest level.
const uint level_parents = 29u;
// tables: the motions of the nodes of the next coarser level.
const uint level_motions = 30u;

// Rows in level_nodes.
const uint node_inverse_share = 0u;
const uint node_inverse_size = 1u;
const uint node_size = 2u;
const uint node_part = 3u;
const uint node_centre = 4u;
const uint node_particle_lengths = 7u;

// Rows in level_rows. The first three have four words per node.
// x y z of the node, and the part that it is of its coarser node. Before the iterations, as numbers: the nearest of
// the node's pinned particles, or CLOTHC_NO_PIN, and their count.
const uint row_means = 0u;
// x y z after the motion of the coarser level, or after a sweep back; and the node's weight.
const uint row_nodes = 4u;
// The same after a sweep over the neighbours. The motion of the node takes its place.
const uint row_swept = 8u;
const uint row_motions = 8u;
// The pinned particle that the node must not get farther away from, and how far. A padding particle = none.
const uint row_pin = 12u;
const uint row_pin_length = 13u;
// 1 / share, or 0 if pinned particles hold the node.
// The rows of pins and this one keep their contents until pins are looked for again.
const uint row_weight = 14u;
const uint level_row_count = 15u;
// Above all storage indices.
#define CLOTHC_NO_PIN 33554432.0f
// The storage index of a padding particle.
#define CLOTHC_NO_PARTICLE (-16)
