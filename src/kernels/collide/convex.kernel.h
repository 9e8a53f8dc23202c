// convex.kernel.h - convexes and boxes push particles out. A particle below all planes of a convex leaves along the
// plane that it is least below. With continuous collision it leaves along the plane through which it entered, even if
// it has left through another plane since. A box is the convex of its six faces.
// Source: NvCloth, "Internal collision detection documentation"; PhysX 3.4 manual, Cloth, "Collision shapes". A path is
// clipped by the planes of a convex as in Cyrus and Beck 1978.

// A path that begins below a plane by less than this part of its fall still counts as entering through the plane:
// particles at rest on a plane are below it by rounding.
#define CLOTHC_ENTRY_SKIN 0.1f

struct Clip {
  // Largest height above any plane at the path's end, and the normal of that plane.
  real highest;
  real3 normal;
  // Time at which the particle has come below all planes, the normal of the last plane that it came below, and its
  // height above that plane at the path's end.
  real entry;
  real3 entry_normal;
  real entry_height;
  // Time at which the particle has come above one of the planes again.
  real exit;
  // Whether the particle is below every single plane at the begin or at the end.
  mask passes;
};

FUNCTION(Clip) no_clip() {
  Clip clip;
  clip.highest = R(-1e30f);
  clip.normal = make3(R(0.0f), R(0.0f), R(0.0f));
  clip.entry = R(-1.0f);
  clip.entry_normal = clip.normal;
  clip.entry_height = R(0.0f);
  clip.exit = R(2.0f);
  clip.passes = R(0.0f) <= R(0.0f);
  return clip;
}

// height is the height above the plane at the iteration's end.
FUNCTION(Clip) clip_by_plane(VALUE(Clip) clip, VALUE(real3) normal, VALUE(real) height) {
  Clip next = clip;
  mask higher = clip.highest < height;
  next.normal = select3(higher, normal, clip.normal);
  next.highest = select(higher, height, clip.highest);
  return next;
}

// before is the height above the plane at the iteration's begin.
FUNCTION(Clip) clip_path(VALUE(Clip) clip, VALUE(real3) normal, VALUE(real) before, VALUE(real) height) {
  Clip next = clip;
  real fall = before - height;
  mask falls = R(CLOTHC_SMALLEST) < fall;
  mask rises = fall < R(0.0f - CLOTHC_SMALLEST);
  mask below = height < R(0.0f);
  real time = divide(before, select(mask_or(falls, rises), fall, R(1.0f)));
  mask enters = mask_and(mask_and(falls, below), R(0.0f - CLOTHC_ENTRY_SKIN) * fall <= before);
  time = select(enters, maximum(time, R(0.0f)), time);
  mask last = mask_and(enters, clip.entry < time);
  next.entry = select(last, time, clip.entry);
  next.entry_normal = select3(last, normal, clip.entry_normal);
  next.entry_height = select(last, height, clip.entry_height);
  mask leaves = mask_and(mask_not(below), before < R(0.0f));
  next.exit = select(leaves, minimum(clip.exit, time), clip.exit);
  next.passes = mask_and(clip.passes, mask_or(below, before < R(0.0f)));
  return next;
}

// The result of clipping: whether the particle has to leave, and by which displacement.
struct Exit {
  mask inside;
  real3 displacement;
};

FUNCTION(Exit) exit_of(VALUE(Clip) clip, VALUE(bool) continuously) {
  Exit found;
  found.inside = clip.highest < R(0.0f);
  found.displacement = clip.normal * (clip.highest * R(-1.0f));
  if (continuously) {
    mask came_in = mask_and(mask_and(clip.passes, R(0.0f) <= clip.entry), clip.entry < clip.exit);
    found.displacement = select3(came_in, clip.entry_normal * (clip.entry_height * R(-1.0f)), found.displacement);
    found.inside = mask_or(found.inside, came_in);
  }
  return found;
}

FUNCTION(Contacts)
add_convex_contact(CONTEXT VALUE(Contacts) contacts, VALUE(int) convex, VALUE(real3) position, VALUE(real3) before) {
  bool continuously = HAS_COLLISION(collision_continuous);
  Clip clip = no_clip();
  for (int plane = TABLE_INT(convex + 6); plane < TABLE_INT(convex + 7); plane += int(plane_words)) {
    real3 normal = vector_at(PASS plane);
    real height = dot3(normal, position) + TABLE_REAL(plane + 3);
    clip = clip_by_plane(clip, normal, height);
    if (continuously) {
      real height_before = dot3(vector_at(PASS plane + 4), before) + TABLE_REAL(plane + 7);
      clip = clip_path(clip, normal, height_before, height);
    }
  }
  Exit found = exit_of(clip, continuously);
  real3 motion = vector_at(PASS convex) + cross3(vector_at(PASS convex + 3), position);
  return add_contact(contacts, found.inside, found.displacement, motion);
}

// Clips by the two faces of a box across one axis, given the particle's coordinate along the axis and half of the box's
// side, at the end and at the begin.
FUNCTION(Clip)
clip_by_faces(VALUE(Clip) clip, VALUE(real3) axis, VALUE(real) coordinate, VALUE(real) half_side,
              VALUE(real) coordinate_before, VALUE(real) half_side_before, VALUE(bool) continuously) {
  real3 back = axis * R(-1.0f);
  real front_height = coordinate - half_side;
  real back_height = coordinate * R(-1.0f) - half_side;
  Clip next = clip_by_plane(clip, axis, front_height);
  next = clip_by_plane(next, back, back_height);
  if (continuously) {
    real front_before = coordinate_before - half_side_before;
    real back_before = coordinate_before * R(-1.0f) - half_side_before;
    next = clip_path(next, axis, front_before, front_height);
    next = clip_path(next, back, back_before, back_height);
  }
  return next;
}

FUNCTION(Contacts)
add_box_contact(CONTEXT VALUE(Contacts) contacts, VALUE(int) box, VALUE(real3) position, VALUE(real3) before) {
  bool continuously = HAS_COLLISION(collision_continuous);
  real3 local = into_shape(PASS box, position);
  real3 local_before = into_shape(PASS box + int(posed_before), before);
  real3 half_sides = vector_at(PASS box + int(posed_size));
  real3 half_sides_before = vector_at(PASS box + int(posed_before) + int(posed_size));
  Clip clip = no_clip();
  clip = clip_by_faces(clip, make3(R(1.0f), R(0.0f), R(0.0f)), local.x, half_sides.x, local_before.x,
                       half_sides_before.x, continuously);
  clip = clip_by_faces(clip, make3(R(0.0f), R(1.0f), R(0.0f)), local.y, half_sides.y, local_before.y,
                       half_sides_before.y, continuously);
  clip = clip_by_faces(clip, make3(R(0.0f), R(0.0f), R(1.0f)), local.z, half_sides.z, local_before.z,
                       half_sides_before.z, continuously);
  Exit found = exit_of(clip, continuously);
  Contacts sum = contacts;
  IF_ANY(found.inside) {
    real3 motion = position - out_of_shape(PASS box + int(posed_before), local);
    sum = add_contact(sum, found.inside, along_shape(PASS box, found.displacement), motion);
  }
  return sum;
}

FUNCTION(void) collide_convexes_in(CONTEXT VALUE(int) i, VALUE(int) variant) {
  real4 position = colliding_particle(PASS i);
  IF_ANY(collides(PASS position, variant)) {
    real3 before = XYZ(LOAD4(particles, FRAME(previous) + SETTING_INT(first_particle), i));
    int convex_count = SETTING_INT(convex_count);
    Collision collision = begin_collision(PASS i, variant);
    for (int turn = 0; turn < turns_of(convex_count + SETTING_INT(box_count), variant); ++turn) {
      Contacts contacts = no_contacts();
      ShapeRange convexes = shapes_of_turn(turn, 0, convex_count, variant);
      for (int k = convexes.begin; k < convexes.end; ++k) {
        int convex = SETTING_INT(convexes) + int(convex_words) * k;
        contacts = add_convex_contact(PASS contacts, convex, XYZ(position), before);
      }
      ShapeRange boxes = shapes_of_turn(turn, convex_count, SETTING_INT(box_count), variant);
      for (int k = boxes.begin; k < boxes.end; ++k) {
        contacts = add_box_contact(PASS contacts, SETTING_INT(boxes) + int(posed_words) * k, XYZ(position), before);
      }
      collision = end_turn(PASS collision, contacts, position, int(collision_convexes), turn, variant);
    }
    end_collision(PASS i, collision, XYZ(position), position, int(collision_convexes), variant);
  }
}

KERNEL_IN_VARIANTS(collide_convexes, collide_convexes_in, collision_variants, ARGUMENT)
