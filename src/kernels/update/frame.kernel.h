// frame.kernel.h - the effect of the motion of a cloth's frame on its particles, computed once per update, one lane per
// cloth, in scalar code.
// With v and w the frame's velocity and half its angular velocity in this update, v' and w' the same in the last one, R
// the rotation into the frame at the update's begin, n iterations of h seconds, and e = stiffness_frequency h:
// linear:  I = linear_inertia h (v' - v) acts on positions as (n + 1)/2n I, and on previous positions as the rest; the
//            drag is rate(linear_drag) h v; the wind past a particle at rest is h v - h wind.
//   angular: A = -h R w, B = -h R w', M = rot(exp A), Q = rot(exp B exp A), c = (A + B)/2, D the damping per axis,
//            ds = |R w rate(angular_drag)| / |R w|, is = |R (w - w') angular_inertia| / |R (w - w')| / n,
//            cs = (2n - 1)/n |R w centrifugal_inertia| / |R w| - is:
//            d = (L + M (is + D + ds) - is - ds + cs [c x]) x + (L + M (is - D) - Q is - cs [c x]) y + bias,
//            L = cs (|c|^2 - c c^T)
// After each iteration, bias, previous bias and wind are rotated by M, since the world has turned as seen from the
// frame. The order of operations matters, because the matrices nearly cancel: the rounding errors that are left of
// them, up to about 1e-7/h^2 m/s2 per m from the frame's origin, are part of the recorded trajectories.
// Source: PhysX 3.4 manual, Cloth, "Local space simulation"; NvCloth, iteration state, from its recorded trajectories.

// A matrix by its rows.
struct Matrix {
  real3 x;
  real3 y;
  real3 z;
};

FUNCTION(Matrix) matrix_of(VALUE(real3) x, VALUE(real3) y, VALUE(real3) z) {
  Matrix m;
  m.x = x;
  m.y = y;
  m.z = z;
  return m;
}

FUNCTION(real3) turned(VALUE(Matrix) m, VALUE(real3) v) { return make3(dot3(m.x, v), dot3(m.y, v), dot3(m.z, v)); }

FUNCTION(Matrix) times(VALUE(Matrix) m, VALUE(real) s) {
  Matrix result;
  result.x = m.x * s;
  result.y = m.y * s;
  result.z = m.z * s;
  return result;
}

FUNCTION(Matrix) sum_of(VALUE(Matrix) a, VALUE(Matrix) b) {
  Matrix result;
  result.x = a.x + b.x;
  result.y = a.y + b.y;
  result.z = a.z + b.z;
  return result;
}

FUNCTION(Matrix) with_columns_times(VALUE(Matrix) m, VALUE(real3) s) {
  Matrix result;
  result.x = componentwise(m.x, s);
  result.y = componentwise(m.y, s);
  result.z = componentwise(m.z, s);
  return result;
}

// The outer product a b^T.
FUNCTION(Matrix) outer(VALUE(real3) a, VALUE(real3) b) {
  Matrix result;
  result.x = b * a.x;
  result.y = b * a.y;
  result.z = b * a.z;
  return result;
}

FUNCTION(Matrix) zero_matrix() {
  Matrix result;
  result.x = make3(0.0f, 0.0f, 0.0f);
  result.y = result.x;
  result.z = result.x;
  return result;
}

// Adds a number to the diagonal. Nothing is added to the other elements: drivers leave x + 0 as x, also where that is -0.
FUNCTION(Matrix) with_diagonal(VALUE(Matrix) m, VALUE(real) s) {
  Matrix result;
  result.x = make3(m.x.x + s, m.x.y, m.x.z);
  result.y = make3(m.y.x, m.y.y + s, m.y.z);
  result.z = make3(m.z.x, m.z.y, m.z.z + s);
  return result;
}

// The matrix [a x] of the cross product with a.
FUNCTION(Matrix) cross_matrix(VALUE(real3) a) {
  Matrix result;
  result.x = make3(0.0f, a.z * -1.0f, a.y);
  result.y = make3(a.z, 0.0f, a.x * -1.0f);
  result.z = make3(a.y * -1.0f, a.x, 0.0f);
  return result;
}

// |v|, or 0 where the square of v is so small that a division by it would not be exact.
FUNCTION(real) length_of(VALUE(real3) v) {
  real square = dot3(v, v);
  real root = square_root(maximum(square, CLOTHC_SMALLEST));
  return select(square < CLOTHC_SMALLEST, 0.0f, root);
}

// |v k| / |v| with componentwise products: the part of v that is left by factors k per axis. Where v is 0, it is the
// mean over all directions; so three equal factors always give that factor.
FUNCTION(real) part_left(VALUE(real3) v, VALUE(real3) k) {
  real size = length_of(v);
  real part = divide(length_of(componentwise(v, k)), select(0.0f < size, size, 1.0f));
  real mean = square_root(divide(dot3(k, k), 3.0f) + CLOTHC_SMALLEST);
  return select(0.0f < size, part, mean);
}

// Quaternions are x y z w.
FUNCTION(real4) conjugate(VALUE(real4) q) { return make4(make3(q.x * -1.0f, q.y * -1.0f, q.z * -1.0f), q.w); }

FUNCTION(real4) product(VALUE(real4) a, VALUE(real4) b) {
  real w = a.w * b.w - dot3(XYZ(a), XYZ(b));
  return make4(XYZ(b) * a.w + XYZ(a) * b.w + cross3(XYZ(a), XYZ(b)), w);
}

// The rotation by a unit quaternion.
FUNCTION(Matrix) rotation(VALUE(real4) q) {
  Matrix m;
  m.x = make3((q.y * q.y + q.z * q.z) * -1.0f, q.x * q.y - q.z * q.w, q.x * q.z + q.y * q.w);
  m.y = make3(q.x * q.y + q.z * q.w, (q.x * q.x + q.z * q.z) * -1.0f, q.y * q.z - q.x * q.w);
  m.z = make3(q.x * q.z - q.y * q.w, q.y * q.z + q.x * q.w, (q.x * q.x + q.y * q.y) * -1.0f);
  return with_diagonal(times(m, 2.0f), 1.0f);
}

// The quaternion of half a rotation vector, and the inverse, which takes the shorter way around. The angle is limited,
// because a frame that turned within a microsecond before an update of seconds would have an angle outside the range of
// sin_of.
FUNCTION(real4) quaternion_of(VALUE(real3) half_turn) {
  real size = length_of(half_turn);
  real angle = minimum(size, 1000.0f);
  real ratio = divide(sin_of(angle), maximum(size, 1e-6f));
  return make4(half_turn * select(1e-6f < size, ratio, 1.0f), cos_of(angle));
}

FUNCTION(real3) half_turn_of(VALUE(real4) q) {
  real sign = select(q.w < 0.0f, -1.0f, 1.0f);
  real sine = length_of(XYZ(q));
  real ratio = divide(atan2_of(sine, q.w * sign), maximum(sine, 1e-6f));
  return XYZ(q) * (sign * select(1e-6f < sine, ratio, 1.0f));
}

#define CLOTHC_STORE_VECTOR(target, name, v) \
  target.name##_x = v.x;                     \
  target.name##_y = v.y;                     \
  target.name##_z = v.z;
#define CLOTHC_STORE_MATRIX(target, name, m) \
  target.name##_xx = m.x.x;                  \
  target.name##_xy = m.x.y;                  \
  target.name##_xz = m.x.z;                  \
  target.name##_yx = m.y.x;                  \
  target.name##_yy = m.y.y;                  \
  target.name##_yz = m.y.z;                  \
  target.name##_zx = m.z.x;                  \
  target.name##_zy = m.z.y;                  \
  target.name##_zz = m.z.z;
// The reader is GROUP_SETTING, GROUP_FRAME, GROUP_STEP or GROUP_STATE.
#define CLOTHC_LOAD_VECTOR(reader, group, name) \
  make3(reader(group, name##_x), reader(group, name##_y), reader(group, name##_z))
#define CLOTHC_LOAD_MATRIX(reader, group, name)                                                  \
  matrix_of(make3(reader(group, name##_xx), reader(group, name##_xy), reader(group, name##_xz)), \
            make3(reader(group, name##_yx), reader(group, name##_yy), reader(group, name##_yz)), \
            make3(reader(group, name##_zx), reader(group, name##_zy), reader(group, name##_zz)))

FUNCTION(real3) rates_of(VALUE(real3) c, VALUE(real) e) {
  return make3(rate_per_iteration(c.x, e), rate_per_iteration(c.y, e), rate_per_iteration(c.z, e));
}

// wc and wp are half the angular velocities of this update and of the last one, in the frame.
FUNCTION(void)
begin_turning(CONTEXT VALUE(int) cloth, VALUE(real3) wc, VALUE(real3) wp, VALUE(real) h, VALUE(real) e, VALUE(real) n) {
  real3 a = wc * (h * -1.0f);
  real3 b = wp * (h * -1.0f);
  real4 turn = quaternion_of(a);
  Matrix m = rotation(turn);
  Matrix q = rotation(product(quaternion_of(b), turn));
  real3 c = (a + b) * 0.5f;
  real drag = part_left(wc, rates_of(CLOTHC_LOAD_VECTOR(GROUP_SETTING, cloth, angular_drag), e));
  real inertia = divide(part_left(wc - wp, CLOTHC_LOAD_VECTOR(GROUP_SETTING, cloth, angular_inertia)), n);
  real centrifugal = part_left(wc, CLOTHC_LOAD_VECTOR(GROUP_SETTING, cloth, centrifugal_inertia));
  centrifugal = divide(2.0f * n - 1.0f, n) * centrifugal - inertia;

  real3 damping = CLOTHC_LOAD_VECTOR(GROUP_STEP, cloth, damping);
  real3 lost = make3(inertia - damping.x, inertia - damping.y, inertia - damping.z);
  real3 kept = make3(inertia + damping.x + drag, inertia + damping.y + drag, inertia + damping.z + drag);
  Matrix outward = times(outer(c, c), centrifugal * -1.0f);
  Matrix around = cross_matrix(c * centrifugal);
  real square = dot3(c, c) * centrifugal;
  Matrix previous = sum_of(sum_of(outward, times(around, -1.0f)), with_columns_times(m, lost));
  previous = with_diagonal(sum_of(previous, times(q, inertia * -1.0f)), square);
  Matrix current = sum_of(sum_of(outward, around), with_columns_times(m, kept));
  current = with_diagonal(current, square - inertia - drag);
  CLOTHC_STORE_MATRIX(GROUP(cloth).step, turn, m)
  CLOTHC_STORE_MATRIX(GROUP(cloth).step, current, current)
  CLOTHC_STORE_MATRIX(GROUP(cloth).step, previous, previous)
}

// gravity is its displacement per iteration, along the axes of the world. If held_back, the update moves no particle,
// so the frame takes the cloth along and keeps the velocity that it had.
FUNCTION(void)
begin_frame(CONTEXT VALUE(int) cloth, VALUE(real3) gravity, VALUE(real) h, VALUE(real) e, VALUE(real) n,
            VALUE(bool) held_back) {
  uint flags = GROUP_FRAME(cloth, flags);
  real3 start = CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, start);
  real3 target = CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, target);
  real4 from = make4(CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, start_rotation), GROUP_FRAME(cloth, start_rotation_w));
  real4 to = make4(CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, target_rotation), GROUP_FRAME(cloth, target_rotation_w));
  real3 velocity_before = CLOTHC_LOAD_VECTOR(GROUP_STATE, cloth, velocity);
  real3 spin_before = CLOTHC_LOAD_VECTOR(GROUP_STATE, cloth, angular_velocity);
  if ((flags & frame_clear_inertia) != 0u) {
    velocity_before = make3(0.0f, 0.0f, 0.0f);
    spin_before = velocity_before;
  }
  real rate = divide(1.0f, FRAME_DT);
  real3 velocity = (target - start) * rate;
  real3 spin = half_turn_of(product(to, conjugate(from))) * rate;
  if (held_back || (flags & frame_keep_velocity) != 0u) {
    velocity = velocity_before;
    spin = spin_before;
  }
  velocity = snap3(velocity);
  spin = snap3(spin);
  CLOTHC_STORE_VECTOR(GROUP(cloth).state, velocity, velocity)
  CLOTHC_STORE_VECTOR(GROUP(cloth).state, angular_velocity, spin)

  Matrix into_frame = rotation(conjugate(from));
  real3 felt = componentwise(CLOTHC_LOAD_VECTOR(GROUP_SETTING, cloth, linear_inertia), velocity_before - velocity) * h;
  real3 moved = velocity * h;
  real3 drag = componentwise(rates_of(CLOTHC_LOAD_VECTOR(GROUP_SETTING, cloth, linear_drag), e), moved);
  real share = divide(n + 1.0f, 2.0f * n);
  real3 bias = turned(into_frame, felt * share + gravity - drag);
  real3 previous_bias = snap3(turned(into_frame, felt * (1.0f - share)));
  real3 wind = turned(into_frame, moved - CLOTHC_LOAD_VECTOR(GROUP_SETTING, cloth, wind_velocity) * h);
  CLOTHC_STORE_VECTOR(GROUP(cloth).step, bias, bias)
  CLOTHC_STORE_VECTOR(GROUP(cloth).step, previous_bias, previous_bias)
  CLOTHC_STORE_VECTOR(GROUP(cloth).step, wind, wind)

  bool moves = start.x != target.x || start.y != target.y || start.z != target.z || from.x != to.x || from.y != to.y ||
               from.z != to.z || from.w != to.w;
  GROUP(cloth).step.frame_moves = uint(moves);
  real spins = dot3(spin, spin) + dot3(spin_before, spin_before);
  bool turning = CLOTHC_SMALLEST < spins;
  GROUP(cloth).step.turning = uint(turning);
  if (turning) begin_turning(PASS cloth, turned(into_frame, spin), turned(into_frame, spin_before), h, e, n);
}

// Runs before each iteration except the first.
FUNCTION(void) turn_biases(CONTEXT VALUE(int) cloth) {
  Matrix m = CLOTHC_LOAD_MATRIX(GROUP_STEP, cloth, turn);
  real3 bias = turned(m, CLOTHC_LOAD_VECTOR(GROUP_STEP, cloth, bias));
  real3 previous_bias = snap3(turned(m, CLOTHC_LOAD_VECTOR(GROUP_STEP, cloth, previous_bias)));
  real3 wind = turned(m, CLOTHC_LOAD_VECTOR(GROUP_STEP, cloth, wind));
  CLOTHC_STORE_VECTOR(GROUP(cloth).step, bias, bias)
  CLOTHC_STORE_VECTOR(GROUP(cloth).step, previous_bias, previous_bias)
  CLOTHC_STORE_VECTOR(GROUP(cloth).step, wind, wind)
}

// Changes one element of the matrices of positions and previous positions according to a change of the damping.
#define CLOTHC_CHANGE_DAMPING(element, change)                   \
  {                                                              \
    real more = GROUP(cloth).step.turn_##element * (change);     \
    real current = GROUP(cloth).step.current_##element + more;   \
    real previous = GROUP(cloth).step.previous_##element - more; \
    GROUP(cloth).step.current_##element = current;               \
    GROUP(cloth).step.previous_##element = previous;             \
  }

// Changes the damping by change, per axis. The factors apply to rows here, as in the recorded trajectories.
FUNCTION(void) change_turned_damping(CONTEXT VALUE(int) cloth, VALUE(real3) change) {
  CLOTHC_CHANGE_DAMPING(xx, change.x)
  CLOTHC_CHANGE_DAMPING(xy, change.x)
  CLOTHC_CHANGE_DAMPING(xz, change.x)
  CLOTHC_CHANGE_DAMPING(yx, change.y)
  CLOTHC_CHANGE_DAMPING(yy, change.y)
  CLOTHC_CHANGE_DAMPING(yz, change.y)
  CLOTHC_CHANGE_DAMPING(zx, change.z)
  CLOTHC_CHANGE_DAMPING(zy, change.z)
  CLOTHC_CHANGE_DAMPING(zz, change.z)
}
