// statistics.kernel.h - kinetic energy and stretch of a cloth at the update's end. Lane k of n processes the particles,
// in mesh order, and the constraints k, k + n, k + 2n, ..., and adds in that order; end_group adds the lanes in theirs.

// m v^2, twice the kinetic energy, of lane i's particles. The mass of pinned particles is unknown, so they do not
// count. Inactive particles do not count either.
FUNCTION(real) energy_of_lane(CONTEXT int i) {
  real rate = divide(R(1.0f), STEP(h));
  real sum = R(0.0f);
  for (int k = i; k < SETTING_INT(padded_count); k += SETTING_INT(reduction_lanes)) {
    real4 position = load_particle(PASS FRAME(position), k);
    real4 previous = load_particle(PASS FRAME(previous), k);
    real3 velocity = (XYZ(position) - XYZ(previous)) * rate;
    mask counts = mask_and(is_active_particle(PASS k, position.w), R(CLOTHC_SMALLEST) < previous.w);
    real energy = divide(dot3(velocity, velocity), select(counts, previous.w, R(1.0f)));
    sum = sum + select(counts, energy, R(0.0f));
  }
  return sum;
}

// Largest length / rest length of lane i's constraints; 0 if it has none.
FUNCTION(real) stretch_of_lane(CONTEXT int i) {
  int first = SETTING_INT(first_particle);
  real largest = R(0.0f);
  for (int index = 0; index < SETTING_INT(phase_count); ++index) {
    int record = SETTING_INT(constraint_records) + index * int(constraint_words);
    int particles_of = TABLE_INT(record + int(constraint_particles));
    int end = TABLE_INT(record + int(constraint_stretch_end));
    for (int k = TABLE_INT(record + int(constraint_stretch_begin)) + i; k < end; k += SETTING_INT(reduction_lanes)) {
      index_list a = LOAD_INDICES(topology, particles_of, k);
      index_list b = LOAD_INDICES(topology, particles_of + TABLE_INT(record + int(constraint_stride)), k);
      real rest = LOAD_REAL(topology, TABLE_INT(record + int(constraint_parameters)), k) *
                  TABLE_REAL(record + int(constraint_scale));
      real4 position_a = GATHER4(particles, FRAME(position) + first, a);
      real4 position_b = GATHER4(particles, FRAME(position) + first, b);
      real3 edge = XYZ(position_b) - XYZ(position_a);
      mask counts = mask_and(R(CLOTHC_EPSILON) < rest, mask_and(is_active(position_a.w), is_active(position_b.w)));
      real ratio = divide(square_root(dot3(edge, edge) + R(CLOTHC_SMALLEST)), select(counts, rest, R(1.0f)));
      largest = maximum(largest, select(counts, ratio, R(0.0f)));
    }
  }
  return largest;
}

KERNEL(reduce_statistics) {
  int scratch = SETTING_INT(scratch) + 6 * SETTING_INT(reduction_lanes);
  real energy = R(0.0f);
  real stretch = R(0.0f);
  if (STEP_INT(iteration_count) != 0) {
    if ((SETTING_INT(statistics) & int(statistic_kinetic_energy)) != 0) energy = energy_of_lane(PASS i);
    if ((SETTING_INT(statistics) & int(statistic_stretch)) != 0) stretch = stretch_of_lane(PASS i);
  }
  STORE_REAL(tables, scratch, i, energy);
  STORE_REAL(tables, scratch + SETTING_INT(reduction_lanes), i, stretch);
}
