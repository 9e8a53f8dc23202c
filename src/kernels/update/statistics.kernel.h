// statistics.kernel.h - begins to reduce the kinetic energy and the stretch of a cloth at the update's end. The results of
// a lane are the sum over its particles, in mesh order, and the least of the negatives of stretch. Each block of 16 lanes
// has as many constraints as the others.

// m v^2, twice the kinetic energy, of lane i's particles. The mass of pinned particles is unknown, so they do not
// count. Inactive particles do not count either.
FUNCTION(real) energy_of_lane(CONTEXT VALUE(int) i) {
  real rate = divide(R(1.0f), STEP(h));
  real sum = R(0.0f);
  int first = first_item(i, 16 * int(reduction_items));
  int end = end_of_items(first, 16 * int(reduction_items), SETTING_INT(padded_count));
  for (int k = first; k < end; k += 16) {
    real4 position = load_particle(PASS FRAME(position), k);
    real4 previous = load_particle(PASS FRAME(previous), k);
    real3 velocity = (XYZ(position) - XYZ(previous)) * rate;
    mask counts = mask_and(is_active_particle(PASS k, position.w), R(CLOTHC_SMALLEST) < previous.w);
    real energy = divide(dot3(velocity, velocity), select(counts, previous.w, R(1.0f)));
    sum = sum + select(counts, energy, R(0.0f));
  }
  return sum;
}

// Length / rest length of the constraint whose ends and length at rest are these words of the topology, and those behind
// them in other lanes; 0 where it does not count.
FUNCTION(real) stretch_at(CONTEXT VALUE(int) record, VALUE(int) word_a, VALUE(int) word_b, VALUE(int) word_of_length) {
  int first = SETTING_INT(first_particle);
  index_list a = LOAD_INDICES(topology, word_a, 0);
  index_list b = LOAD_INDICES(topology, word_b, 0);
  real rest = LOAD_REAL(topology, word_of_length, 0) * TABLE_REAL(record + int(constraint_scale));
  real4 position_a = GATHER4(particles, FRAME(position) + first, a);
  real4 position_b = GATHER4(particles, FRAME(position) + first, b);
  real3 edge = XYZ(position_b) - XYZ(position_a);
  mask counts = mask_and(R(CLOTHC_EPSILON) < rest, mask_and(is_active(position_a.w), is_active(position_b.w)));
  real ratio = divide(square_root(dot3(edge, edge) + R(CLOTHC_SMALLEST)), select(counts, rest, R(1.0f)));
  return select(counts, ratio, R(0.0f));
}

// Number of constraints that each block of 16 lanes has of so many; a multiple of 16.
FUNCTION(int) items_of_block(CONTEXT VALUE(int) count) {
  int blocks = SETTING_INT(reduction_lanes) >> 4;
  return (count + 16 * blocks - 1) / (16 * blocks) * 16;
}

// Largest length / rest length of lane i's constraints, on their own and in rings; 0 if it has none.
FUNCTION(real) stretch_of_lane(CONTEXT VALUE(int) i) {
  real largest = R(0.0f);
  for (int index = 0; index < SETTING_INT(phase_count); ++index) {
    int record = SETTING_INT(constraint_records) + index * int(constraint_words);
    int begin = TABLE_INT(record + int(constraint_stretch_begin));
    int count = TABLE_INT(record + int(constraint_stretch_end)) - begin;
    int items = items_of_block(PASS count);
    int first = first_item(i, items);
    int end = end_of_items(first, items, count);
    for (int k = first; k < end; k += 16) {
      int word = TABLE_INT(record + int(constraint_particles)) + begin + k;
      real stretch = stretch_at(PASS record, word, word + TABLE_INT(record + int(constraint_stride)),
                                TABLE_INT(record + int(constraint_parameters)) + begin + k);
      largest = maximum(largest, stretch);
    }
    count = TABLE_INT(record + int(constraint_stretch_rings));
    items = items_of_block(PASS count);
    first = first_item(i, items);
    end = end_of_items(first, items, count);
    for (int k = first; k < end; k += 16) {
      int word = TABLE_INT(record + int(constraint_rings)) + (k >> 4) * int(ring_block_words) + (k & 15);
      for (int side = 0; side < 4; ++side) {
        real stretch = stretch_at(PASS record, word + 16 * side, word + 16 * ((side + 1) & 3), word + 64 + 16 * side);
        largest = maximum(largest, stretch);
      }
    }
  }
  return largest;
}

KERNEL(reduce_statistics) {
  real energy = R(0.0f);
  real stretch = R(0.0f);
  if (STEP_INT(iteration_count) != 0) {
    if ((SETTING_INT(statistics) & int(statistic_kinetic_energy)) != 0) energy = energy_of_lane(PASS i);
    if ((SETTING_INT(statistics) & int(statistic_stretch)) != 0) stretch = stretch_of_lane(PASS i);
  }
  int lanes = SETTING_INT(reduction_lanes);
  real negative = stretch * R(-1.0f);
  STORE_REAL(tables, SETTING_INT(scratch) + 6 * lanes, i, negative);
  STORE_REAL(tables, SETTING_INT(scratch) + 7 * lanes, i, energy);
}
