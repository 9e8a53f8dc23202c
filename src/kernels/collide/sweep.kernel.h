// sweep.kernel.h - continuous collision with spheres, capsules and ellipsoids: finds where the paths of particle and
// shape through an iteration meet. From there on the particle moves with the shape. What is inside at the end is pushed
// out as by discrete collision. With a and b the particle relative to the shape at the begin and at the end, and r and
// s the radii, |a + (b - a) t| = r + (s - r) t is a quadratic equation, whose coefficients are made of aa = a.a - r r,
// ab = a.b - r s and bb = b.b - s s.
// Source: PhysX 3.4 manual, Cloth, "Continuous Collision Detection"; the formulae follow NvCloth's recorded
// trajectories.

// Paths that stay within this outer part of the radius are left to discrete collision: 1 - (1 - 0.2)^2.
#define CLOTHC_SWEEP_SKIN 0.36f

struct Sweep {
  mask hit;
  // Time of the first contact, 0..1.
  real time;
  // Part of the path b - a that is taken back.
  real go_back;
};

FUNCTION(Sweep) sweep(VALUE(real) aa, VALUE(real) ab, VALUE(real) bb, VALUE(real) r, VALUE(real) s) {
  real discriminant = ab * ab - bb * aa;
  real half_b = ab - aa;
  real minus_a = ab - bb + half_b;
  real least = r + half_b * minus_a * (s - r);
  mask deep = (minus_a * R(-1.0f)) * least * least * R(CLOTHC_SWEEP_SKIN) < discriminant;
  Sweep found;
  // A particle that begins inside and comes out is not stopped.
  found.hit = mask_and(mask_and(minus_a < R(0.0f - CLOTHC_EPSILON), deep), half_b < R(0.0f));
  found.time = R(0.0f);
  found.go_back = R(0.0f);
  IF_ANY(found.hit) {
    real root = square_root(maximum(discriminant, R(CLOTHC_SMALLEST)));
    real safe_a = select(found.hit, minus_a, R(-1.0f));
    found.time = divide(minimum(R(0.0f), half_b + root), safe_a);
    found.hit = mask_and(found.hit, found.time < R(1.0f));
    real rest = R(1.0f) - found.time;
    mask long_rest = R(CLOTHC_EPSILON) < rest;
    real k = divide(root, (safe_a * R(-1.0f)) * select(long_rest, rest, R(1.0f)));
    found.go_back = select(found.hit, divide(rest, R(1.0f) + select(long_rest, k, R(0.0f))), R(0.0f));
  }
  return found;
}

FUNCTION(Sweep) find_sphere(CONTEXT VALUE(int) sphere, VALUE(real3) position, VALUE(real3) before) {
  real3 centre = vector_at(PASS sphere);
  real3 b = position - centre;
  real3 a = before - (centre - vector_at(PASS sphere + int(sphere_motion)));
  real r = TABLE_REAL(sphere + int(sphere_radius_before));
  real s = TABLE_REAL(sphere + 3);
  real aa = dot3(a, a) - r * r;
  real ab = dot3(a, b) - r * s;
  real bb = dot3(b, b) + R(CLOTHC_EPSILON) - s * s;
  return sweep(aa, ab, bb, r, s);
}

// The sweep against a capsule's cone, without its ends.
FUNCTION(Sweep) find_cone(CONTEXT VALUE(int) capsule, VALUE(real3) position, VALUE(real3) before) {
  int then = capsule + int(capsule_before);
  real3 axis = vector_at(PASS capsule + int(capsule_axis));
  real3 axis_before = vector_at(PASS then + 3);
  real3 b = position - vector_at(PASS capsule + int(capsule_centre));
  real3 a = before - vector_at(PASS then);
  real s = dot3(b, axis) * TABLE_REAL(capsule + int(capsule_slope)) + TABLE_REAL(capsule + int(capsule_radius));
  real r = dot3(a, axis_before) * TABLE_REAL(then + 8) + TABLE_REAL(then + 7);
  real3 across_before = cross3(a, axis_before);
  real3 across = cross3(b, axis);
  real aa = dot3(across_before, across_before) - r * r;
  real ab = dot3(across_before, across) - r * s;
  real bb = dot3(across, across) + R(CLOTHC_EPSILON) - s * s;
  return sweep(aa, ab, bb, r, s);
}

// Whether all capsules that have the sphere as an end leave the particle to it: as in discrete collision, and also
// where it is in a cone that it has not hit on its path. In that case both shapes push it out, if it is in both. The
// position is that after the capsules, and end is the end of the particle's original path.
FUNCTION(mask)
is_left_on_path(CONTEXT VALUE(int) sphere, VALUE(real3) position, VALUE(real3) end, VALUE(real3) before) {
  mask left = R(0.0f) <= R(0.0f);
  for (int link = TABLE_INT(sphere + int(sphere_links)); link < TABLE_INT(sphere + int(sphere_links) + 1); ++link) {
    int side = TABLE_INT(link);
    int capsule = TABLE_INT(sphere + int(sphere_capsules)) + int(capsule_words) * (side / 2);
    ConeContact contact = cone_contact(PASS capsule, position_in_cone(PASS capsule, position));
    real beyond = contact.base;
    if (side % 2 == 0) beyond = contact.base * R(-1.0f);
    mask not_cone = TABLE_REAL(capsule + int(capsule_is_cone)) < R(0.5f);
    mask to_end = mask_or(TABLE_REAL(capsule + int(capsule_half_length)) < beyond,
                          mask_not(find_cone(PASS capsule, end, before).hit));
    left = mask_and(left, mask_or(not_cone, mask_and(contact.inside, to_end)));
  }
  return left;
}

FUNCTION(real3)
sweep_capsule(CONTEXT VALUE(int) capsule, VALUE(mask) near, VALUE(real3) position, VALUE(real3) before) {
  Sweep found = find_cone(PASS capsule, position, before);
  mask hit = mask_and(mask_and(near, found.hit), R(0.5f) < TABLE_REAL(capsule + int(capsule_is_cone)));
  real3 next = position;
  IF_ANY(hit) {
    // The point where the path meets the surface, and the point of the axis from which the path there is perpendicular
    // to the surface.
    int then = capsule + int(capsule_before);
    real3 axis = vector_at(PASS capsule + int(capsule_axis));
    real3 axis_before = vector_at(PASS then + 3);
    real3 b = position - vector_at(PASS capsule + int(capsule_centre));
    real3 a = before - vector_at(PASS then);
    real3 half_axis = axis * TABLE_REAL(capsule + int(capsule_half_length));
    real3 half_axis_before = axis_before * TABLE_REAL(then + 6);
    real3 turn = half_axis - half_axis_before;
    real3 half_axis_then = half_axis_before + turn * found.time;
    real length2 = dot3(half_axis_then, half_axis_then);
    real inverse = divide(R(1.0f), square_root(maximum(length2, R(CLOTHC_SMALLEST))));
    real3 relative = a + (b - a) * found.time;
    real along = dot3(relative, half_axis_then) * inverse;
    real across2 = maximum(dot3(relative, relative) - along * along, R(CLOTHC_SMALLEST));
    real slope = TABLE_REAL(then + 8) + (TABLE_REAL(capsule + int(capsule_slope)) - TABLE_REAL(then + 8)) * found.time;
    real base = (along + slope * square_root(across2)) * inverse;
    mask on_cone = mask_and(hit, absolute(base) < R(1.0f));
    next = select3(on_cone, position + (a - b + turn * base) * found.go_back, position);
  }
  return next;
}

// In units of its radii, an ellipsoid is a sphere.
FUNCTION(real3) sweep_ellipsoid(CONTEXT VALUE(int) ellipsoid, VALUE(real3) position, VALUE(real3) before) {
  real3 b = into_shape(PASS ellipsoid, position);
  real3 a = into_shape(PASS ellipsoid + int(posed_before), before);
  real3 ratios = in_radii(b, vector_at(PASS ellipsoid + int(posed_size)));
  real3 ratios_before = in_radii(a, vector_at(PASS ellipsoid + int(posed_before) + int(posed_size)));
  real one = R(1.0f);
  Sweep found = sweep(dot3(ratios_before, ratios_before) - one, dot3(ratios_before, ratios) - one,
                      dot3(ratios, ratios) + R(CLOTHC_EPSILON) - one, one, one);
  return select3(found.hit, position + along_shape(PASS ellipsoid, (a - b) * found.go_back), position);
}

// A particle on its path past the shapes, which are tested one after the other.
struct SweptParticle {
  real3 before;
  // End of the original path.
  real3 end;
  // Position after the capsules.
  real3 beside_cones;
  real3 position;
  // Upper bound on the length of the path to the position.
  real travel;
  Contacts contacts;
};

FUNCTION(SweptParticle) begin_sweep(VALUE(real3) before, VALUE(real3) end) {
  SweptParticle swept;
  swept.before = before;
  swept.end = end;
  swept.beside_cones = end;
  swept.position = end;
  swept.travel = manhattan_length(end - before);
  swept.contacts = no_contacts();
  return swept;
}

FUNCTION(SweptParticle) pass_capsule(CONTEXT VALUE(SweptParticle) swept, VALUE(int) capsule, VALUE(mask) near) {
  SweptParticle next = swept;
  mask close = may_overlap(PASS capsule + int(capsule_reach),
                           swept.position - vector_at(PASS capsule + int(capsule_centre)), swept.travel);
  close = mask_and(near, close);
  IF_ANY(close) {
    next.position = sweep_capsule(PASS capsule, close, swept.position, swept.before);
    next.beside_cones = next.position;
    next.travel = manhattan_length(next.position - swept.before);
    next.contacts = add_capsule_contact(PASS swept.contacts, capsule, close, next.position);
  }
  return next;
}

FUNCTION(SweptParticle) pass_sphere(CONTEXT VALUE(SweptParticle) swept, VALUE(int) sphere, VALUE(mask) near) {
  SweptParticle next = swept;
  mask close = mask_and(
      near, may_overlap(PASS sphere + int(sphere_reach), swept.position - vector_at(PASS sphere), swept.travel));
  IF_ANY(close) {
    Sweep found = find_sphere(PASS sphere, swept.position, swept.before);
    mask held = mask_and(close, mask_or(found.hit, is_in_sphere(PASS sphere, swept.position)));
    IF_ANY(held) {
      mask left = is_left_on_path(PASS sphere, swept.beside_cones, swept.end, swept.before);
      real3 back = (swept.before - swept.position + vector_at(PASS sphere + int(sphere_motion))) * found.go_back;
      // Or, for particles that have gone right through, where the sweep would put them.
      mask maybe = mask_and(mask_and(held, found.hit), mask_not(left));
      IF_ANY(maybe) { left = mask_or(left, mask_and(maybe, is_left_to_end(PASS sphere, swept.position + back))); }
      held = mask_and(held, left);
      next.position = select3(mask_and(held, found.hit), swept.position + back, swept.position);
      next.travel = manhattan_length(next.position - swept.before);
      mask inside = mask_and(held, is_in_sphere(PASS sphere, next.position));
      next.contacts = push_out_of_sphere(PASS swept.contacts, sphere, inside, next.position);
    }
  }
  return next;
}

FUNCTION(SweptParticle) pass_ellipsoid(CONTEXT VALUE(SweptParticle) swept, VALUE(int) ellipsoid) {
  SweptParticle next = swept;
  next.position = sweep_ellipsoid(PASS ellipsoid, swept.position, swept.before);
  next.contacts = add_ellipsoid_contact(PASS swept.contacts, ellipsoid, next.position);
  return next;
}

// The particle on its way past the shapes of a turn.
FUNCTION(SweptParticle) pass_shapes(CONTEXT VALUE(SweptParticle) begin, VALUE(int) turn, VALUE(int) variant) {
  SweptParticle swept = begin;
  swept.contacts = no_contacts();
  real3 before = begin.before;
  int per_block = int(shapes_per_block);
  ShapeRange capsules = capsules_of_turn(PASS turn, variant);
  for (int first = capsules.begin; first < capsules.end; first += per_block) {
    int block = SETTING_INT(capsule_blocks) + int(block_words) * (first / per_block);
    mask near = overlaps(PASS block, lower_of(swept.position, before), upper_of(swept.position, before));
    int end = end_in_block(capsules, first);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        swept = pass_capsule(PASS swept, SETTING_INT(capsules) + int(capsule_words) * k, near);
      }
    }
  }
  ShapeRange spheres = spheres_of_turn(PASS turn, variant);
  for (int first = spheres.begin; first < spheres.end; first += per_block) {
    int block = SETTING_INT(sphere_blocks) + int(block_words) * (first / per_block);
    mask near = overlaps(PASS block, lower_of(swept.position, before), upper_of(swept.position, before));
    int end = end_in_block(spheres, first);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        swept = pass_sphere(PASS swept, SETTING_INT(spheres) + int(sphere_words) * k, near);
      }
    }
  }
  ShapeRange ellipsoids = ellipsoids_of_turn(PASS turn, variant);
  for (int k = ellipsoids.begin; k < ellipsoids.end; ++k) {
    swept = pass_ellipsoid(PASS swept, SETTING_INT(ellipsoids) + int(posed_words) * k);
  }
  return swept;
}

FUNCTION(void) collide_curved_continuously_in(CONTEXT VALUE(int) i, VALUE(int) variant) {
  int first_particle = SETTING_INT(first_particle);
  real4 particle = colliding_particle(PASS i);
  IF_ANY(collides(PASS particle, variant)) {
    SweptParticle swept = begin_sweep(XYZ(LOAD4(particles, FRAME(previous) + first_particle, i)), XYZ(particle));
    Collision collision = begin_collision(PASS i, variant);
    for (int turn = 0; turn < curved_turns(PASS variant); ++turn) {
      SweptParticle next = pass_shapes(PASS swept, turn, variant);
      real4 passed = make4(next.position, particle.w);
      collision =
          end_turn_on_path(PASS collision, next.contacts, swept.position, passed, int(collision_curved), turn, variant);
      swept = next;
    }
    end_collision(PASS i, collision, swept.position, particle, int(collision_curved), variant);
  }
}

KERNEL_IN_VARIANTS(collide_curved_continuously, collide_curved_continuously_in, collision_variants, ARGUMENT)
