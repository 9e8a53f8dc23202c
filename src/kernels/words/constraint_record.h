// constraint_record.h - the words of constraint records. Part of kernels/types.h.

// Words of a constraint record in the tables arena: how a cloth solves a set of constraints, and where the set is. It
// takes two lines of 64 bytes. begin_group reads the first line and writes a part of the second one; kernels over
// constraints read only the second line.
const uint constraint_words = 32u;
// The settings of the phase config. Constraints of other stages have the defaults in place of those that they lack.
const uint constraint_stiffness = 0u;
const uint constraint_multiplier = 1u;
const uint constraint_compression_limit = 2u;
const uint constraint_stretch_limit = 3u;
// Begin and end of the constraints that count for the stretch statistic.
const uint constraint_stretch_begin = 4u;
const uint constraint_stretch_end = 5u;
// Number of neighbouring constraints that share what the stiffness removes per iteration: tethers per particle, else 1.
const uint constraint_parts = 6u;
// Number of rings that count for the stretch statistic, with padding.
const uint constraint_stretch_rings = 7u;

// First word of the second line.
const uint constraint_line = 16u;
// Part of the error that is removed per iteration.
const uint constraint_rate = 16u;
// Part of the limited error that is left alone.
const uint constraint_soft_part = 17u;
// 1 - 1 / compression limit.
const uint constraint_lower_error = 18u;
// 1 - 1 / stretch limit.
const uint constraint_upper_error = 19u;
// stiffness_frequency * h
const uint constraint_exponent = 20u;
// Factor on rest lengths.
const uint constraint_scale = 21u;
// m2, added to squared lengths.
const uint constraint_regularisation = 22u;
// first_particle of the cloth.
const uint constraint_first_particle = 23u;
// topology: rows of storage indices, one row per particle of a constraint, and rows of parameters.
const uint constraint_particles = 24u;
const uint constraint_parameters = 25u;
// Words from one row to the next.
const uint constraint_stride = 26u;
// Number of rows of parameters.
const uint constraint_width = 27u;
// topology: blocks of 16 rings, each of four rows of storage indices and four rows of lengths.
const uint constraint_rings = 28u;
const uint ring_block_words = 128u;
// Of angles and areas: 1 if none of them is held by distances (constraints/loose.kernel.h).
const uint constraint_all_loose = 28u;
// topology: the batches of the cloth's lattice, and the particle of each slot. tables: its rows of x, y, z and inverse
// masses, and the words in each.
const uint lattice_particles = 24u;
const uint lattice_batches = 29u;
const uint lattice_batch_words = 80u;
const uint lattice_rows = 30u;
const uint lattice_stride = 31u;
// topology, of a set of tethers: the tethers by slots. A row is 16 anchors and 16 lengths.
const uint lattice_tethers = 28u;
const uint lattice_tether_words = 32u;
// The first rows of positions, and of previous positions.
const uint lattice_positions = 0u;
const uint lattice_previous = 4u;
const uint lattice_row_count = 8u;

// Of a record that a crowd (constraints/crowd.kernel.h) has for a phase: words of the tables, with what cloths have as
// the words from constraint_rate to constraint_regularisation, the slots of particles, and the head of the crowd.
const uint crowd_values = 29u;
const uint crowd_slots = 30u;
const uint crowd_head = 31u;
// A crowd begins with its head: first_particle of each cloth, and whether the cloth is in an iteration. Then there are the
// record and the values of each phase, and the slots: x, y, z and inverse mass for each particle.
const uint crowd_running = 16u;
const uint crowd_head_words = 32u;
const uint crowd_value_count = 7u;
const uint crowd_phase_words = 144u;
const uint crowd_slot_words = 64u;
