// lattice.kernel.h - rings of distance constraints between particles in the slots of a lattice, whose x, y, z and inverse
// masses are in rows of their own. Results are those of rings.kernel.h and edges.kernel.h. cook/fabric_layout.h describes
// batches: 16 rings, whose particles are in 16 adjacent slots each, four times.

#define LATTICE_ROW(row) (CONSTRAINT_INT(lattice_rows) + (row)*CONSTRAINT_INT(lattice_stride))

// The slot of item i on the way there and back. The order in which blocks of slots are visited is behind the particles.
FUNCTION(int) visited_slot(CONTEXT VALUE(int) i) {
  int visits = CONSTRAINT_INT(lattice_particles) + CONSTRAINT_INT(lattice_stride) - 16;
  return TOPOLOGY_INT(visits + (i >> 4)) + (i & 15);
}

// Loads and stores four rows, of which the first one is named.
FUNCTION(real4) load_slots(CONTEXT VALUE(int) row, VALUE(int) slot) {
  real x = LOAD_REAL(tables, LATTICE_ROW(row), slot);
  real y = LOAD_REAL(tables, LATTICE_ROW(row + 1), slot);
  real z = LOAD_REAL(tables, LATTICE_ROW(row + 2), slot);
  real w = LOAD_REAL(tables, LATTICE_ROW(row + 3), slot);
  return make4(make3(x, y, z), w);
}

FUNCTION(void) store_slots(CONTEXT VALUE(int) row, VALUE(int) slot, VALUE(real4) value) {
  STORE_REAL(tables, LATTICE_ROW(row), slot, value.x);
  STORE_REAL(tables, LATTICE_ROW(row + 1), slot, value.y);
  STORE_REAL(tables, LATTICE_ROW(row + 2), slot, value.z);
  STORE_REAL(tables, LATTICE_ROW(row + 3), slot, value.w);
}

#define LATTICE_PARTICLES(slot) LOAD_INDICES(topology, CONSTRAINT_INT(lattice_particles), slot)
#define LATTICE_HAS_PARTICLE(slot) (I(0) <= LOAD_INT(topology, CONSTRAINT_INT(lattice_particles), slot))
#define LATTICE_BLOCK(block) (FRAME(block) + CONSTRAINT_INT(constraint_first_particle))

// Brings the position of the particle in a slot into the rows. Slots without one get that of a padding particle.
KERNEL(enter_lattice) {
  int slot = visited_slot(PASS i);
  index_list particle = LATTICE_PARTICLES(slot);
  real4 position = GATHER4(particles, LATTICE_BLOCK(position), particle);
  store_slots(PASS int(lattice_positions), slot, position);
}

// Brings it back.
KERNEL(leave_lattice) {
  int slot = visited_slot(PASS i);
  index_list particle = LATTICE_PARTICLES(slot);
  real4 position = load_slots(PASS int(lattice_positions), slot);
  SCATTER4_WHERE(particles, LATTICE_BLOCK(position), particle, position, LATTICE_HAS_PARTICLE(slot));
}

// Where no constraint is, the edge is zero, so that a particle that is lost pulls nothing along.
#define LATTICE_EDGE(side, a, b) select3(R(0.0f) <= rest_##side, (b) - (a), make3(R(0.0f), R(0.0f), R(0.0f)))

#define LOAD_SLOT(row, k) LOAD_REAL(tables, LATTICE_ROW(row), slot_##k)
#define STORE_SLOT(row, k, value) STORE_REAL(tables, LATTICE_ROW(row), slot_##k, value)
#define LOAD_HELD_SLOT(row, k) LOAD_REAL_WHERE(tables, LATTICE_ROW(row), slot_##k, is_held_##k)
#define STORE_HELD_SLOT(row, k, value) STORE_REAL_WHERE(tables, LATTICE_ROW(row), slot_##k, value, is_held_##k)

#define CLOTHC_LOAD_LENGTH(k)                        \
  int slot_##k = TOPOLOGY_INT(batch + k) + (i & 15); \
  real rest_##k = LOAD_REAL(topology, batch + 16 + 16 * (k), i & 15) * CONSTRAINT_REAL(constraint_scale);
#define CLOTHC_LOAD_PARTICLE(k, load)                             \
  real3 position_##k = make3(load(0, k), load(1, k), load(2, k)); \
  real weight_##k = load(3, k);
#define CLOTHC_STORE_PARTICLE(k, store) \
  store(0, k, position_##k.x);          \
  store(1, k, position_##k.y);          \
  store(2, k, position_##k.z);
#define CLOTHC_SOLVE_LATTICE_RING(load, store, correction_of)                                  \
  CLOTHC_LOAD_PARTICLE(0, load)                                                                \
  CLOTHC_LOAD_PARTICLE(1, load)                                                                \
  CLOTHC_LOAD_PARTICLE(2, load)                                                                \
  CLOTHC_LOAD_PARTICLE(3, load)                                                                \
  CLOTHC_SOLVE_SIDE(0, 0, 1, weight_0, weight_1, LATTICE_EDGE, correction_of, CONSTRAINT_REAL) \
  CLOTHC_SOLVE_SIDE(2, 2, 3, weight_2, weight_3, LATTICE_EDGE, correction_of, CONSTRAINT_REAL) \
  CLOTHC_SOLVE_SIDE(1, 1, 2, weight_1, weight_2, LATTICE_EDGE, correction_of, CONSTRAINT_REAL) \
  CLOTHC_SOLVE_SIDE(3, 3, 0, weight_3, weight_0, LATTICE_EDGE, correction_of, CONSTRAINT_REAL) \
  CLOTHC_STORE_PARTICLE(0, store)                                                              \
  CLOTHC_STORE_PARTICLE(1, store)                                                              \
  CLOTHC_STORE_PARTICLE(2, store)                                                              \
  CLOTHC_STORE_PARTICLE(3, store)

// Where batches have slots in common, particles that no constraint holds may be those of another batch: they are neither
// loaded nor stored.
#define CLOTHC_SOLVE_LATTICE(correction_of)                                          \
  int batch = CONSTRAINT_INT(lattice_batches) + (i >> 4) * int(lattice_batch_words); \
  CLOTHC_LOAD_LENGTH(0)                                                              \
  CLOTHC_LOAD_LENGTH(1)                                                              \
  CLOTHC_LOAD_LENGTH(2)                                                              \
  CLOTHC_LOAD_LENGTH(3)                                                              \
  if (TOPOLOGY_INT(batch + 4) == 0) {                                                \
    CLOTHC_SOLVE_LATTICE_RING(LOAD_SLOT, STORE_SLOT, correction_of)                  \
  } else {                                                                           \
    mask is_held_0 = R(0.0f) <= maximum(rest_3, rest_0);                             \
    mask is_held_1 = R(0.0f) <= maximum(rest_0, rest_1);                             \
    mask is_held_2 = R(0.0f) <= maximum(rest_1, rest_2);                             \
    mask is_held_3 = R(0.0f) <= maximum(rest_2, rest_3);                             \
    CLOTHC_SOLVE_LATTICE_RING(LOAD_HELD_SLOT, STORE_HELD_SLOT, correction_of)        \
  }

KERNEL(solve_lattice){CLOTHC_SOLVE_LATTICE(RING_CORRECTION)}

KERNEL(solve_lattice_with_limits) {
  CLOTHC_SOLVE_LATTICE(LIMITED_RING_CORRECTION)
}
