// rings.kernel.h - distance constraints between four particles in a ring, which are loaded and stored once: the
// constraints 0-1 and 2-3, then 1-2 and 3-0, each as in edges.kernel.h and with the same result.

// The first word of a ring, in its block.
#define RING_WORD (CONSTRAINT_INT(constraint_rings) + (i >> 4) * int(ring_block_words) + (i & 15))
#define RING_PARTICLE(k) LOAD_BLOCK_INDICES(topology, ring + 16 * (k), ring_block_words)
#define RING_LENGTH(k) \
  (LOAD_BLOCK_REAL(topology, ring + 16 * (k) + 64, ring_block_words) * CONSTRAINT_REAL(constraint_scale))

// A side of a ring: the vector from one end to the other one, its length and its length at rest, and the inverse masses
// of both ends.
struct RingSide {
  real3 edge;
  real distance;
  real rest;
  real weight;
};

FUNCTION(RingSide) ring_side(VALUE(real3) edge, VALUE(real) weight, VALUE(real) rest, VALUE(real) regularisation) {
  RingSide side;
  side.edge = edge;
  side.distance = square_root(dot3(side.edge, side.edge) + regularisation);
  side.rest = rest;
  side.weight = maximum(weight, R(CLOTHC_LEAST_WEIGHT));
  return side;
}

FUNCTION(real) ring_correction(VALUE(RingSide) side, VALUE(real) rate) {
  real correction = divide(side.distance - side.rest, side.distance * side.weight) * rate;
  return select(R(CLOTHC_SMALLEST) < side.rest, correction, R(0.0f));
}

FUNCTION(real)
limited_ring_correction(VALUE(RingSide) side, VALUE(real) rate, VALUE(real) soft_part, VALUE(real) lower_error,
                        VALUE(real) upper_error) {
  real error = divide(side.distance - side.rest, side.distance);
  real hard = beyond_limits(error, soft_part, lower_error, upper_error);
  real correction = divide(hard * rate, side.weight);
  return select(R(CLOTHC_SMALLEST) < side.rest, correction, R(0.0f));
}

// correction_of: how a side is corrected. value_of: where the word of the constraint record with this name is.
#define RING_CORRECTION(side, value_of) ring_correction(side, value_of(constraint_rate))
#define LIMITED_RING_CORRECTION(side, value_of)                                            \
  limited_ring_correction(side, value_of(constraint_rate), value_of(constraint_soft_part), \
                          value_of(constraint_lower_error), value_of(constraint_upper_error))
#define CLOTHC_SOLVE_SIDE(side, a, b, weight_a, weight_b, edge_of, correction_of, value_of)                  \
  {                                                                                                          \
    RingSide solved = ring_side(edge_of(side, position_##a, position_##b), weight_a + weight_b, rest_##side, \
                                value_of(constraint_regularisation));                                        \
    real correction = correction_of(solved, value_of);                                                       \
    position_##a = position_##a + solved.edge * (correction * weight_a);                                     \
    position_##b = position_##b - solved.edge * (correction * weight_b);                                     \
  }
#define RING_EDGE(side, a, b) ((b) - (a))
// Particle 2 of a path is particle 0 too (cook/fabric_layout.h), so it is stored behind that. The constraints that are
// missing there have a negative length, and correct nothing.
#define CLOTHC_SOLVE_RING(correction_of)                                                        \
  int ring = RING_WORD;                                                                         \
  index_list particle_0 = RING_PARTICLE(0);                                                     \
  index_list particle_1 = RING_PARTICLE(1);                                                     \
  index_list particle_2 = RING_PARTICLE(2);                                                     \
  index_list particle_3 = RING_PARTICLE(3);                                                     \
  real rest_0 = RING_LENGTH(0);                                                                 \
  real rest_1 = RING_LENGTH(1);                                                                 \
  real rest_2 = RING_LENGTH(2);                                                                 \
  real rest_3 = RING_LENGTH(3);                                                                 \
  real4 loaded_0 = GATHER_POSITION(particle_0);                                                 \
  real4 loaded_1 = GATHER_POSITION(particle_1);                                                 \
  real4 loaded_2 = GATHER_POSITION(particle_2);                                                 \
  real4 loaded_3 = GATHER_POSITION(particle_3);                                                 \
  real3 position_0 = XYZ(loaded_0);                                                             \
  real3 position_1 = XYZ(loaded_1);                                                             \
  real3 position_2 = XYZ(loaded_2);                                                             \
  real3 position_3 = XYZ(loaded_3);                                                             \
  CLOTHC_SOLVE_SIDE(0, 0, 1, loaded_0.w, loaded_1.w, RING_EDGE, correction_of, CONSTRAINT_REAL) \
  CLOTHC_SOLVE_SIDE(2, 2, 3, loaded_2.w, loaded_3.w, RING_EDGE, correction_of, CONSTRAINT_REAL) \
  CLOTHC_SOLVE_SIDE(1, 1, 2, loaded_1.w, loaded_2.w, RING_EDGE, correction_of, CONSTRAINT_REAL) \
  CLOTHC_SOLVE_SIDE(3, 3, 0, loaded_3.w, loaded_0.w, RING_EDGE, correction_of, CONSTRAINT_REAL) \
  SCATTER_POSITION(particle_0, make4(position_0, loaded_0.w));                                  \
  SCATTER_POSITION(particle_1, make4(position_1, loaded_1.w));                                  \
  SCATTER_POSITION(particle_2, make4(position_2, loaded_2.w));                                  \
  SCATTER_POSITION(particle_3, make4(position_3, loaded_3.w));

KERNEL(solve_rings){CLOTHC_SOLVE_RING(RING_CORRECTION)}

KERNEL(solve_rings_with_limits) {
  CLOTHC_SOLVE_RING(LIMITED_RING_CORRECTION)
}
