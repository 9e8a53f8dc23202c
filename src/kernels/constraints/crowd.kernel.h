// crowd.kernel.h - distance constraints of 16 cloths that share a fabric, one lane per cloth: the particles of a constraint
// are the same in all lanes, so that the rows of x, y, z and inverse masses are loaded without being gathered. Results
// are those of edges.kernel.h and rings.kernel.h. The argument is the record that the crowd has for a phase
// (words/constraint_record.h). Item i is that of cloth i % 16.

#define CROWD_REAL(word) LOAD_REAL(tables, CONSTRAINT_INT(crowd_values) + 16 * int(word - constraint_rate), i & 15)

// The first word of a particle's slot, at this item's cloth.
#define CROWD_SLOT(particle) (CONSTRAINT_INT(crowd_slots) + int(crowd_slot_words) * (particle) + (i & 15))
#define CROWD_FIRST_PARTICLES LOAD_INDICES(tables, CONSTRAINT_INT(crowd_head), i & 15)

// Brings the positions of a particle into its slot, and back to the cloths that are in an iteration.
KERNEL(enter_crowd) {
  int slot = CROWD_SLOT(i >> 4);
  index_list cloth = CROWD_FIRST_PARTICLES;
  real4 position = GATHER4(particles, FRAME(position) + (i >> 4), cloth);
  STORE_REAL(tables, slot, 0, position.x);
  STORE_REAL(tables, slot, 16, position.y);
  STORE_REAL(tables, slot, 32, position.z);
  STORE_REAL(tables, slot, 48, position.w);
}

KERNEL(leave_crowd) {
  int slot = CROWD_SLOT(i >> 4);
  index_list cloth = CROWD_FIRST_PARTICLES;
  real x = LOAD_REAL(tables, slot, 0);
  real y = LOAD_REAL(tables, slot, 16);
  real z = LOAD_REAL(tables, slot, 32);
  real w = LOAD_REAL(tables, slot, 48);
  mask is_running = I(0) < LOAD_INT(tables, CONSTRAINT_INT(crowd_head) + int(crowd_running), i & 15);
  SCATTER4_WHERE(particles, FRAME(position) + (i >> 4), cloth, make4(make3(x, y, z), w), is_running);
}

#define CLOTHC_LOAD_OF_CROWD(k, particle)                                                                      \
  int slot_##k = CROWD_SLOT(TOPOLOGY_INT(particle));                                                           \
  real3 position_##k =                                                                                         \
      make3(LOAD_REAL(tables, slot_##k, 0), LOAD_REAL(tables, slot_##k, 16), LOAD_REAL(tables, slot_##k, 32)); \
  real weight_##k = LOAD_REAL(tables, slot_##k, 48);
#define CLOTHC_STORE_OF_CROWD(k)                    \
  STORE_REAL(tables, slot_##k, 0, position_##k.x);  \
  STORE_REAL(tables, slot_##k, 16, position_##k.y); \
  STORE_REAL(tables, slot_##k, 32, position_##k.z);
#define CROWD_LENGTH(word) (as_real(I(TOPOLOGY_INT(word))) * CROWD_REAL(constraint_scale))

#define CLOTHC_SOLVE_EDGE_OF_CROWD(correction_of)                                                          \
  int edge = i >> 4;                                                                                       \
  CLOTHC_LOAD_OF_CROWD(0, CONSTRAINT_INT(constraint_particles) + edge)                                     \
  CLOTHC_LOAD_OF_CROWD(1, CONSTRAINT_INT(constraint_particles) + CONSTRAINT_INT(constraint_stride) + edge) \
  real rest_0 = CROWD_LENGTH(CONSTRAINT_INT(constraint_parameters) + edge);                                \
  CLOTHC_SOLVE_SIDE(0, 0, 1, weight_0, weight_1, RING_EDGE, correction_of, CROWD_REAL)                     \
  CLOTHC_STORE_OF_CROWD(0)                                                                                 \
  CLOTHC_STORE_OF_CROWD(1)

#define CLOTHC_SOLVE_RING_OF_CROWD(correction_of)                                                   \
  int ring = CONSTRAINT_INT(constraint_rings) + (i >> 8) * int(ring_block_words) + ((i >> 4) & 15); \
  CLOTHC_LOAD_OF_CROWD(0, ring)                                                                     \
  CLOTHC_LOAD_OF_CROWD(1, ring + 16)                                                                \
  CLOTHC_LOAD_OF_CROWD(2, ring + 32)                                                                \
  CLOTHC_LOAD_OF_CROWD(3, ring + 48)                                                                \
  real rest_0 = CROWD_LENGTH(ring + 64);                                                            \
  real rest_1 = CROWD_LENGTH(ring + 80);                                                            \
  real rest_2 = CROWD_LENGTH(ring + 96);                                                            \
  real rest_3 = CROWD_LENGTH(ring + 112);                                                           \
  CLOTHC_SOLVE_SIDE(0, 0, 1, weight_0, weight_1, RING_EDGE, correction_of, CROWD_REAL)              \
  CLOTHC_SOLVE_SIDE(2, 2, 3, weight_2, weight_3, RING_EDGE, correction_of, CROWD_REAL)              \
  CLOTHC_SOLVE_SIDE(1, 1, 2, weight_1, weight_2, RING_EDGE, correction_of, CROWD_REAL)              \
  CLOTHC_SOLVE_SIDE(3, 3, 0, weight_3, weight_0, RING_EDGE, correction_of, CROWD_REAL)              \
  CLOTHC_STORE_OF_CROWD(0)                                                                          \
  CLOTHC_STORE_OF_CROWD(1)                                                                          \
  CLOTHC_STORE_OF_CROWD(2)                                                                          \
  CLOTHC_STORE_OF_CROWD(3)

KERNEL(solve_edges_of_crowd){CLOTHC_SOLVE_EDGE_OF_CROWD(RING_CORRECTION)}

KERNEL(solve_edges_of_crowd_with_limits){CLOTHC_SOLVE_EDGE_OF_CROWD(LIMITED_RING_CORRECTION)}

KERNEL(solve_rings_of_crowd){CLOTHC_SOLVE_RING_OF_CROWD(RING_CORRECTION)}

KERNEL(solve_rings_of_crowd_with_limits) {
  CLOTHC_SOLVE_RING_OF_CROWD(LIMITED_RING_CORRECTION)
}
