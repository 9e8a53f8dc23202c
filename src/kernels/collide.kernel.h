// collide.kernel.h - pushes particles out of spheres and convexes. Every shape that holds a particle gives a displacement;
// the particle moves by their average, and friction acts on its previous position.
// Source: NvCloth, "Internal collision detection documentation"; PhysX 3.4 manual, Cloth, "Collision".

// Sums over the shapes that hold a particle.
struct Contacts {
  real3 displacement;
  real3 shape_motion;  // how far the shapes moved in this iteration
  real count;
};

FUNCTION(Contacts) no_contacts() {
  Contacts c;
  c.displacement = make3(R(0.0f), R(0.0f), R(0.0f));
  c.shape_motion = make3(R(0.0f), R(0.0f), R(0.0f));
  c.count = R(0.0f);
  return c;
}

FUNCTION(Contacts) add_contact(VALUE(Contacts) c, VALUE(mask) inside, VALUE(real3) displacement, VALUE(real3) motion) {
  real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
  Contacts sum;
  sum.displacement = c.displacement + select3(inside, displacement, none);
  sum.shape_motion = c.shape_motion + select3(inside, motion, none);
  sum.count = c.count + select(inside, R(1.0f), R(0.0f));
  return sum;
}

// Position after the contacts.
FUNCTION(real3) leave_contacts(VALUE(Contacts) c, VALUE(real3) x) {
  return x + c.displacement * divide(R(1.0f), maximum(c.count, R(1.0f)));
}

// Previous position after friction: the tangential part t of the motion relative to the shapes is taken back, at most
// by friction * |displacement|. x is the position before the contacts. Lengths are regularised by the smoothing s, as
// sqrt(l^2 + s^2): with s = 0 this is Coulomb's law; the peer has s^2 = FLT_EPSILON, whatever the unit of length.
FUNCTION(real3)
rub(VALUE(Contacts) c, VALUE(real3) x, VALUE(real3) previous, VALUE(real) friction, VALUE(real) smoothing) {
  real share = divide(R(1.0f), maximum(c.count, R(1.0f)));
  real smoothing2 = maximum(smoothing * smoothing, R(CLOTHC_SMALLEST));
  real depth2 = dot3(c.displacement, c.displacement);
  real inverse_depth = divide(R(1.0f), square_root(depth2 + smoothing2));
  real3 normal = c.displacement * inverse_depth;
  real3 relative = x - previous - c.shape_motion * share;
  real3 tangential = relative - normal * dot3(relative, normal);
  real inverse_slip = divide(R(1.0f), square_root(dot3(tangential, tangential) + smoothing2));
  real part = minimum(R(1.0f), friction * depth2 * inverse_depth * inverse_slip);
  return previous + tangential * part;
}

FUNCTION(real4) shape_at(CONTEXT int starts, int targets, VALUE(real) time) {
  real x = interpolate(TABLE_REAL(starts), TABLE_REAL(targets), time);
  real y = interpolate(TABLE_REAL(starts + 1), TABLE_REAL(targets + 1), time);
  real z = interpolate(TABLE_REAL(starts + 2), TABLE_REAL(targets + 2), time);
  real w = interpolate(TABLE_REAL(starts + 3), TABLE_REAL(targets + 3), time);
  return make4(make3(x, y, z), w);
}

KERNEL(collide_spheres) {
  int first = SETTING_INT(first_particle);
  real4 p = LOAD4(particles, FRAME(position) + first, i);
  Contacts contacts = no_contacts();
  for (int s = 0; s < SETTING_INT(collider_count); ++s) {
    int set = TABLE_INT(SETTING_INT(collider_table) + s);
    int starts = TABLE_INT(set + int(collider_sphere_starts));
    int targets = TABLE_INT(set + int(collider_sphere_targets));
    for (int k = 0; k < TABLE_INT(set + int(collider_sphere_count)); ++k) {
      real4 sphere = shape_at(PASS starts + 4 * k, targets + 4 * k, STEP(time));
      real4 before = shape_at(PASS starts + 4 * k, targets + 4 * k, STEP(previous_time));
      real3 d = XYZ(p) - XYZ(sphere);
      real distance2 = dot3(d, d) + CLOTHC_EPSILON;
      mask inside = distance2 < sphere.w * sphere.w;
      real scale = divide(sphere.w, square_root(distance2)) - R(1.0f);
      contacts = add_contact(contacts, inside, d * scale, XYZ(sphere) - XYZ(before));
    }
  }
  real3 x = leave_contacts(contacts, XYZ(p));
  STORE4(particles, FRAME(position) + first, i, make4(x, p.w));
  if (IS_POSITIVE(SETTING(friction))) {
    real4 q = LOAD4(particles, FRAME(previous) + first, i);
    STORE4(particles, FRAME(previous) + first, i,
           make4(rub(contacts, XYZ(p), XYZ(q), SETTING(friction), SETTING(friction_smoothing)), q.w));
  }
}

// A particle inside a convex leaves along the plane it is least below.
KERNEL(collide_convexes) {
  int first = SETTING_INT(first_particle);
  real4 p = LOAD4(particles, FRAME(position) + first, i);
  Contacts contacts = no_contacts();
  for (int s = 0; s < SETTING_INT(collider_count); ++s) {
    int set = TABLE_INT(SETTING_INT(collider_table) + s);
    int starts = TABLE_INT(set + int(collider_plane_starts));
    int targets = TABLE_INT(set + int(collider_plane_targets));
    int planes = TABLE_INT(set + int(collider_convex_planes));
    int begin = 0;
    for (int c = 0; c < TABLE_INT(set + int(collider_convex_count)); ++c) {
      int end = TABLE_INT(TABLE_INT(set + int(collider_convex_ends)) + c);
      real highest = R(-1e30f);
      real3 normal = make3(R(0.0f), R(0.0f), R(0.0f));
      for (int k = begin; k < end; ++k) {
        int offset = 4 * TABLE_INT(planes + k);
        real4 plane = shape_at(PASS starts + offset, targets + offset, STEP(time));
        real height = dot3(XYZ(plane), XYZ(p)) + plane.w;
        mask higher = highest < height;
        normal = select3(higher, XYZ(plane), normal);
        highest = select(higher, height, highest);
      }
      contacts =
          add_contact(contacts, highest < R(0.0f), normal * (R(0.0f) - highest), make3(R(0.0f), R(0.0f), R(0.0f)));
      begin = end;
    }
  }
  real3 x = leave_contacts(contacts, XYZ(p));
  STORE4(particles, FRAME(position) + first, i, make4(x, p.w));
  if (IS_POSITIVE(SETTING(friction))) {
    real4 q = LOAD4(particles, FRAME(previous) + first, i);
    STORE4(particles, FRAME(previous) + first, i,
           make4(rub(contacts, XYZ(p), XYZ(q), SETTING(friction), SETTING(friction_smoothing)), q.w));
  }
}
