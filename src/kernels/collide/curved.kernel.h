// curved.kernel.h - spheres, tapered capsules and ellipsoids push particles out. A capsule is the cone that is tangent
// to two of the spheres. Within the cone, particles leave across it; beyond its ends, its spheres push them out. A
// sphere that belongs to capsules pushes out only the particles that these leave to it. Spheres and capsules are tested
// in blocks, by the boxes around the blocks.
// Source: NvCloth, "Internal collision detection documentation"; PhysX 3.4 manual, Cloth, "Collision shapes".

// Whether a particle may overlap a shape somewhere on a path of the given length, where relative is its position from
// the shape's centre, and reach_word is the offset of the radius of everything that the shape may overlap. The test
// excludes no particle that overlaps, except by rounding far from the origin; so it must be made for each lane, and not
// for a batch as a whole.
FUNCTION(mask) may_overlap(CONTEXT VALUE(int) reach_word, VALUE(real3) relative, VALUE(real) length) {
  real reach = TABLE_REAL(reach_word) + length;
  return dot3(relative, relative) < reach * reach;
}

// The position of a particle with respect to the cone of a capsule.
struct ConePosition {
  // Position relative to the capsule's centre.
  real3 relative;
  // Coordinate along the axis, from the centre.
  real along;
  // Radius of the cone at that coordinate.
  real radius;
  // Squared distance from the axis.
  real across2;
};

FUNCTION(ConePosition) position_in_cone(CONTEXT VALUE(int) capsule, VALUE(real3) position) {
  ConePosition in_cone;
  real3 axis = vector_at(PASS capsule + int(capsule_axis));
  in_cone.relative = position - vector_at(PASS capsule + int(capsule_centre));
  in_cone.along = dot3(in_cone.relative, axis);
  in_cone.radius = maximum(
      R(0.0f), in_cone.along * TABLE_REAL(capsule + int(capsule_slope)) + TABLE_REAL(capsule + int(capsule_radius)));
  real3 across = in_cone.relative - axis * in_cone.along;
  in_cone.across2 = dot3(across, across) + R(CLOTHC_EPSILON);
  return in_cone;
}

// Whether a particle is in the infinite cone of a capsule, its distance from the axis, and the coordinate along the
// axis at which the shortest path to the surface begins.
struct ConeContact {
  mask inside;
  real distance;
  real base;
};

FUNCTION(ConeContact) cone_contact(CONTEXT VALUE(int) capsule, VALUE(ConePosition) in_cone) {
  ConeContact contact;
  contact.inside = in_cone.across2 < in_cone.radius * in_cone.radius;
  contact.distance = square_root(in_cone.across2);
  contact.base = in_cone.along + TABLE_REAL(capsule + int(capsule_slope)) * contact.distance;
  return contact;
}

FUNCTION(Contacts)
add_capsule_contact(CONTEXT VALUE(Contacts) contacts, VALUE(int) capsule, VALUE(mask) near, VALUE(real3) position) {
  mask close =
      may_overlap(PASS capsule + int(capsule_reach), position - vector_at(PASS capsule + int(capsule_centre)), R(0.0f));
  Contacts sum = contacts;
  close = mask_and(near, close);
  IF_ANY(close) {
    ConePosition in_cone = position_in_cone(PASS capsule, position);
    mask inside = mask_and(mask_and(close, in_cone.across2 < in_cone.radius * in_cone.radius),
                           R(0.5f) < TABLE_REAL(capsule + int(capsule_is_cone)));
    IF_ANY(inside) {
      ConeContact contact = cone_contact(PASS capsule, in_cone);
      real half_length = TABLE_REAL(capsule + int(capsule_half_length));
      mask between = mask_and(inside, absolute(contact.base) <= half_length);
      IF_ANY(between) {
        real3 axis = vector_at(PASS capsule + int(capsule_axis));
        real scale = (divide(in_cone.radius, contact.distance) - R(1.0f)) * TABLE_REAL(capsule + int(capsule_cosine2));
        real part = divide(contact.base, half_length) * R(0.5f) + R(0.5f);
        real3 first = vector_at(PASS capsule + int(capsule_motion));
        real3 second = vector_at(PASS capsule + int(capsule_motion) + 3);
        real3 displacement = (in_cone.relative - axis * contact.base) * scale;
        real3 motion = first + (second - first) * part;
        sum = add_contact(sum, between, displacement, motion);
      }
    }
  }
  return sum;
}

// Whether all capsules that have the sphere as an end leave the particle to it.
FUNCTION(mask) is_left_to_end(CONTEXT VALUE(int) sphere, VALUE(real3) position) {
  mask left = R(0.0f) <= R(0.0f);
  for (int link = TABLE_INT(sphere + int(sphere_links)); link < TABLE_INT(sphere + int(sphere_links) + 1); ++link) {
    int end = TABLE_INT(link);
    int capsule = TABLE_INT(sphere + int(sphere_capsules)) + int(capsule_words) * (end / 2);
    ConeContact contact = cone_contact(PASS capsule, position_in_cone(PASS capsule, position));
    real beyond = contact.base;
    if (end % 2 == 0) beyond = contact.base * R(-1.0f);
    mask not_cone = TABLE_REAL(capsule + int(capsule_is_cone)) < R(0.5f);
    left = mask_and(
        left, mask_or(not_cone, mask_and(contact.inside, TABLE_REAL(capsule + int(capsule_half_length)) < beyond)));
  }
  return left;
}

FUNCTION(mask) is_in_sphere(CONTEXT VALUE(int) sphere, VALUE(real3) position) {
  real3 relative = position - vector_at(PASS sphere);
  real radius = TABLE_REAL(sphere + 3);
  return dot3(relative, relative) + CLOTHC_EPSILON < radius * radius;
}

// Must be masked to particles that are inside the sphere.
FUNCTION(Contacts)
push_out_of_sphere(CONTEXT VALUE(Contacts) contacts, VALUE(int) sphere, VALUE(mask) inside, VALUE(real3) position) {
  real3 relative = position - vector_at(PASS sphere);
  real scale = divide(TABLE_REAL(sphere + 3), square_root(dot3(relative, relative) + CLOTHC_EPSILON)) - R(1.0f);
  real3 displacement = relative * scale;
  return add_contact(contacts, inside, displacement, vector_at(PASS sphere + int(sphere_motion)));
}

FUNCTION(Contacts)
add_sphere_contact(CONTEXT VALUE(Contacts) contacts, VALUE(int) sphere, VALUE(mask) near, VALUE(real3) position) {
  mask inside = mask_and(near, is_in_sphere(PASS sphere, position));
  Contacts sum = contacts;
  IF_ANY(inside) {
    inside = mask_and(inside, is_left_to_end(PASS sphere, position));
    sum = push_out_of_sphere(PASS sum, sphere, inside, position);
  }
  return sum;
}

// The point of an ellipsoid's surface that is closest to p, inside, in the ellipsoid's own coordinates. With radii r_i
// it is r_i^2 p_i / (t + r_i^2) for the root t of sum (r_i p_i / (t + r_i^2))^2 = 1. Newton's method finds the root
// from the left, where it converges monotonically. Lengths are in units of the largest radius.
// Source: Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid".
#define CLOTHC_ELLIPSOID_STEPS 10

FUNCTION(real3) closest_on_ellipsoid(VALUE(real3) p, VALUE(real3) radii) {
  real unit = maximum(maximum(radii.x, radii.y), radii.z);
  real inverse = divide(R(1.0f), unit);
  real3 r = radii * inverse;
  // Components are kept away from zero, so that the closest point is unique.
  real3 scaled = upper_of(absolute3(p * inverse), r * R(1e-4f));
  real3 least = componentwise(r, scaled - r);
  real t = maximum(maximum(least.x, least.y), least.z);
  real3 terms = scaled;
  NOT_UNROLLED for (int step = 0; step <= CLOTHC_ELLIPSOID_STEPS; ++step) {
    real3 divisors = make3(t, t, t) + componentwise(r, r);
    terms = divide3(componentwise(r, scaled), divisors);
    if (step < CLOTHC_ELLIPSOID_STEPS) {
      real value = dot3(terms, terms) - R(1.0f);
      real3 slopes = divide3(componentwise(terms, terms), divisors);
      real slope = slopes.x + slopes.y + slopes.z;
      t = t + divide(maximum(value, R(0.0f)), slope + slope);
    }
  }
  terms = terms * divide(R(1.0f), square_root(dot3(terms, terms) + CLOTHC_SMALLEST));
  real3 surface = componentwise(terms, radii);
  return select_below3(p, R(0.0f), surface * R(-1.0f), surface);
}

// Components divided by radii, limited so that squares of squares do not overflow. Where a radius is zero, the result
// is outside of any ellipsoid.
FUNCTION(real3) in_radii(VALUE(real3) position, VALUE(real3) radii) {
  real3 ratios = divide3(position, select_below3(radii, R(1e-12f), ALL3(R(1.0f)), radii));
  real3 limited = lower_of(upper_of(ratios, ALL3(R(-1e6f))), ALL3(R(1e6f)));
  return select_below3(radii, R(1e-12f), ALL3(R(2.0f)), limited);
}

FUNCTION(Contacts)
add_ellipsoid_contact(CONTEXT VALUE(Contacts) contacts, VALUE(int) ellipsoid, VALUE(real3) position) {
  real3 local = into_shape(PASS ellipsoid, position);
  real3 radii = vector_at(PASS ellipsoid + int(posed_size));
  real3 ratios = in_radii(local, radii);
  mask inside = dot3(ratios, ratios) < R(1.0f);
  Contacts sum = contacts;
  IF_ANY(inside) {
    real3 one = make3(R(1.0f), R(1.0f), R(1.0f));
    real3 surface =
        closest_on_ellipsoid(select3(inside, local, make3(R(0.0f), R(0.0f), R(0.0f))), select3(inside, radii, one));
    real3 motion = position - out_of_shape(PASS ellipsoid + int(posed_before), local);
    real3 displacement = along_shape(PASS ellipsoid, surface - local);
    sum = add_contact(sum, inside, displacement, motion);
  }
  return sum;
}

// The curved shapes are the capsules, then the spheres, then the ellipsoids.
FUNCTION(int) curved_turns(CONTEXT VALUE(int) variant) {
  return turns_of(SETTING_INT(capsule_count) + SETTING_INT(sphere_count) + SETTING_INT(ellipsoid_count), variant);
}

FUNCTION(ShapeRange) capsules_of_turn(CONTEXT VALUE(int) turn, VALUE(int) variant) {
  return shapes_of_turn(turn, 0, SETTING_INT(capsule_count), variant);
}
FUNCTION(ShapeRange) spheres_of_turn(CONTEXT VALUE(int) turn, VALUE(int) variant) {
  return shapes_of_turn(turn, SETTING_INT(capsule_count), SETTING_INT(sphere_count), variant);
}
FUNCTION(ShapeRange) ellipsoids_of_turn(CONTEXT VALUE(int) turn, VALUE(int) variant) {
  return shapes_of_turn(turn, SETTING_INT(capsule_count) + SETTING_INT(sphere_count), SETTING_INT(ellipsoid_count),
                        variant);
}

// The end of the part of a range that is in one block.
FUNCTION(int) end_in_block(VALUE(ShapeRange) shapes, VALUE(int) begin) {
  int end = begin + int(shapes_per_block);
  return shapes.end < end ? shapes.end : end;
}

FUNCTION(Contacts) curved_contacts(CONTEXT VALUE(real3) position, VALUE(int) turn, VALUE(int) variant) {
  Contacts contacts = no_contacts();
  int per_block = int(shapes_per_block);
  ShapeRange capsules = capsules_of_turn(PASS turn, variant);
  for (int first = capsules.begin; first < capsules.end; first += per_block) {
    mask near = overlaps(PASS SETTING_INT(capsule_blocks) + int(block_words) * (first / per_block), position, position);
    int end = end_in_block(capsules, first);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        contacts = add_capsule_contact(PASS contacts, SETTING_INT(capsules) + int(capsule_words) * k, near, position);
      }
    }
  }
  ShapeRange spheres = spheres_of_turn(PASS turn, variant);
  for (int first = spheres.begin; first < spheres.end; first += per_block) {
    mask near = overlaps(PASS SETTING_INT(sphere_blocks) + int(block_words) * (first / per_block), position, position);
    int end = end_in_block(spheres, first);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        contacts = add_sphere_contact(PASS contacts, SETTING_INT(spheres) + int(sphere_words) * k, near, position);
      }
    }
  }
  ShapeRange ellipsoids = ellipsoids_of_turn(PASS turn, variant);
  for (int k = ellipsoids.begin; k < ellipsoids.end; ++k) {
    contacts = add_ellipsoid_contact(PASS contacts, SETTING_INT(ellipsoids) + int(posed_words) * k, position);
  }
  return contacts;
}

FUNCTION(void) collide_curved_in(CONTEXT VALUE(int) i, VALUE(int) variant) {
  real4 position = colliding_particle(PASS i);
  IF_ANY(collides(PASS position, variant)) {
    Collision collision = begin_collision(PASS i, variant);
    for (int turn = 0; turn < curved_turns(PASS variant); ++turn) {
      Contacts contacts = curved_contacts(PASS XYZ(position), turn, variant);
      collision = end_turn(PASS collision, contacts, position, int(collision_curved), turn, variant);
    }
    end_collision(PASS i, collision, XYZ(position), position, int(collision_curved), variant);
  }
}

KERNEL_IN_VARIANTS(collide_curved, collide_curved_in, collision_variants, ARGUMENT)
