// curved.kernel.h - spheres, tapered capsules and ellipsoids push particles out. A capsule is the cone that is tangent
// to two of the spheres. Within the cone, particles leave across it; beyond its ends, its spheres push them out. A
// sphere that belongs to capsules pushes out only the particles that these leave to it. Spheres and capsules are tested
// in blocks, by the boxes around the blocks.
// Source: NvCloth, "Internal collision detection documentation"; PhysX 3.4 manual, Cloth, "Collision shapes".

// Whether a particle may overlap a shape somewhere on a path of the given length. d is its position relative to the
// shape's centre, and word k the radius of everything that the shape may meet. The test excludes no particle that
// overlaps, except by rounding far from the origin; so it must be made for each lane, and not for a batch as a whole.
FUNCTION(mask) may_overlap(CONTEXT int k, VALUE(real3) d, VALUE(real) length) {
  real reach = TABLE_REAL(k) + length;
  return dot3(d, d) < reach * reach;
}

// The position of a particle with respect to the cone of a capsule.
struct ConePosition {
  // Position relative to the capsule's centre.
  real3 d;
  // Coordinate along the axis, from the centre.
  real along;
  // Radius of the cone at that coordinate.
  real radius;
  // Squared distance from the axis.
  real across2;
};

FUNCTION(ConePosition) position_in_cone(CONTEXT int k, VALUE(real3) x) {
  ConePosition in_cone;
  real3 axis = vector_at(PASS k + int(capsule_axis));
  in_cone.d = x - vector_at(PASS k + int(capsule_centre));
  in_cone.along = dot3(in_cone.d, axis);
  in_cone.radius =
      maximum(R(0.0f), in_cone.along * TABLE_REAL(k + int(capsule_slope)) + TABLE_REAL(k + int(capsule_radius)));
  real3 across = in_cone.d - axis * in_cone.along;
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

FUNCTION(ConeContact) cone_contact(CONTEXT int k, VALUE(ConePosition) in_cone) {
  ConeContact contact;
  contact.inside = in_cone.across2 < in_cone.radius * in_cone.radius;
  contact.distance = square_root(in_cone.across2);
  contact.base = in_cone.along + TABLE_REAL(k + int(capsule_slope)) * contact.distance;
  return contact;
}

FUNCTION(Contacts) add_capsule_contact(CONTEXT VALUE(Contacts) contacts, int k, VALUE(mask) near, VALUE(real3) x) {
  mask close = may_overlap(PASS k + int(capsule_reach), x - vector_at(PASS k + int(capsule_centre)), R(0.0f));
  Contacts sum = contacts;
  close = mask_and(near, close);
  IF_ANY(close) {
    ConePosition in_cone = position_in_cone(PASS k, x);
    mask inside = mask_and(mask_and(close, in_cone.across2 < in_cone.radius * in_cone.radius),
                           R(0.5f) < TABLE_REAL(k + int(capsule_is_cone)));
    IF_ANY(inside) {
      ConeContact contact = cone_contact(PASS k, in_cone);
      real half_length = TABLE_REAL(k + int(capsule_half_length));
      mask between = mask_and(inside, absolute(contact.base) <= half_length);
      IF_ANY(between) {
        real3 axis = vector_at(PASS k + int(capsule_axis));
        real scale = (divide(in_cone.radius, contact.distance) - R(1.0f)) * TABLE_REAL(k + int(capsule_cosine2));
        real part = divide(contact.base, half_length) * R(0.5f) + R(0.5f);
        real3 first = vector_at(PASS k + int(capsule_motion));
        real3 second = vector_at(PASS k + int(capsule_motion) + 3);
        real3 displacement = (in_cone.d - axis * contact.base) * scale;
        real3 motion = first + (second - first) * part;
        sum = add_contact(sum, between, displacement, motion);
      }
    }
  }
  return sum;
}

// Whether all capsules that have the sphere as an end leave the particle to it.
FUNCTION(mask) is_left_to_end(CONTEXT int sphere, VALUE(real3) x) {
  mask left = R(0.0f) <= R(0.0f);
  for (int link = TABLE_INT(sphere + int(sphere_links)); link < TABLE_INT(sphere + int(sphere_links) + 1); ++link) {
    int end = TABLE_INT(link);
    int k = TABLE_INT(sphere + int(sphere_capsules)) + int(capsule_words) * (end / 2);
    ConeContact contact = cone_contact(PASS k, position_in_cone(PASS k, x));
    real beyond = contact.base;
    if (end % 2 == 0) beyond = R(0.0f) - contact.base;
    mask not_cone = TABLE_REAL(k + int(capsule_is_cone)) < R(0.5f);
    left =
        mask_and(left, mask_or(not_cone, mask_and(contact.inside, TABLE_REAL(k + int(capsule_half_length)) < beyond)));
  }
  return left;
}

FUNCTION(mask) is_in_sphere(CONTEXT int k, VALUE(real3) x) {
  real3 d = x - vector_at(PASS k);
  real radius = TABLE_REAL(k + 3);
  return dot3(d, d) + CLOTHC_EPSILON < radius * radius;
}

// Must be masked to particles that are inside the sphere.
FUNCTION(Contacts) push_out_of_sphere(CONTEXT VALUE(Contacts) contacts, int k, VALUE(mask) inside, VALUE(real3) x) {
  real3 d = x - vector_at(PASS k);
  real scale = divide(TABLE_REAL(k + 3), square_root(dot3(d, d) + CLOTHC_EPSILON)) - R(1.0f);
  real3 displacement = d * scale;
  return add_contact(contacts, inside, displacement, vector_at(PASS k + int(sphere_motion)));
}

FUNCTION(Contacts) add_sphere_contact(CONTEXT VALUE(Contacts) contacts, int k, VALUE(mask) near, VALUE(real3) x) {
  mask inside = mask_and(near, is_in_sphere(PASS k, x));
  Contacts sum = contacts;
  IF_ANY(inside) {
    inside = mask_and(inside, is_left_to_end(PASS k, x));
    sum = push_out_of_sphere(PASS sum, k, inside, x);
  }
  return sum;
}

// The point of an ellipsoid's surface that is closest to p, inside, in the ellipsoid's own coordinates. It is (r_i^2
// p_i / (t + r_i^2)) for the root t of sum (r_i p_i / (t + r_i^2))^2 = 1. Newton's method finds the root from the left,
// where it converges monotonically. Lengths are in units of the largest radius. Source: Eberly, "Distance from a Point
// to an Ellipse, an Ellipsoid, or a Hyperellipsoid".
#define CLOTHC_ELLIPSOID_STEPS 10

FUNCTION(real) ellipsoid_term(VALUE(real) radius, VALUE(real) p, VALUE(real) t) {
  return divide(radius * p, t + radius * radius);
}

FUNCTION(real3) closest_on_ellipsoid(VALUE(real3) p, VALUE(real3) radii) {
  real unit = maximum(maximum(radii.x, radii.y), radii.z);
  real inverse = divide(R(1.0f), unit);
  real3 r = radii * inverse;
  // Components are kept away from zero, so that the closest point is unique.
  real3 a = make3(maximum(absolute(p.x * inverse), r.x * R(1e-4f)), maximum(absolute(p.y * inverse), r.y * R(1e-4f)),
                  maximum(absolute(p.z * inverse), r.z * R(1e-4f)));
  real t = maximum(maximum(r.x * (a.x - r.x), r.y * (a.y - r.y)), r.z * (a.z - r.z));
  for (int step = 0; step < CLOTHC_ELLIPSOID_STEPS; ++step) {
    real3 n = make3(ellipsoid_term(r.x, a.x, t), ellipsoid_term(r.y, a.y, t), ellipsoid_term(r.z, a.z, t));
    real value = dot3(n, n) - R(1.0f);
    real slope = divide(n.x * n.x, t + r.x * r.x) + divide(n.y * n.y, t + r.y * r.y) + divide(n.z * n.z, t + r.z * r.z);
    t = t + divide(maximum(value, R(0.0f)), slope + slope);
  }
  real3 n = make3(ellipsoid_term(r.x, a.x, t), ellipsoid_term(r.y, a.y, t), ellipsoid_term(r.z, a.z, t));
  n = n * divide(R(1.0f), square_root(dot3(n, n) + CLOTHC_SMALLEST));
  real3 q = make3(n.x * radii.x, n.y * radii.y, n.z * radii.z);
  return make3(select(p.x < R(0.0f), R(0.0f) - q.x, q.x), select(p.y < R(0.0f), R(0.0f) - q.y, q.y),
               select(p.z < R(0.0f), R(0.0f) - q.z, q.z));
}

// Components divided by radii, limited so that squares of squares do not overflow. Where a radius is zero, the result
// is outside of any ellipsoid.
FUNCTION(real) in_radius(VALUE(real) p, VALUE(real) radius) {
  mask is_flat = radius < R(1e-12f);
  real u = divide(p, select(is_flat, R(1.0f), radius));
  return select(is_flat, R(2.0f), minimum(maximum(u, R(-1e6f)), R(1e6f)));
}
FUNCTION(real3) in_radii(VALUE(real3) p, VALUE(real3) radii) {
  return make3(in_radius(p.x, radii.x), in_radius(p.y, radii.y), in_radius(p.z, radii.z));
}

FUNCTION(Contacts) add_ellipsoid_contact(CONTEXT VALUE(Contacts) contacts, int k, VALUE(real3) x) {
  real3 p = into_shape(PASS k, x);
  real3 radii = vector_at(PASS k + int(posed_size));
  real3 u = in_radii(p, radii);
  mask inside = dot3(u, u) < R(1.0f);
  Contacts sum = contacts;
  IF_ANY(inside) {
    real3 one = make3(R(1.0f), R(1.0f), R(1.0f));
    real3 surface =
        closest_on_ellipsoid(select3(inside, p, make3(R(0.0f), R(0.0f), R(0.0f))), select3(inside, radii, one));
    real3 motion = x - out_of_shape(PASS k + int(posed_before), p);
    real3 displacement = along_shape(PASS k, surface - p);
    sum = add_contact(sum, inside, displacement, motion);
  }
  return sum;
}

FUNCTION(Contacts) curved_contacts(CONTEXT VALUE(real3) x) {
  Contacts contacts = no_contacts();
  int per_block = int(shapes_per_block);
  for (int first = 0; first < SETTING_INT(capsule_count); first += per_block) {
    mask near = overlaps(PASS SETTING_INT(capsule_blocks) + int(block_words) * (first / per_block), x, x);
    int end = first + per_block;
    if (SETTING_INT(capsule_count) < end) end = SETTING_INT(capsule_count);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        contacts = add_capsule_contact(PASS contacts, SETTING_INT(capsules) + int(capsule_words) * k, near, x);
      }
    }
  }
  for (int first = 0; first < SETTING_INT(sphere_count); first += per_block) {
    mask near = overlaps(PASS SETTING_INT(sphere_blocks) + int(block_words) * (first / per_block), x, x);
    int end = first + per_block;
    if (SETTING_INT(sphere_count) < end) end = SETTING_INT(sphere_count);
    IF_ANY(near) {
      for (int k = first; k < end; ++k) {
        contacts = add_sphere_contact(PASS contacts, SETTING_INT(spheres) + int(sphere_words) * k, near, x);
      }
    }
  }
  for (int k = 0; k < SETTING_INT(ellipsoid_count); ++k) {
    contacts = add_ellipsoid_contact(PASS contacts, SETTING_INT(ellipsoids) + int(posed_words) * k, x);
  }
  return contacts;
}

KERNEL(collide_curved) {
  real4 p = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
  leave_contacts(PASS i, curved_contacts(PASS XYZ(p)), XYZ(p), p);
}
