// frame_transform.kernel.h - transforms shapes into a cloth's frame and interpolates their motion, in scalar code.
// Shapes move linearly from start to target over an update, and rotations take the shorter way. Shapes given in the
// world are first transformed into the frame as it is at the update's begin and end.

// A rigid transformation: x = rotation X + translation.
struct RigidTransform {
  real4 rotation;
  // The rotation as a matrix.
  Matrix turn;
  real3 translation;
};

// How the coordinates of a collider set become those of the cloth's frame in this iteration.
struct FrameTransform {
  // At the update's begin and end.
  RigidTransform begin;
  RigidTransform end;
  real margin;
  // Part of the update that is done at the iteration's end and at its begin.
  real time;
  real previous_time;
};

FUNCTION(RigidTransform) rigid_transform_of(VALUE(real4) rotation_into, VALUE(real3) translation) {
  RigidTransform into;
  into.rotation = rotation_into;
  into.turn = rotation(rotation_into);
  into.translation = translation;
  return into;
}

FUNCTION(RigidTransform) into_frame(VALUE(real4) quaternion, VALUE(real3) translation) {
  real4 back = conjugate(quaternion);
  real3 opposite = make3(translation.x * -1.0f, translation.y * -1.0f, translation.z * -1.0f);
  return rigid_transform_of(back, turned(rotation(back), opposite));
}

FUNCTION(FrameTransform) frame_transform_of(CONTEXT VALUE(int) cloth, VALUE(int) set) {
  FrameTransform into;
  into.margin = GROUP_SETTING(cloth, contact_margin);
  into.time = GROUP(cloth).step.time;
  into.previous_time = GROUP(cloth).step.previous_time;
  if ((uint(TABLE_INT(set + int(collider_flags))) & collider_world) != 0u) {
    real3 start = CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, start);
    real3 target = CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, target);
    into.begin = into_frame(
        make4(CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, start_rotation), GROUP_FRAME(cloth, start_rotation_w)), start);
    into.end = into_frame(
        make4(CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, target_rotation), GROUP_FRAME(cloth, target_rotation_w)), target);
  } else {
    into.begin = rigid_transform_of(make4(make3(0.0f, 0.0f, 0.0f), 1.0f), make3(0.0f, 0.0f, 0.0f));
    into.end = into.begin;
  }
  return into;
}

FUNCTION(real3) to_frame(VALUE(RigidTransform) into, VALUE(real3) position) {
  return turned(into.turn, position) + into.translation;
}

FUNCTION(bool) is_in_motion(CONTEXT VALUE(int) cloth, VALUE(int) set) {
  uint flags = uint(TABLE_INT(set + int(collider_flags)));
  return (flags & collider_moves) != 0u || ((flags & collider_world) != 0u && GROUP(cloth).step.frame_moves != 0u);
}

FUNCTION(real3) table_vector(CONTEXT VALUE(int) word) {
  return make3(TABLE_REAL(word), TABLE_REAL(word + 1), TABLE_REAL(word + 2));
}
FUNCTION(real4) table_row(CONTEXT VALUE(int) word) { return make4(table_vector(PASS word), TABLE_REAL(word + 3)); }

FUNCTION(void) store_vector(CONTEXT VALUE(int) word, VALUE(real3) vector) {
  STORE_TABLE_REAL(word, vector.x);
  STORE_TABLE_REAL(word + 1, vector.y);
  STORE_TABLE_REAL(word + 2, vector.z);
}

FUNCTION(real3) interpolate3(VALUE(real3) a, VALUE(real3) b, VALUE(real) t) {
  return make3(interpolate(a.x, b.x, t), interpolate(a.y, b.y, t), interpolate(a.z, b.z, t));
}

// Interpolates from a to b, both of length 1, the shorter way.
FUNCTION(real4) interpolate_rotation(VALUE(real4) a, VALUE(real4) b, VALUE(real) t) {
  real side = dot3(XYZ(a), XYZ(b)) + a.w * b.w;
  real sign = select(side < 0.0f, -1.0f, 1.0f);
  real4 mixed = make4(interpolate3(XYZ(a), XYZ(b) * sign, t), interpolate(a.w, b.w * sign, t));
  real length = square_root(dot3(XYZ(mixed), XYZ(mixed)) + mixed.w * mixed.w);
  real inverse = divide(1.0f, length);
  return make4(XYZ(mixed) * inverse, mixed.w * inverse);
}

// Sphere k of a set in the cloth's frame, at the update's begin and end: x y z and radius, with the margin.
struct SpherePath {
  real4 start;
  real4 target;
};

FUNCTION(SpherePath) sphere_path(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) sphere) {
  real4 from = table_row(PASS TABLE_INT(set + int(collider_sphere_starts)) + 4 * sphere);
  real4 to = table_row(PASS TABLE_INT(set + int(collider_sphere_targets)) + 4 * sphere);
  SpherePath path;
  path.start = make4(to_frame(into.begin, XYZ(from)), from.w + into.margin);
  path.target = make4(to_frame(into.end, XYZ(to)), to.w + into.margin);
  return path;
}

FUNCTION(real4) along_path(VALUE(SpherePath) path, VALUE(real) time) {
  return make4(interpolate3(XYZ(path.start), XYZ(path.target), time), interpolate(path.start.w, path.target.w, time));
}
