// sweep.kernel.h - continuous collision with spheres, capsules and ellipsoids: where, on the way of particle and shape
// through an iteration, the particle meets the surface. From there it goes on with the shape. What is left inside is pushed
// out as by discrete collision.
// With a and b the particle relative to the shape at the begin and the end, r and s the radii: |a + (b - a) t| = r + (s - r) t
// is a quadratic equation, of which aa = a.a - r r, ab = a.b - r s and bb = b.b - s s are the coefficients.
// Source: PhysX 3.4 manual, Cloth, "Continuous Collision Detection"; the formulae are those of NvCloth's trajectories.

// Ways that go less deep than this part of the radius are left to discrete collision: 1 - (1 - 0.2)^2.
#define CLOTHC_SWEEP_SKIN 0.36f

struct Sweep {
  mask hit;
  real time;     // 0..1 of the first contact
  real go_back;  // part of the way b - a that is taken back
};

FUNCTION(Sweep) sweep(VALUE(real) aa, VALUE(real) ab, VALUE(real) bb, VALUE(real) r, VALUE(real) s) {
  real discriminant = ab * ab - bb * aa;
  real half_b = ab - aa;
  real minus_a = ab - bb + half_b;
  real root = square_root(maximum(discriminant, R(CLOTHC_SMALLEST)));
  mask meets_shape = minus_a < R(0.0f - CLOTHC_EPSILON);
  real safe_a = select(meets_shape, minus_a, R(-1.0f));
  real time = divide(minimum(R(0.0f), half_b + root), safe_a);
  real least = r + half_b * minus_a * (s - r);
  mask deep = (R(0.0f) - minus_a) * least * least * R(CLOTHC_SWEEP_SKIN) < discriminant;
  Sweep found;
  found.time = time;
  // What has been inside and comes out is let go.
  found.hit = mask_and(mask_and(meets_shape, deep), mask_and(time < R(1.0f), half_b < R(0.0f)));
  real rest = R(1.0f) - time;
  mask long_rest = R(CLOTHC_EPSILON) < rest;
  real k = divide(root, (R(0.0f) - safe_a) * select(long_rest, rest, R(1.0f)));
  found.go_back = select(found.hit, divide(rest, R(1.0f) + select(long_rest, k, R(0.0f))), R(0.0f));
  return found;
}

FUNCTION(real3) sweep_sphere(CONTEXT int k, VALUE(mask) near, VALUE(real3) x, VALUE(real3) before) {
  real3 centre = vector_at(PASS k);
  real3 b = x - centre;
  real3 a = before - (centre - vector_at(PASS k + int(sphere_motion)));
  real r = TABLE_REAL(k + int(sphere_radius_before));
  real s = TABLE_REAL(k + 3);
  Sweep found = sweep(dot3(a, a) - r * r, dot3(a, b) - r * s, dot3(b, b) + R(CLOTHC_EPSILON) - s * s, r, s);
  mask hit = mask_and(near, found.hit);
  IF_ANY(hit) {
    // Not where capsules cover the sphere, both at the way's end and where it would be put.
    mask left = is_left_to_end(PASS k, x);
    IF_ANY(mask_and(hit, mask_not(left))) { left = mask_or(left, is_left_to_end(PASS k, x + (a - b) * found.go_back)); }
    hit = mask_and(hit, left);
  }
  return select3(hit, x + (a - b) * found.go_back, x);
}

FUNCTION(real3) sweep_capsule(CONTEXT int k, VALUE(mask) near, VALUE(real3) x, VALUE(real3) before) {
  int then = k + int(capsule_before);
  real3 axis = vector_at(PASS k + int(capsule_axis));
  real3 axis_before = vector_at(PASS then + 3);
  real3 b = x - vector_at(PASS k + int(capsule_centre));
  real3 a = before - vector_at(PASS then);
  real along = dot3(b, axis);
  real along_before = dot3(a, axis_before);
  real s = along * TABLE_REAL(k + int(capsule_slope)) + TABLE_REAL(k + int(capsule_radius));
  real r = along_before * TABLE_REAL(then + 8) + TABLE_REAL(then + 7);
  real3 p = cross3(a, axis_before);
  real3 q = cross3(b, axis);
  Sweep found = sweep(dot3(p, p) - r * r, dot3(p, q) - r * s, dot3(q, q) + R(CLOTHC_EPSILON) - s * s, r, s);
  mask hit = mask_and(mask_and(near, found.hit), R(0.5f) < TABLE_REAL(k + int(capsule_is_cone)));
  real3 z = x;
  IF_ANY(hit) {
    // Where the surface is met, and the point of the axis from which the way there is square to the surface.
    real3 half_axis = axis * TABLE_REAL(k + int(capsule_half_length));
    real3 half_axis_before = axis_before * TABLE_REAL(then + 6);
    real3 turn = half_axis - half_axis_before;
    real3 half_axis_then = half_axis_before + turn * found.time;
    real length2 = dot3(half_axis_then, half_axis_then);
    real inverse = divide(R(1.0f), square_root(maximum(length2, R(CLOTHC_SMALLEST))));
    real3 d = a + (b - a) * found.time;
    real dot = dot3(d, half_axis_then) * inverse;
    real across2 = maximum(dot3(d, d) - dot * dot, R(CLOTHC_SMALLEST));
    real slope = TABLE_REAL(then + 8) + (TABLE_REAL(k + int(capsule_slope)) - TABLE_REAL(then + 8)) * found.time;
    real base = (dot + slope * square_root(across2)) * inverse;
    mask on_cone = mask_and(hit, absolute(base) < R(1.0f));
    z = select3(on_cone, x + (a - b + turn * base) * found.go_back, x);
  }
  return z;
}

// In units of its radii an ellipsoid is a sphere.
FUNCTION(real3) sweep_ellipsoid(CONTEXT int k, VALUE(real3) x, VALUE(real3) before) {
  real3 b = into_shape(PASS k, x);
  real3 a = into_shape(PASS k + int(posed_before), before);
  real3 q = in_radii(b, vector_at(PASS k + int(posed_size)));
  real3 p = in_radii(a, vector_at(PASS k + int(posed_before) + int(posed_size)));
  real one = R(1.0f);
  Sweep found = sweep(dot3(p, p) - one, dot3(p, q) - one, dot3(q, q) + R(CLOTHC_EPSILON) - one, one, one);
  return select3(found.hit, x + along_shape(PASS k, (a - b) * found.go_back), x);
}

KERNEL(collide_rounds_continuously) {
  int first_particle = SETTING_INT(first_particle);
  real4 particle = LOAD4(particles, FRAME(position) + first_particle, i);
  real3 before = XYZ(LOAD4(particles, FRAME(previous) + first_particle, i));
  real3 x = XYZ(particle);
  Contacts contacts = no_contacts();
  int per_block = int(shapes_per_block);
  for (int first = 0; first < SETTING_INT(capsule_count); first += per_block) {
    int block = SETTING_INT(capsule_blocks) + int(block_words) * (first / per_block);
    mask near = meets(PASS block, lower_of(x, before), upper_of(x, before));
    int end = first + per_block;
    if (SETTING_INT(capsule_count) < end) end = SETTING_INT(capsule_count);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        int capsule = SETTING_INT(capsules) + int(capsule_words) * k;
        x = sweep_capsule(PASS capsule, near, x, before);
        contacts = touch_capsule(PASS contacts, capsule, near, x);
      }
    }
  }
  for (int first = 0; first < SETTING_INT(sphere_count); first += per_block) {
    int block = SETTING_INT(sphere_blocks) + int(block_words) * (first / per_block);
    mask near = meets(PASS block, lower_of(x, before), upper_of(x, before));
    int end = first + per_block;
    if (SETTING_INT(sphere_count) < end) end = SETTING_INT(sphere_count);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        int sphere = SETTING_INT(spheres) + int(sphere_words) * k;
        x = sweep_sphere(PASS sphere, near, x, before);
        contacts = touch_sphere(PASS contacts, sphere, near, x);
      }
    }
  }
  for (int k = 0; k < SETTING_INT(ellipsoid_count); ++k) {
    int ellipsoid = SETTING_INT(ellipsoids) + int(posed_words) * k;
    x = sweep_ellipsoid(PASS ellipsoid, x, before);
    contacts = touch_ellipsoid(PASS contacts, ellipsoid, x);
  }
  leave_contacts(PASS i, contacts, x, particle);
}
