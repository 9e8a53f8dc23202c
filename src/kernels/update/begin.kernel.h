// begin.kernel.h - computes a cloth's constants for an update and for an iteration, one lane per cloth, in scalar code:
// time steps, the filtered time step of gravity, factors of the stages, and when to test for sleep.

// Average of the filter's time steps under a trapezoid: with r = max(1, c / 8), step k of c has the weight
// min(k + 1, r, c - k).
FUNCTION(real) filtered_time_step(CONTEXT VALUE(int) cloth, VALUE(real) h) {
  int count = int(GROUP(cloth).state.time_step_count);
  int width = int(GROUP_SETTING(cloth, acceleration_filter_width));
  if (width < count) count = width;
  if (count == 0) return h;
  int ramp = count / 8;
  if (ramp < 1) ramp = 1;
  real sum = 0.0f;
  real weights = 0.0f;
  for (int k = 0; k < count; ++k) {
    int weight = k + 1;
    if (ramp < weight) weight = ramp;
    if (count - k < weight) weight = count - k;
    uint index = (GROUP(cloth).state.time_step_next - uint(count) + uint(k)) & (time_step_capacity - 1u);
    sum = sum + float(weight) * GROUP(cloth).state.time_steps[index];
    weights = weights + float(weight);
  }
  return divide(sum, weights);
}

FUNCTION(void) push_time_steps(CONTEXT VALUE(int) cloth, VALUE(real) h, VALUE(int) count) {
  int pushed = count;
  if (int(time_step_capacity) < pushed) pushed = int(time_step_capacity);
  for (int k = 0; k < pushed; ++k) {
    GROUP(cloth).state.time_steps[GROUP(cloth).state.time_step_next] = h;
    GROUP(cloth).state.time_step_next = (GROUP(cloth).state.time_step_next + 1u) & (time_step_capacity - 1u);
  }
  uint total = GROUP(cloth).state.time_step_count + uint(pushed);
  if (time_step_capacity < total) total = time_step_capacity;
  GROUP(cloth).state.time_step_count = total;
}

FUNCTION(void) begin_constraints(CONTEXT VALUE(int) cloth, VALUE(real) e) {
  for (int k = 0; k < int(GROUP_SETTING(cloth, record_count)); ++k) {
    int record = int(GROUP_SETTING(cloth, constraint_records)) + k * int(constraint_words);
    real all_parts = rate_per_iteration(TABLE_REAL(record + int(constraint_stiffness)), e);
    real rate = divide(all_parts, float(TABLE_INT(record + int(constraint_parts))));
    real multiplier = TABLE_REAL(record + int(constraint_multiplier));
    real soft_part = rate_per_iteration(1.0f - multiplier, e);
    real lower = 1.0f - divide(1.0f, TABLE_REAL(record + int(constraint_compression_limit)));
    real upper = 1.0f - divide(1.0f, TABLE_REAL(record + int(constraint_stretch_limit)));
    STORE_TABLE_REAL(record + int(constraint_rate), rate);
    STORE_TABLE_REAL(record + int(constraint_soft_part), soft_part);
    STORE_TABLE_REAL(record + int(constraint_lower_error), lower);
    STORE_TABLE_REAL(record + int(constraint_upper_error), upper);
    STORE_TABLE_REAL(record + int(constraint_exponent), e);
  }
}

// Computes the factors of wind.kernel.h.
FUNCTION(void) begin_wind(CONTEXT VALUE(int) cloth, VALUE(real) h, VALUE(real) e) {
  real per_h = divide(GROUP_SETTING(cloth, fluid_density) * 0.5f, h);
  real drag = rate_per_iteration(GROUP_SETTING(cloth, drag_coefficient), e) * per_h;
  real lift = rate_per_iteration(GROUP_SETTING(cloth, lift_coefficient), e) * per_h;
  GROUP(cloth).step.drag_scale = drag;
  GROUP(cloth).step.lift_scale = lift;
}

// Wakes a cloth of which a setting was changed. Returns whether the cloth sleeps and its iterations are to be skipped.
FUNCTION(bool) begin_sleep(CONTEXT VALUE(int) cloth) {
  if (GROUP(cloth).state.wakes != GROUP_FRAME(cloth, wakes)) {
    GROUP(cloth).state.wakes = GROUP_FRAME(cloth, wakes);
    GROUP(cloth).state.status.sleep_pass_count = 0u;
  }
  return GROUP_SETTING(cloth, sleep_policy) == sleep_skip && is_asleep(PASS cloth);
}

// Coarse levels look for pinned particles again when these, or the settings that act on the levels, may have changed, and
// in two more updates: a motion constraint of radius 0 pins its particle until the first iteration after it is gone.
FUNCTION(void) begin_pins(CONTEXT VALUE(int) cloth, VALUE(real) exponent_before, VALUE(bool) runs) {
  uint updates = GROUP(cloth).step.pin_updates;
  if (runs && updates != 0u) updates = updates - 1u;
  bool same = GROUP(cloth).step.records_version == GROUP_SETTING(cloth, records_version) &&
              GROUP(cloth).step.pin_changes == 0u && GROUP_SETTING(cloth, motion_start_block) == 0u;
  if (!same || exponent_before != GROUP(cloth).step.stiffness_exponent) updates = 3u;
  GROUP(cloth).step.pin_updates = updates;
  GROUP(cloth).step.pin_changes = 0u;
  GROUP(cloth).step.records_version = GROUP_SETTING(cloth, records_version);
}

// One iteration per sleep_test_interval of simulated time makes a sleep test. Time counts in whole ms per iteration,
// and at least one.
FUNCTION(void) begin_sleep_test(CONTEXT VALUE(int) cloth) {
  real ms = GROUP(cloth).step.h * 1000.0f;
  uint elapsed = uint(to_int(ms));
  if (elapsed < 1u) elapsed = 1u;
  uint counter = GROUP(cloth).state.sleep_counter + elapsed;
  uint test = uint(GROUP_SETTING(cloth, sleep_test_interval) <= counter);
  GROUP(cloth).state.sleep_counter = counter - test * GROUP_SETTING(cloth, sleep_test_interval);
  GROUP(cloth).state.moving_before = GROUP(cloth).state.moving_count;
  if (GROUP_SETTING(cloth, update_start) != 0u) test = test | GROUP(cloth).step.sleep_test;
  GROUP(cloth).step.sleep_test = test;
}

// Replaces the damping of the first iteration, which corrects for a changed time step, by that of the others.
FUNCTION(void) end_first_damping(CONTEXT VALUE(int) cloth) {
  real3 plain = CLOTHC_LOAD_VECTOR(GROUP_STEP, cloth, plain_damping);
  real3 first = CLOTHC_LOAD_VECTOR(GROUP_STEP, cloth, damping);
  CLOTHC_STORE_VECTOR(GROUP(cloth).step, damping, plain)
  real3 change = plain - first;
  if (GROUP(cloth).step.turning != 0u) change_turned_damping(PASS cloth, change);
}

// Velocities are displacements of the last iteration, which constraints and contacts have corrected. In a much shorter
// iteration the same corrections would be large velocities, and gravity, which acts by the filtered time step, would be
// too large as well. So an update that is shorter than a quarter of either moves nothing, and its time is added to that
// of the next updates until they make half of either: time steps that shrink by halves let a cloth relax that was
// stretched in longer ones.
FUNCTION(bool) is_held_back(CONTEXT VALUE(int) cloth, VALUE(real) dt, VALUE(real) filtered) {
  real usual = maximum(GROUP(cloth).state.status.iteration_dt, filtered);
  real times = select(GROUP(cloth).state.held_dt == 0.0f, 4.0f, 2.0f);
  real enough = times * dt;
  return enough < usual;
}

KERNEL(begin_group) {
  GROUP(i).step.update_dt = FRAME_DT;
  real frequency = GROUP_SETTING(i, solver_frequency);
  real wanted = FRAME_DT * frequency + 0.5f;
  int count = to_int(wanted);
  if (count < 1) count = 1;
  real dt = FRAME_DT + GROUP(i).state.held_dt;
  real h = divide(dt, float(count));
  real e = GROUP_SETTING(i, stiffness_frequency) * h;
  if (GROUP(i).state.solver_frequency != frequency) GROUP(i).state.time_step_count = 0u;
  GROUP(i).state.solver_frequency = frequency;
  real filtered = filtered_time_step(PASS i, h);
  bool held_back = is_held_back(PASS i, dt, filtered);
  real held_dt = select(held_back, dt, 0.0f);
  GROUP(i).state.held_dt = held_dt;
  if (!held_back) push_time_steps(PASS i, h, count);
  real square = filtered * filtered;
  real3 gravity = make3(GROUP_SETTING(i, gravity_x) * square, GROUP_SETTING(i, gravity_y) * square,
                        GROUP_SETTING(i, gravity_z) * square);

  real before = GROUP(i).state.status.iteration_dt;
  real ratio = 1.0f;
  real velocity_dt = h;
  if (0.0f < before) {
    ratio = divide(h, before);
    velocity_dt = before;
  }
  real kept_x = kept_per_iteration(GROUP_SETTING(i, damping_x), e);
  real kept_y = kept_per_iteration(GROUP_SETTING(i, damping_y), e);
  real kept_z = kept_per_iteration(GROUP_SETTING(i, damping_z), e);
  GROUP(i).step.plain_damping_x = kept_x;
  GROUP(i).step.plain_damping_y = kept_y;
  GROUP(i).step.plain_damping_z = kept_z;
  real first_x = kept_x * ratio;
  real first_y = kept_y * ratio;
  real first_z = kept_z * ratio;
  GROUP(i).step.damping_x = first_x;
  GROUP(i).step.damping_y = first_y;
  GROUP(i).step.damping_z = first_z;
  GROUP(i).step.velocity_dt = velocity_dt;

  begin_frame(PASS i, gravity, h, e, float(count), held_back);
  begin_wind(PASS i, h, e);

  real h_square = h * h;
  GROUP(i).step.h = h;
  GROUP(i).step.acceleration_scale = h_square;
  real exponent_before = GROUP(i).step.stiffness_exponent;
  GROUP(i).step.stiffness_exponent = e;
  real motion_rate = rate_per_iteration(GROUP_SETTING(i, motion_constraint_stiffness), e);
  GROUP(i).step.motion_rate = motion_rate;
  real full_rate = rate_per_iteration(1.0f, e);
  GROUP(i).step.full_rate = full_rate;
  real self_rate = rate_per_iteration(GROUP_SETTING(i, self_collision_stiffness), e);
  GROUP(i).step.self_rate = self_rate;
  real inter_rate = rate_per_iteration(GROUP_SETTING(i, inter_collision_stiffness), e);
  if (GROUP_SETTING(i, inter_collision_iterations) != 0u) inter_rate = GROUP_SETTING(i, inter_collision_stiffness);
  GROUP(i).step.inter_rate = inter_rate;
  begin_constraints(PASS i, e);
  if (begin_sleep(PASS i) || held_back) count = 0;
  begin_pins(PASS i, exponent_before, 0 < count);
  GROUP(i).state.moving_before = GROUP(i).state.moving_count;
  // Where no iteration follows, others see the cloth at the update's end.
  GROUP(i).step.time = 1.0f;
  GROUP(i).step.previous_time = 1.0f;
  GROUP(i).step.iteration = 0xffffffffu;
  GROUP(i).step.iteration_count = uint(count);
  GROUP(i).step.running = uint(0 < count);
  GROUP(i).step.sleep_test = 0u;
  GROUP(i).state.status.iteration_count = uint(count);
  // If there is no iteration, velocities are still those of the last one.
  if (0 < count) GROUP(i).state.status.iteration_dt = h;
  GROUP(i).state.non_finite_before = GROUP(i).state.status.non_finite_count;
}

KERNEL(begin_iteration) {
  uint iteration = GROUP(i).step.iteration + 1u;
  uint count = GROUP(i).step.iteration_count;
  GROUP(i).step.iteration = iteration;
  GROUP(i).step.running = uint(iteration < count);
  if (GROUP_SETTING(i, update_start) == 0u) finish_sleep_test(PASS i);
  if (iteration < count) {
    begin_sleep_test(PASS i);
    if (0u < iteration && GROUP(i).step.turning != 0u) turn_biases(PASS i);
    if (iteration == 1u) end_first_damping(PASS i);
    real time = divide(float(iteration + 1u), float(count));
    real previous_time = divide(float(iteration), float(count));
    bool at_target = (GROUP_FRAME(i, flags) & frame_skip_interpolation) != 0u;
    GROUP(i).step.time = select(at_target, 1.0f, time);
    GROUP(i).step.previous_time = select(at_target, 1.0f, previous_time);
  }
}
