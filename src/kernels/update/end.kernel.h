// end.kernel.h - combines the results of the last level of a cloth's reductions into bounds, statistics and state hash,
// one lane per cloth, in scalar code.

FUNCTION(bool) is_asleep(CONTEXT VALUE(int) cloth) {
  return 0.0f < GROUP_SETTING(cloth, sleep_threshold) &&
         GROUP_SETTING(cloth, sleep_after_count) <= GROUP(cloth).state.status.sleep_pass_count;
}

// Evaluates the sleep test of the last iteration, if it made one.
FUNCTION(void) finish_sleep_test(CONTEXT VALUE(int) cloth) {
  if (GROUP(cloth).step.sleep_test != 0u) {
    bool moved = GROUP(cloth).state.moving_count != GROUP(cloth).state.moving_before;
    uint passed = GROUP(cloth).state.status.sleep_pass_count + 1u;
    if (moved || GROUP_SETTING(cloth, sleep_threshold) <= 0.0f) passed = 0u;
    GROUP(cloth).state.status.sleep_pass_count = passed;
    GROUP(cloth).step.sleep_test = 0u;
  }
}

// The last level of a cloth's reductions, which has 16 lanes. Loops over them do not say 16, or compilers would make them
// straight code for which programs need a quarter more registers.
FUNCTION(ReductionLevel) last_level(CONTEXT VALUE(int) cloth) {
  ReductionLevel level;
  level.begin = int(GROUP_SETTING(cloth, scratch));
  level.lanes = int(GROUP_SETTING(cloth, reduction_lanes));
  while (16 < level.lanes) {
    level.begin = level.begin + int(scratch_words) * level.lanes;
    level.lanes = combining_lanes(level.lanes);
  }
  return level;
}

// The least of the results of a level, or their sum, for one of the words.
FUNCTION(real) least_result(CONTEXT VALUE(ReductionLevel) level, VALUE(int) word) {
  int begin = level.begin + word * level.lanes;
  real least = TABLE_REAL(begin);
  for (int k = 1; k < level.lanes; ++k) least = minimum(least, TABLE_REAL(begin + k));
  return least;
}

FUNCTION(real) sum_of_results(CONTEXT VALUE(ReductionLevel) level, VALUE(int) word) {
  int begin = level.begin + word * level.lanes;
  real sum = 0.0f;
  for (int k = 0; k < level.lanes; ++k) sum = sum + TABLE_REAL(begin + k);
  return sum;
}

FUNCTION(void) end_statistics(CONTEXT VALUE(int) cloth, VALUE(ReductionLevel) level) {
  uint wanted = GROUP_SETTING(cloth, statistics);
  real energy = 0.0f;
  real stretch = 0.0f;
  if ((wanted & statistic_kinetic_energy) != 0u) energy = 0.5f * sum_of_results(PASS level, 7);
  if ((wanted & statistic_stretch) != 0u) stretch = least_result(PASS level, 6) * -1.0f;
  GROUP(cloth).state.status.kinetic_energy = minimum(energy, 3e38f);
  real beyond_rest = stretch - 1.0f;
  GROUP(cloth).state.status.largest_stretch = select(0.0f < stretch, beyond_rest, 0.0f);
}

FUNCTION(void) end_bounds(CONTEXT VALUE(int) cloth, VALUE(ReductionLevel) level) {
  real3 low = make3(0.0f, 0.0f, 0.0f);
  real3 high = low;
  if (GROUP_SETTING(cloth, statistics) != 0u) {
    low = make3(least_result(PASS level, 0), least_result(PASS level, 1), least_result(PASS level, 2));
    high = make3(least_result(PASS level, 3), least_result(PASS level, 4), least_result(PASS level, 5)) * -1.0f;
  }
  // A group without active particles keeps its last bounds.
  if (high.x < low.x) return;
  GROUP(cloth).state.status.minimum_x = low.x;
  GROUP(cloth).state.status.minimum_y = low.y;
  GROUP(cloth).state.status.minimum_z = low.z;
  GROUP(cloth).state.status.maximum_x = high.x;
  GROUP(cloth).state.status.maximum_y = high.y;
  GROUP(cloth).state.status.maximum_z = high.z;
}

KERNEL(end_group) {
  finish_sleep_test(PASS i);
  bool was_pushed = GROUP(i).state.moving_count != GROUP(i).state.moving_before;
  if (GROUP(i).step.iteration_count == 0u && was_pushed) GROUP(i).state.status.sleep_pass_count = 0u;
  bool restored = GROUP(i).state.status.non_finite_count != GROUP(i).state.non_finite_before;
  uint asleep = uint(is_asleep(PASS i)) * status_asleep;
  GROUP(i).state.status.flags = uint(restored) * status_non_finite + asleep;
  if (GROUP(i).step.iteration_count != 0u) {
    ReductionLevel level = last_level(PASS i);
    end_bounds(PASS i, level);
    end_statistics(PASS i, level);
  }
}

// Words of the cloth itself. Their numbers start far above those of a particle's words, so that none coincide.
#define CLOTHC_ADD_SCALAR(value) sum = add_word(sum, owner, number++, as_bits(value));
#define CLOTHC_ADD_VECTOR(reader, name)  \
  CLOTHC_ADD_SCALAR(reader(i, name##_x)) \
  CLOTHC_ADD_SCALAR(reader(i, name##_y)) \
  CLOTHC_ADD_SCALAR(reader(i, name##_z))
#define CLOTHC_ADD_COUNT(value) sum = add_word(sum, owner, number++, value);

KERNEL(end_hash) {
  ReductionLevel level = last_level(PASS i);
  Sum64 sum;
  sum.low = U(0u);
  sum.high = U(0u);
  for (int k = level.begin; k < level.begin + level.lanes; ++k) {
    sum = add64(sum, uint(TABLE_INT(k)), uint(TABLE_INT(k + level.lanes)));
  }
  unum owner = GROUP_SETTING(i, ordinal_low) * 0x85ebca77u + GROUP_SETTING(i, ordinal_high) * 0xc2b2ae3du;
  // The words from 1024 on that are missing here are parameters, which core hashes (parameters.def).
  int number = 1040;
  CLOTHC_ADD_COUNT(GROUP_SETTING(i, particle_count))
  CLOTHC_ADD_COUNT(GROUP_SETTING(i, channel_groups))
  number = 1070;
  CLOTHC_ADD_VECTOR(GROUP_FRAME, start)
  CLOTHC_ADD_VECTOR(GROUP_FRAME, start_rotation)
  CLOTHC_ADD_SCALAR(GROUP_FRAME(i, start_rotation_w))
  CLOTHC_ADD_VECTOR(GROUP_FRAME, target)
  CLOTHC_ADD_VECTOR(GROUP_FRAME, target_rotation)
  CLOTHC_ADD_SCALAR(GROUP_FRAME(i, target_rotation_w))
  CLOTHC_ADD_COUNT(GROUP_FRAME(i, flags))
  CLOTHC_ADD_VECTOR(GROUP_STATE, velocity)
  CLOTHC_ADD_VECTOR(GROUP_STATE, angular_velocity)
  CLOTHC_ADD_COUNT(GROUP(i).state.sleep_counter)
  uint passed = GROUP(i).state.status.sleep_pass_count;
  // The cloth wakes in the next update.
  if (GROUP(i).state.wakes != GROUP_FRAME(i, wakes)) passed = 0u;
  CLOTHC_ADD_COUNT(passed)
  CLOTHC_ADD_SCALAR(GROUP(i).state.status.iteration_dt)
  CLOTHC_ADD_SCALAR(GROUP(i).state.solver_frequency)
  int step_count = int(GROUP(i).state.time_step_count);
  CLOTHC_ADD_COUNT(uint(step_count))
  for (int k = 0; k < step_count; ++k) {
    uint index = (GROUP(i).state.time_step_next - uint(step_count) + uint(k)) & (time_step_capacity - 1u);
    CLOTHC_ADD_SCALAR(GROUP(i).state.time_steps[index])
  }
  for (int k = 0; k < int(GROUP_SETTING(i, phase_count)); ++k) {
    for (int word = 0; word < 4; ++word) {
      CLOTHC_ADD_COUNT(uint(TABLE_INT(int(GROUP_SETTING(i, constraint_records)) + k * int(constraint_words) + word)))
    }
  }
  if (GROUP(i).state.held_dt != 0.0f) {
    CLOTHC_ADD_SCALAR(GROUP(i).state.held_dt)
  }
  GROUP(i).state.hash_low = sum.low;
  GROUP(i).state.hash_high = sum.high;
}
