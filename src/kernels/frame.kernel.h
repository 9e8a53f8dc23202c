// frame.kernel.h - what the motion of a cloth's frame does to its particles, per update, in scalar code: one lane per cloth.
// With v, w the frame's velocity and half its angular velocity in this update, v', w' in the last one, R the rotation
// into the frame at the update's begin, n iterations of h, e = stiffness_frequency h:
//   linear:  I = linear_inertia h (v' - v), felt by positions as (n + 1)/2n I, by previous ones as the rest; drag
//            rate(linear_drag) h v; wind past a particle at rest, h v - h wind.
//   angular: A = -h R w, B = -h R w', M = rot(exp A), Q = rot(exp B exp A), m = M - 1, q = Q - 1, c = (A + B)/2,
//            ds = |R w rate(angular_drag)| / |R w|, is = |R (w - w') angular_inertia| / |R (w - w')| / n,
//            cs = (2n - 1)/n |R w centrifugal_inertia| / |R w| - is, C = cs (|c|^2 1 - c c^T):
//            d = (C + cs [c x] + M damping + (is + ds) m) (x - y) + (2 C + is (2 m - q) + ds m) y
// This is the peer's formula regrouped: its two matrices, of x and of y, nearly cancel; here the second is small.
// Source: PhysX 3.4 manual, Cloth, "Local space simulation"; NvCloth, iteration state, in the words of its trajectories.

struct Matrix {
  real3 x;  // rows
  real3 y;
  real3 z;
};

FUNCTION(real3) times(VALUE(Matrix) m, VALUE(real3) v) { return make3(dot3(m.x, v), dot3(m.y, v), dot3(m.z, v)); }

FUNCTION(Matrix) scaled(VALUE(Matrix) m, VALUE(real) s) {
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

// a b^T.
FUNCTION(Matrix) outer(VALUE(real3) a, VALUE(real3) b) {
  Matrix result;
  result.x = b * a.x;
  result.y = b * a.y;
  result.z = b * a.z;
  return result;
}

FUNCTION(Matrix) diagonal(VALUE(real) x, VALUE(real) y, VALUE(real) z) {
  Matrix result;
  result.x = make3(x, 0.0f, 0.0f);
  result.y = make3(0.0f, y, 0.0f);
  result.z = make3(0.0f, 0.0f, z);
  return result;
}

// [a x].
FUNCTION(Matrix) cross_matrix(VALUE(real3) a) {
  Matrix result;
  result.x = make3(0.0f, 0.0f - a.z, a.y);
  result.y = make3(a.z, 0.0f, 0.0f - a.x);
  result.z = make3(0.0f - a.y, a.x, 0.0f);
  return result;
}

FUNCTION(real3) componentwise(VALUE(real3) a, VALUE(real3) b) { return make3(a.x * b.x, a.y * b.y, a.z * b.z); }

// |v|, 0 where its square is below the numbers that divisions are exact for.
FUNCTION(real) length_of(VALUE(real3) v) {
  real square = dot3(v, v);
  real root = square_root(maximum(square, CLOTHC_SMALLEST));
  return select(square < CLOTHC_SMALLEST, 0.0f, root);
}

// |v k| / |v| with componentwise products: the part of v that factors per axis leave. Where v is 0, its mean over all
// directions, so that equal factors are that part always.
FUNCTION(real) part_left(VALUE(real3) v, VALUE(real3) k) {
  real size = length_of(v);
  real part = divide(length_of(componentwise(v, k)), select(0.0f < size, size, 1.0f));
  real mean = square_root(divide(dot3(k, k), 3.0f) + CLOTHC_SMALLEST);
  return select(0.0f < size, part, mean);
}

// Quaternions are x y z w.
FUNCTION(real4) conjugate(VALUE(real4) q) { return make4(make3(0.0f - q.x, 0.0f - q.y, 0.0f - q.z), q.w); }

FUNCTION(real4) product(VALUE(real4) a, VALUE(real4) b) {
  real w = a.w * b.w - dot3(XYZ(a), XYZ(b));
  return make4(XYZ(b) * a.w + XYZ(a) * b.w + cross3(XYZ(a), XYZ(b)), w);
}

// The rotation by a unit quaternion, less the identity: exact where it is small.
FUNCTION(Matrix) rotation_less_identity(VALUE(real4) q) {
  Matrix m;
  m.x = make3(0.0f - (q.y * q.y + q.z * q.z), q.x * q.y - q.z * q.w, q.x * q.z + q.y * q.w);
  m.y = make3(q.x * q.y + q.z * q.w, 0.0f - (q.x * q.x + q.z * q.z), q.y * q.z - q.x * q.w);
  m.z = make3(q.x * q.z - q.y * q.w, q.y * q.z + q.x * q.w, 0.0f - (q.x * q.x + q.y * q.y));
  return scaled(m, 2.0f);
}

// The quaternion of a rotation vector of half the length, and back; the shorter way around.
FUNCTION(real4) quaternion_of(VALUE(real3) half_turn) {
  real angle = length_of(half_turn);
  real ratio = divide(sin_of(angle), maximum(angle, 1e-6f));
  return make4(half_turn * select(1e-6f < angle, ratio, 1.0f), cos_of(angle));
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
#define CLOTHC_LOAD_VECTOR(source, name) make3(source.name##_x, source.name##_y, source.name##_z)

FUNCTION(real3) rates_of(VALUE(real3) c, VALUE(real) e) {
  return make3(rate_per_iteration(c.x, e), rate_per_iteration(c.y, e), rate_per_iteration(c.z, e));
}

// wc, wp: half the angular velocities of this update and the last one, in the frame.
FUNCTION(void)
begin_turning(CONTEXT int cloth, VALUE(real3) wc, VALUE(real3) wp, VALUE(real) h, VALUE(real) e, VALUE(real) n) {
  real3 a = wc * (0.0f - h);
  real3 b = wp * (0.0f - h);
  real4 turn = quaternion_of(a);
  Matrix m = rotation_less_identity(turn);
  Matrix q = rotation_less_identity(product(quaternion_of(b), turn));
  real3 c = (a + b) * 0.5f;
  real drag = part_left(wc, rates_of(CLOTHC_LOAD_VECTOR(CLOTH(cloth).settings, angular_drag), e));
  real inertia = divide(part_left(wc - wp, CLOTHC_LOAD_VECTOR(CLOTH(cloth).settings, angular_inertia)), n);
  real centrifugal = part_left(wc, CLOTHC_LOAD_VECTOR(CLOTH(cloth).settings, centrifugal_inertia));
  centrifugal = divide(2.0f * n - 1.0f, n) * centrifugal - inertia;

  real square = dot3(c, c);
  Matrix lifted = scaled(sum_of(diagonal(square, square, square), scaled(outer(c, c), -1.0f)), centrifugal);
  real3 damping = CLOTHC_LOAD_VECTOR(CLOTH(cloth).step, damping);
  Matrix damped = diagonal(damping.x, damping.y, damping.z);
  damped.x = damped.x + componentwise(m.x, damping);
  damped.y = damped.y + componentwise(m.y, damping);
  damped.z = damped.z + componentwise(m.z, damping);
  Matrix keep = sum_of(sum_of(lifted, cross_matrix(c * centrifugal)), sum_of(damped, scaled(m, inertia + drag)));
  Matrix spin = sum_of(scaled(lifted, 2.0f), scaled(m, 2.0f * inertia + drag));
  spin = sum_of(spin, scaled(q, 0.0f - inertia));
  CLOTHC_STORE_MATRIX(CLOTH(cloth).step, turn, m)
  CLOTHC_STORE_MATRIX(CLOTH(cloth).step, keep, keep)
  CLOTHC_STORE_MATRIX(CLOTH(cloth).step, spin, spin)
}

// gravity: its displacement per iteration, along the axes of the world.
FUNCTION(void) begin_frame(CONTEXT int cloth, VALUE(real3) gravity, VALUE(real) h, VALUE(real) e, VALUE(real) n) {
  uint flags = CLOTH(cloth).frame.flags;
  real3 start = CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, start);
  real3 target = CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, target);
  real4 from = make4(CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, start_rotation), CLOTH(cloth).frame.start_rotation_w);
  real4 to = make4(CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, target_rotation), CLOTH(cloth).frame.target_rotation_w);
  real3 velocity_before = CLOTHC_LOAD_VECTOR(CLOTH(cloth).state, velocity);
  real3 spin_before = CLOTHC_LOAD_VECTOR(CLOTH(cloth).state, angular_velocity);
  if ((flags & frame_clear_inertia) != 0u) {
    velocity_before = make3(0.0f, 0.0f, 0.0f);
    spin_before = velocity_before;
  }
  real rate = divide(1.0f, FRAME_DT);
  real3 velocity = (target - start) * rate;
  real3 spin = half_turn_of(product(to, conjugate(from))) * rate;
  if ((flags & frame_keep_velocity) != 0u) {
    velocity = velocity_before;
    spin = spin_before;
  }
  velocity = make3(snap(velocity.x), snap(velocity.y), snap(velocity.z));
  spin = make3(snap(spin.x), snap(spin.y), snap(spin.z));
  CLOTHC_STORE_VECTOR(CLOTH(cloth).state, velocity, velocity)
  CLOTHC_STORE_VECTOR(CLOTH(cloth).state, angular_velocity, spin)

  Matrix into_frame = sum_of(diagonal(1.0f, 1.0f, 1.0f), rotation_less_identity(conjugate(from)));
  real3 felt = componentwise(CLOTHC_LOAD_VECTOR(CLOTH(cloth).settings, linear_inertia), velocity_before - velocity) * h;
  real3 moved = velocity * h;
  real3 drag = componentwise(rates_of(CLOTHC_LOAD_VECTOR(CLOTH(cloth).settings, linear_drag), e), moved);
  real share = divide(n + 1.0f, 2.0f * n);
  real3 bias = times(into_frame, felt * share + gravity - drag);
  real3 previous_bias = times(into_frame, felt * (1.0f - share));
  real3 wind = times(into_frame, moved - CLOTHC_LOAD_VECTOR(CLOTH(cloth).settings, wind) * h);
  CLOTHC_STORE_VECTOR(CLOTH(cloth).step, bias, bias)
  CLOTHC_STORE_VECTOR(CLOTH(cloth).step, previous_bias, previous_bias)
  CLOTHC_STORE_VECTOR(CLOTH(cloth).step, wind, wind)

  bool turning = CLOTHC_SMALLEST < dot3(spin, spin) + dot3(spin_before, spin_before);
  CLOTH(cloth).step.turning = uint(turning);
  if (turning) begin_turning(PASS cloth, times(into_frame, spin), times(into_frame, spin_before), h, e, n);
}

// After an iteration the world has turned on, as seen from the frame.
FUNCTION(void) turn_biases(CONTEXT int cloth) {
  Matrix m;
  m.x = make3(CLOTH(cloth).step.turn_xx, CLOTH(cloth).step.turn_xy, CLOTH(cloth).step.turn_xz);
  m.y = make3(CLOTH(cloth).step.turn_yx, CLOTH(cloth).step.turn_yy, CLOTH(cloth).step.turn_yz);
  m.z = make3(CLOTH(cloth).step.turn_zx, CLOTH(cloth).step.turn_zy, CLOTH(cloth).step.turn_zz);
  real3 bias = CLOTHC_LOAD_VECTOR(CLOTH(cloth).step, bias);
  real3 previous_bias = CLOTHC_LOAD_VECTOR(CLOTH(cloth).step, previous_bias);
  real3 wind = CLOTHC_LOAD_VECTOR(CLOTH(cloth).step, wind);
  bias = bias + times(m, bias);
  previous_bias = previous_bias + times(m, previous_bias);
  wind = wind + times(m, wind);
  CLOTHC_STORE_VECTOR(CLOTH(cloth).step, bias, bias)
  CLOTHC_STORE_VECTOR(CLOTH(cloth).step, previous_bias, previous_bias)
  CLOTHC_STORE_VECTOR(CLOTH(cloth).step, wind, wind)
}

// The first iteration's damping gives way to the others'; change: by how much, per axis.
FUNCTION(void) change_turned_damping(CONTEXT int cloth, VALUE(real3) change) {
  real xx = CLOTH(cloth).step.keep_xx + change.x * (1.0f + CLOTH(cloth).step.turn_xx);
  real xy = CLOTH(cloth).step.keep_xy + change.x * CLOTH(cloth).step.turn_xy;
  real xz = CLOTH(cloth).step.keep_xz + change.x * CLOTH(cloth).step.turn_xz;
  real yx = CLOTH(cloth).step.keep_yx + change.y * CLOTH(cloth).step.turn_yx;
  real yy = CLOTH(cloth).step.keep_yy + change.y * (1.0f + CLOTH(cloth).step.turn_yy);
  real yz = CLOTH(cloth).step.keep_yz + change.y * CLOTH(cloth).step.turn_yz;
  real zx = CLOTH(cloth).step.keep_zx + change.z * CLOTH(cloth).step.turn_zx;
  real zy = CLOTH(cloth).step.keep_zy + change.z * CLOTH(cloth).step.turn_zy;
  real zz = CLOTH(cloth).step.keep_zz + change.z * (1.0f + CLOTH(cloth).step.turn_zz);
  CLOTH(cloth).step.keep_xx = xx;
  CLOTH(cloth).step.keep_xy = xy;
  CLOTH(cloth).step.keep_xz = xz;
  CLOTH(cloth).step.keep_yx = yx;
  CLOTH(cloth).step.keep_yy = yy;
  CLOTH(cloth).step.keep_yz = yz;
  CLOTH(cloth).step.keep_zx = zx;
  CLOTH(cloth).step.keep_zy = zy;
  CLOTH(cloth).step.keep_zz = zz;
}
