// edges.kernel.h - distance constraints, one colour at a time. With d = x_b - x_a and l = sqrt(d.d + regularisation):
// error e = 1 - rest / l, correction c = e k / (w_a + w_b), x_a += w_a c d, x_b -= w_b c d. Lengths at rest below
// CLOTHC_SMALLEST count as 0 and are skipped, and so are pairs without an inverse mass, whose ends do not move.
// Source: NvCloth solver documentation, "Edge constraints"; Mueller et al. 2007, Position Based Dynamics, section 3.3.

// Moves both ends of a constraint. edge is the vector d from a to b.
#define CLOTHC_MOVE_ENDS(correction)                                    \
  real3 moved_a = XYZ(position_a) + edge * ((correction)*position_a.w); \
  real3 moved_b = XYZ(position_b) - edge * ((correction)*position_b.w); \
  SCATTER_POSITION(a, make4(moved_a, position_a.w));                    \
  SCATTER_POSITION(b, make4(moved_b, position_b.w));

#define CLOTHC_GATHER_ENDS()                                                                \
  index_list a = CONSTRAINT_PARTICLE(0);                                                    \
  index_list b = CONSTRAINT_PARTICLE(1);                                                    \
  real rest = CONSTRAINT_PARAMETER(0) * CONSTRAINT_REAL(constraint_scale);                  \
  real4 position_a = GATHER_POSITION(a);                                                    \
  real4 position_b = GATHER_POSITION(b);                                                    \
  real3 edge = XYZ(position_b) - XYZ(position_a);                                           \
  real length = square_root(dot3(edge, edge) + CONSTRAINT_REAL(constraint_regularisation)); \
  real weight = maximum(position_a.w + position_b.w, R(CLOTHC_LEAST_WEIGHT));

// Without limits the whole error is corrected alike: e k / w = (l - rest) k / (l w), which needs a single division.
KERNEL(solve_edges) {
  CLOTHC_GATHER_ENDS()
  real correction = divide(length - rest, length * weight) * CONSTRAINT_REAL(constraint_rate);
  correction = select(R(CLOTHC_SMALLEST) < rest, correction, R(0.0f));
  CLOTHC_MOVE_ENDS(correction)
}

// Stops the ends from getting farther apart than the rest length, and never from coming nearer.
KERNEL(solve_long_range) {
  CLOTHC_GATHER_ENDS()
  real correction = divide(length - rest, length * weight) * CONSTRAINT_REAL(constraint_rate);
  mask is_taut = mask_and(R(CLOTHC_SMALLEST) < rest, rest < length);
  correction = select(is_taut, correction, R(0.0f));
  CLOTHC_MOVE_ENDS(correction)
}

// Leaves a part of the error between the compression limit and the stretch limit uncorrected.
FUNCTION(real) beyond_limits(VALUE(real) error, VALUE(real) soft_part, VALUE(real) lower, VALUE(real) upper) {
  real result = error - soft_part * maximum(lower, minimum(error, upper));
  return result;
}

KERNEL(solve_edges_with_limits) {
  CLOTHC_GATHER_ENDS()
  real error = divide(length - rest, length);
  real hard = beyond_limits(error, CONSTRAINT_REAL(constraint_soft_part), CONSTRAINT_REAL(constraint_lower_error),
                            CONSTRAINT_REAL(constraint_upper_error));
  real correction = divide(hard * CONSTRAINT_REAL(constraint_rate), weight);
  correction = select(R(CLOTHC_SMALLEST) < rest, correction, R(0.0f));
  CLOTHC_MOVE_ENDS(correction)
}

// Each constraint has its own stiffness s, stored as log2(1 - s): k = 1 - 2^(log2(1 - s) e) with e the stiffness
// exponent. Limits apply too. The springs of groups are such constraints; those at an inactive particle,
// whose inverse mass is negative, are skipped.
KERNEL(solve_edges_with_stiffness) {
  CLOTHC_GATHER_ENDS()
  real rate = CONSTRAINT_OWN_RATE(1);
  real error = divide(length - rest, length);
  real hard = beyond_limits(error, CONSTRAINT_REAL(constraint_soft_part), CONSTRAINT_REAL(constraint_lower_error),
                            CONSTRAINT_REAL(constraint_upper_error));
  real correction = divide(hard * rate, weight);
  mask is_solved = mask_and(R(CLOTHC_SMALLEST) < rest, R(0.0f) <= minimum(position_a.w, position_b.w));
  correction = select(is_solved, correction, R(0.0f));
  CLOTHC_MOVE_ENDS(correction)
}
