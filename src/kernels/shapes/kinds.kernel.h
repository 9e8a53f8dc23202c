// kinds.kernel.h - transforms a shape of each kind into the words that the collision kernels read, in scalar code. The
// margin is added to every shape except meshes and signed distance fields, whose kernels add it themselves.

// The distance from a shape's current position within which it may overlap a particle at rest on its path. reach is the
// greatest radius around the shape at the begin and the end of the iteration.
FUNCTION(real) reach_on_path(VALUE(real) reach, VALUE(real3) motion) {
  return (reach + manhattan_length(motion)) * 1.001f;
}

// capsules is the offset of the transformed capsules of the set.
FUNCTION(void)
transform_sphere(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) sphere, VALUE(int) capsules,
                 VALUE(int) to) {
  SpherePath path = sphere_path(PASS into, set, sphere);
  real4 now = along_path(path, into.time);
  real4 before = along_path(path, into.previous_time);
  real3 motion = XYZ(now) - XYZ(before);
  store_vector(PASS to, XYZ(now));
  STORE_TABLE_REAL(to + 3, now.w);
  store_vector(PASS to + int(sphere_motion), motion);
  STORE_TABLE_REAL(to + int(sphere_radius_before), before.w);
  int links = TABLE_INT(set + int(collider_sphere_links));
  STORE_TABLE_INT(to + int(sphere_links), links + TABLE_INT(links + sphere));
  STORE_TABLE_INT(to + int(sphere_links) + 1, links + TABLE_INT(links + sphere + 1));
  STORE_TABLE_INT(to + int(sphere_capsules), capsules);
  STORE_TABLE_REAL(to + int(sphere_reach), reach_on_path(maximum(now.w, before.w), motion));
}

// The cone that is tangent to two spheres.
struct Cone {
  real3 centre;
  real3 axis;
  real half_length;
  real radius;
  real slope;
  real cosine2;
  bool is_cone;
};

FUNCTION(Cone) cone_between(VALUE(real4) a, VALUE(real4) b) {
  Cone cone;
  cone.centre = (XYZ(a) + XYZ(b)) * 0.5f;
  real3 half_axis = (XYZ(b) - XYZ(a)) * 0.5f;
  real difference = (b.w - a.w) * 0.5f;
  real length2 = dot3(half_axis, half_axis);
  real cathetus2 = length2 - difference * difference;
  cone.is_cone = length2 * 1e-6f < cathetus2 && CLOTHC_SMALLEST < cathetus2;
  length2 = select(cone.is_cone, length2, 1.0f);
  cathetus2 = select(cone.is_cone, cathetus2, 1.0f);
  real cathetus = square_root(cathetus2);
  cone.half_length = square_root(length2);
  cone.axis = half_axis * divide(1.0f, cone.half_length);
  cone.radius = divide((a.w + difference) * cone.half_length, cathetus);
  cone.slope = divide(difference, cathetus);
  cone.cosine2 = 1.0f - divide(difference * difference, length2);
  return cone;
}

FUNCTION(void)
transform_capsule(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) capsule, VALUE(int) to) {
  int ends = TABLE_INT(set + int(collider_capsules)) + 2 * capsule;
  SpherePath first = sphere_path(PASS into, set, TABLE_INT(ends));
  SpherePath second = sphere_path(PASS into, set, TABLE_INT(ends + 1));
  real4 a = along_path(first, into.time);
  real4 b = along_path(second, into.time);
  real4 a_before = along_path(first, into.previous_time);
  real4 b_before = along_path(second, into.previous_time);
  Cone now = cone_between(a, b);
  Cone before = cone_between(a_before, b_before);
  if (!before.is_cone) before = now;
  STORE_TABLE_REAL(to + int(capsule_is_cone), select(now.is_cone, 1.0f, 0.0f));
  store_vector(PASS to + int(capsule_centre), now.centre);
  store_vector(PASS to + int(capsule_axis), now.axis);
  STORE_TABLE_REAL(to + int(capsule_half_length), now.half_length);
  STORE_TABLE_REAL(to + int(capsule_radius), now.radius);
  STORE_TABLE_REAL(to + int(capsule_slope), now.slope);
  STORE_TABLE_REAL(to + int(capsule_cosine2), now.cosine2);
  real3 motion = XYZ(a) - XYZ(a_before);
  real3 other_motion = XYZ(b) - XYZ(b_before);
  store_vector(PASS to + int(capsule_motion), motion);
  store_vector(PASS to + int(capsule_motion) + 3, other_motion);
  store_vector(PASS to + int(capsule_before), before.centre);
  store_vector(PASS to + int(capsule_before) + 3, before.axis);
  STORE_TABLE_REAL(to + int(capsule_before) + 6, before.half_length);
  STORE_TABLE_REAL(to + int(capsule_before) + 7, before.radius);
  STORE_TABLE_REAL(to + int(capsule_before) + 8, before.slope);
  // Between the iteration's begin and end the cone is approximated by an interpolation of both; a cone that turns
  // differs from that by a fraction of its turn.
  real part = manhattan_length(now.axis - before.axis);
  real widest = maximum(maximum(a.w, b.w), maximum(a_before.w, b_before.w));
  real reach = (maximum(now.half_length, before.half_length) + widest) * (1.0f + 4.0f * part);
  reach = select(part < 0.25f, reach_on_path(reach, now.centre - before.centre), 1e18f);
  STORE_TABLE_REAL(to + int(capsule_reach), select(now.is_cone, reach, 0.0f));
}

FUNCTION(real4) plane_to_frame(VALUE(RigidTransform) into, VALUE(real4) plane) {
  real3 normal = turned(into.turn, XYZ(plane));
  return make4(normal, plane.w - dot3(normal, into.translation));
}

FUNCTION(real4) plane_at(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) plane, VALUE(real) time) {
  real4 from = table_row(PASS TABLE_INT(set + int(collider_plane_starts)) + 4 * plane);
  real4 to = table_row(PASS TABLE_INT(set + int(collider_plane_targets)) + 4 * plane);
  from = plane_to_frame(into.begin, from);
  to = plane_to_frame(into.end, to);
  return make4(interpolate3(XYZ(from), XYZ(to), time), interpolate(from.w, to.w, time));
}

FUNCTION(void) transform_plane(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) plane, VALUE(int) to) {
  real4 now = plane_at(PASS into, set, plane, into.time);
  real4 before = plane_at(PASS into, set, plane, into.previous_time);
  store_vector(PASS to, XYZ(now));
  STORE_TABLE_REAL(to + 3, now.w - into.margin);
  store_vector(PASS to + 4, XYZ(before));
  STORE_TABLE_REAL(to + 7, before.w - into.margin);
}

// The shortest vector v with M v = b, where M is the sum of n n^T over some directions n. v has almost no component
// along directions that have hardly any weight in M.
FUNCTION(real3) least_solution(VALUE(Matrix) m, VALUE(real3) b) {
  real small = 1e-4f * (m.x.x + m.y.y + m.z.z) + CLOTHC_SMALLEST;
  real3 x = m.x + make3(small, 0.0f, 0.0f);
  real3 y = m.y + make3(0.0f, small, 0.0f);
  real3 z = m.z + make3(0.0f, 0.0f, small);
  real3 yz = cross3(y, z);
  real3 zx = cross3(z, x);
  real3 xy = cross3(x, y);
  real inverse = divide(1.0f, maximum(dot3(x, yz), CLOTHC_SMALLEST));
  return (yz * b.x + zx * b.y + xy * b.z) * inverse;
}

// planes is the offset of the transformed planes of the set. The motion and the turn of a convex in this iteration
// follow, to first order, from its planes: for each, the motion v and the turn w of a rigid body satisfy n.v = d - d'
// and w x n = n' - n. The least such motion is taken, so a plane alone does not slide.
FUNCTION(void)
transform_convex(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) begin, VALUE(int) end,
                 VALUE(int) planes, VALUE(int) to) {
  Matrix along = zero_matrix();
  Matrix across = zero_matrix();
  real3 motion = make3(0.0f, 0.0f, 0.0f);
  real3 turn = motion;
  for (int plane = begin; plane < end; ++plane) {
    real4 now = plane_at(PASS into, set, plane, into.time);
    real4 before = plane_at(PASS into, set, plane, into.previous_time);
    Matrix square = outer(XYZ(before), XYZ(before));
    along = sum_of(along, square);
    across = sum_of(across, with_diagonal(times(square, -1.0f), 1.0f));
    motion = motion + XYZ(before) * (before.w - now.w);
    turn = turn + cross3(XYZ(before), XYZ(now));
  }
  motion = least_solution(along, motion);
  turn = least_solution(across, turn);
  store_vector(PASS to, motion);
  store_vector(PASS to + 3, turn);
  STORE_TABLE_INT(to + 6, planes + int(plane_words) * begin);
  STORE_TABLE_INT(to + 7, planes + int(plane_words) * end);
}

FUNCTION(void) store_pose(CONTEXT VALUE(int) to, VALUE(real4) quaternion, VALUE(real3) translation, VALUE(real3) size) {
  Matrix matrix = rotation(quaternion);
  store_vector(PASS to, matrix.x);
  store_vector(PASS to + 3, matrix.y);
  store_vector(PASS to + 6, matrix.z);
  store_vector(PASS to + int(posed_translation), translation);
  store_vector(PASS to + int(posed_size), size);
}

// The pose of a shape at the update's begin and end.
struct PosePath {
  real4 rotation;
  real4 rotation_after;
  real3 translation;
  real3 translation_after;
};

// A pose is 7 words of translation and rotation, in the set's coordinates.
FUNCTION(PosePath) pose_path(CONTEXT VALUE(FrameTransform) into, VALUE(int) from, VALUE(int) goal) {
  PosePath path;
  path.rotation = product(into.begin.rotation, table_row(PASS from + 3));
  path.rotation_after = product(into.end.rotation, table_row(PASS goal + 3));
  path.translation = to_frame(into.begin, table_vector(PASS from));
  path.translation_after = to_frame(into.end, table_vector(PASS goal));
  return path;
}

// A shape with a pose: its path, its size words at the iteration's end and begin, and of instances what posed_asset and
// posed_vertices hold.
struct PosedShape {
  PosePath path;
  real3 size;
  real3 size_before;
  bool is_instance;
  int asset;
  int vertices;
};

// An item of an array of centre, rotation and size; the margin is added to the size.
FUNCTION(PosedShape) shape_with_size(CONTEXT VALUE(FrameTransform) into, VALUE(int) from, VALUE(int) goal) {
  real3 wider = make3(into.margin, into.margin, into.margin);
  real3 size = table_vector(PASS from + 7) + wider;
  real3 size_after = table_vector(PASS goal + 7) + wider;
  PosedShape shape;
  shape.path = pose_path(PASS into, from, goal);
  shape.size = interpolate3(size, size_after, into.time);
  shape.size_before = interpolate3(size, size_after, into.previous_time);
  shape.is_instance = false;
  shape.asset = 0;
  shape.vertices = 0;
  return shape;
}

// The size words of an instance of a mesh or signed distance field: reach in its unit of length, scale, inverse scale.
FUNCTION(real3) scaled_size(VALUE(real) reach, VALUE(real) scale) {
  real inverse = divide(1.0f, scale);
  return make3(reach * inverse, scale, inverse);
}

// The triangles of a set, which form one mesh instance in the set's own coordinates. transformed is the offset of their
// transformed vertices, or 0.
FUNCTION(PosedShape) shape_of_triangles(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) transformed) {
  PosedShape shape;
  shape.path.rotation = into.begin.rotation;
  shape.path.rotation_after = into.end.rotation;
  shape.path.translation = into.begin.translation;
  shape.path.translation_after = into.end.translation;
  shape.size = scaled_size(TABLE_REAL(set + int(collider_reach)), 1.0f);
  shape.size_before = make3(0.0f, shape.size.y, shape.size.z);
  shape.is_instance = true;
  shape.asset = TABLE_INT(set + int(collider_bvh));
  shape.vertices = TABLE_INT(shape.asset + int(bvh_targets));
  if (TABLE_INT(shape.asset + int(bvh_starts)) != shape.vertices) shape.vertices = transformed;
  return shape;
}

// An instance of a mesh or a signed distance field.
FUNCTION(PosedShape) shape_of_instance(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) instance) {
  int from = TABLE_INT(set + int(collider_instance_starts)) + 8 * instance;
  int goal = TABLE_INT(set + int(collider_instance_targets)) + 8 * instance;
  real scale = TABLE_REAL(from + 7);
  real scale_after = TABLE_REAL(goal + 7);
  PosedShape shape;
  shape.path = pose_path(PASS into, from, goal);
  shape.size = scaled_size(TABLE_REAL(set + int(collider_reach)), interpolate(scale, scale_after, into.time));
  shape.size_before = scaled_size(0.0f, interpolate(scale, scale_after, into.previous_time));
  shape.is_instance = true;
  shape.asset = TABLE_INT(TABLE_INT(set + int(collider_instance_assets)) + 2 * instance);
  shape.vertices = 0;
  return shape;
}

// Stores a shape with its pose at the iteration's end and at its begin.
FUNCTION(void) store_posed(CONTEXT VALUE(FrameTransform) into, VALUE(PosedShape) shape, VALUE(int) to) {
  real time = into.time;
  real3 size = shape.size;
  int pose = to;
  for (int side = 0; side < 2; ++side) {
    real4 quaternion = interpolate_rotation(shape.path.rotation, shape.path.rotation_after, time);
    real3 translation = interpolate3(shape.path.translation, shape.path.translation_after, time);
    store_pose(PASS pose, quaternion, translation, size);
    time = into.previous_time;
    size = shape.size_before;
    pose = to + int(posed_before);
  }
  if (shape.is_instance) {
    STORE_TABLE_INT(to + int(posed_asset), shape.asset);
    STORE_TABLE_INT(to + int(posed_vertices), shape.vertices);
  }
}
