// particles.kernel.h - the collision particles of a cloth: those of its particles that collide with cloth, in an order
// in which 16 consecutive ones lie close together, copied when a stage begins; and a BVH over them. A node has 16
// children, which are nodes or, in the last level, blocks of 16 collision particles. The root is node 0, and the
// children of node k are 16 k + 1 and so on. Boxes are refitted each time, so the BVH is correct however fast the cloth
// moves; the order affects only the speed.
// Source: Ericson 2005, Real-Time Collision Detection, chapter 6 (refitting); Wald, Benthin and Boulos 2008, Getting
// Rid of Packets (BVHs with 16 children per node).

// Offset in tables of an array of set_... words.
#define COLLISION_PARTICLES(word) \
  (SETTING_INT(collision_particles) + int(word) * SETTING_INT(collision_particle_stride))
#define COLLISION_PARTICLE_NODES COLLISION_PARTICLES(collision_particle_words)

// Coordinates of padding, and of collision particles that are inactive or not finite.
#define CLOTHC_NOWHERE 3e38f

// The number of nodes in the levels before this one.
FUNCTION(int) first_node(int level) {
  int nodes = 0;
  for (int k = 0; k < level; ++k) nodes = nodes * int(node_children) + 1;
  return nodes;
}

// The number of boxes in a level of a BVH whose last level has the given number of boxes.
FUNCTION(int) boxes_in_level(int last, int levels, int level) {
  int boxes = last;
  for (int k = level + 1; k < levels; ++k) boxes = (boxes + int(node_children) - 1) / int(node_children);
  return boxes;
}

// A vector rotated by a quaternion of length 1; a sign of -1 rotates it back.
FUNCTION(real3) turned(VALUE(real3) vector, VALUE(real4) quaternion, VALUE(real) sign) {
  real3 axis = XYZ(quaternion) * sign;
  real3 across = cross3(axis, vector) * R(2.0f);
  return vector + across * quaternion.w + cross3(axis, across);
}

// The rotation of the cloth's frame at the iteration's end or, after the last iteration, at the update's end: an
// interpolation from start to target, the shorter way.
FUNCTION(real4) rotation_of(CONTEXT_ONLY) {
  real4 start = make4(make3(R(GROUP(OWN_GROUP).frame.start_rotation_x), R(GROUP(OWN_GROUP).frame.start_rotation_y),
                            R(GROUP(OWN_GROUP).frame.start_rotation_z)),
                      R(GROUP(OWN_GROUP).frame.start_rotation_w));
  real4 target = make4(make3(R(GROUP(OWN_GROUP).frame.target_rotation_x), R(GROUP(OWN_GROUP).frame.target_rotation_y),
                             R(GROUP(OWN_GROUP).frame.target_rotation_z)),
                       R(GROUP(OWN_GROUP).frame.target_rotation_w));
  real cosine = dot3(XYZ(start), XYZ(target)) + start.w * target.w;
  real sign = select(cosine < R(0.0f), R(-1.0f), R(1.0f));
  real time = STEP(time);
  real3 axis = make3(interpolate(start.x * sign, target.x, time), interpolate(start.y * sign, target.y, time),
                     interpolate(start.z * sign, target.z, time));
  real w = interpolate(start.w * sign, target.w, time);
  real inverse = divide(R(1.0f), square_root(maximum(dot3(axis, axis) + w * w, R(CLOTHC_SMALLEST))));
  return make4(axis * inverse, w * inverse);
}

// From the cloth's frame into the world. The origin of the world is taken to be the target of the frame of the first
// cloth that collides with others, so that floats are precise wherever the cloths are.
FUNCTION(real3) in_world(CONTEXT VALUE(real3) position) {
  int first = TABLE_INT(TABLE_INT(SETTING_INT(cloth_bvh) + int(cloth_bvh_cloths)));
  real3 origin = make3(R(GROUP(first).frame.target_x), R(GROUP(first).frame.target_y), R(GROUP(first).frame.target_z));
  real3 start =
      make3(R(GROUP(OWN_GROUP).frame.start_x), R(GROUP(OWN_GROUP).frame.start_y), R(GROUP(OWN_GROUP).frame.start_z)) -
      origin;
  real3 target = make3(R(GROUP(OWN_GROUP).frame.target_x), R(GROUP(OWN_GROUP).frame.target_y),
                       R(GROUP(OWN_GROUP).frame.target_z)) -
                 origin;
  real time = STEP(time);
  real3 translation = make3(interpolate(start.x, target.x, time), interpolate(start.y, target.y, time),
                            interpolate(start.z, target.z, time));
  return turned(position, rotation_of(PASS_ONLY), R(1.0f)) + translation;
}

FUNCTION(void) store_vector(CONTEXT int word, int i, VALUE(real3) vector) {
  STORE_REAL(tables, COLLISION_PARTICLES(word), i, vector.x);
  STORE_REAL(tables, COLLISION_PARTICLES(word + 1), i, vector.y);
  STORE_REAL(tables, COLLISION_PARTICLES(word + 2), i, vector.z);
}

// The number of iterations of the last update, at least one.
FUNCTION(real) iterations_done(CONTEXT_ONLY) {
  int count = STEP_INT(iteration_count);
  if (count < 1) count = 1;
  return to_real(I(count));
}

// Gathers positions, in the cloth's frame or in the world. With particles_move it gathers previous positions too, or,
// with particles_of_update, where the particles would have been at the update's begin if they had always moved as fast
// as now.
KERNEL(gather_collision_particles) {
  int first = SETTING_INT(first_particle);
  index_list particle = LOAD_INDICES(tables, COLLISION_PARTICLES(set_particle), i);
  real4 current = GATHER4(particles, FRAME(position) + first, particle);
  mask exists = mask_and(LANES(i) < I(SETTING_INT(collision_particle_count)),
                         mask_and(is_bounded3(XYZ(current)), is_active(current.w)));
  real3 position = XYZ(current);
  if (HAS_ARGUMENT(particles_in_world)) position = in_world(PASS position);
  if (HAS_ARGUMENT(particles_move)) {
    real4 before = GATHER4(particles, FRAME(previous) + first, particle);
    real3 previous = XYZ(before);
    if (HAS_ARGUMENT(particles_of_update))
      previous = XYZ(current) - (XYZ(current) - previous) * iterations_done(PASS_ONLY);
    if (HAS_ARGUMENT(particles_in_world)) previous = in_world(PASS previous);
    store_vector(PASS int(set_previous), i, previous);
  }
  real3 nowhere = make3(R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE));
  store_vector(PASS int(set_position), i, select3(exists, position, nowhere));
  STORE_REAL(tables, COLLISION_PARTICLES(set_inverse_mass), i, current.w);
}

// The phases of the particles as the public API has them. Padding is nowhere, so its phase does not matter.
KERNEL(gather_phases) {
  inum index = LOAD_INT(tables, COLLISION_PARTICLES(set_particle), i);
  inum particle = select_int(LANES(i) < I(SETTING_INT(collision_particle_count)), index, I(0));
  real4 phase = GATHER4(particles, BLOCK(particle_phase) + SETTING_INT(first_particle), particle);
  unum word = to_unsigned(phase_word(phase));
  STORE_BITS(tables, COLLISION_PARTICLES(set_phase), i, word);
}

// Padding particles have no rest position.
KERNEL(gather_rest) {
  inum index = LOAD_INT(tables, COLLISION_PARTICLES(set_particle), i);
  inum particle = select_int(LANES(i) < I(SETTING_INT(collision_particle_count)), index, I(0));
  real4 rest = GATHER4(particles, BLOCK(rest) + SETTING_INT(first_particle), particle);
  store_vector(PASS int(set_rest), i, XYZ(rest));
  STORE_REAL(tables, COLLISION_PARTICLES(set_rest + 3u), i, rest.w);
}

// One box per lane.
struct Boxes {
  real3 low;
  real3 high;
};

// The box per lane around 16 collision particles or boxes, from an index on in arrays of least and greatest
// coordinates. Lanes that are not used get an empty box.
FUNCTION(Boxes) boxes_around(CONTEXT int least, int greatest, int stride, VALUE(inum) from, VALUE(mask) used) {
  Boxes boxes;
  boxes.low = make3(R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE));
  boxes.high = make3(R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE));
  for (int k = 0; k < int(node_children); ++k) {
    inum at = select_int(used, from, I(0)) + I(k);
    real3 low = make3(GATHER_REAL(tables, least, at), GATHER_REAL(tables, least + stride, at),
                      GATHER_REAL(tables, least + 2 * stride, at));
    real3 high = low;
    if (greatest != least) {
      high = make3(GATHER_REAL(tables, greatest, at), GATHER_REAL(tables, greatest + stride, at),
                   GATHER_REAL(tables, greatest + 2 * stride, at));
    }
    mask exists = mask_and(used, low.x < R(CLOTHC_NOWHERE));
    boxes.low = select3(exists, lower_of(low, boxes.low), boxes.low);
    boxes.high = select3(exists, upper_of(high, boxes.high), boxes.high);
  }
  return boxes;
}

// Stores box i of a level in its parent's node.
FUNCTION(void) store_boxes(CONTEXT int nodes, int level, int i, VALUE(Boxes) boxes) {
  int node = first_node(level) + i / int(node_children);
  int at = nodes + node * int(node_words) + i % int(node_children);
  STORE_REAL(tables, at, 0, boxes.low.x);
  STORE_REAL(tables, at + 16, 0, boxes.low.y);
  STORE_REAL(tables, at + 32, 0, boxes.low.z);
  STORE_REAL(tables, at + 48, 0, boxes.high.x);
  STORE_REAL(tables, at + 64, 0, boxes.high.y);
  STORE_REAL(tables, at + 80, 0, boxes.high.z);
}

// Box i of a level, around the children in the nodes of the next level. count is the number of boxes in the level.
FUNCTION(Boxes) boxes_around_nodes(CONTEXT int nodes, int level, int count, int i) {
  int below = nodes + first_node(level + 1) * int(node_words);
  mask used = LANES(i) < I(count);
  return boxes_around(PASS below, below + 48, 16, LANES(i) * I(int(node_words)), used);
}

KERNEL(refit_particle_bvh) {
  int count = boxes_in_level(SETTING_INT(collision_particle_stride) / int(node_children),
                             SETTING_INT(particle_bvh_levels), ARGUMENT);
  Boxes boxes;
  if (ARGUMENT + 1 == SETTING_INT(particle_bvh_levels)) {
    int positions = COLLISION_PARTICLES(set_position);
    boxes = boxes_around(PASS positions, positions, SETTING_INT(collision_particle_stride),
                         LANES(i) * I(int(node_children)), LANES(i) < I(count));
  } else {
    boxes = boxes_around_nodes(PASS COLLISION_PARTICLE_NODES, ARGUMENT, count, i);
  }
  store_boxes(PASS COLLISION_PARTICLE_NODES, ARGUMENT, i, boxes);
}

// Which of 16 boxes or collision particles overlap a box that is the same for all lanes, as bits.
FUNCTION(int) overlapping_items(CONTEXT int least, int greatest, int stride, VALUE(Boxes) box) {
  int bits = 0;
  for (int k = 0; k < int(node_children); k += LANE_COUNT) {
    mask below = mask_and(
        mask_and(LOAD_REAL(tables, least, k) <= box.high.x, LOAD_REAL(tables, least + stride, k) <= box.high.y),
        LOAD_REAL(tables, least + 2 * stride, k) <= box.high.z);
    mask above = mask_and(
        mask_and(box.low.x <= LOAD_REAL(tables, greatest, k), box.low.y <= LOAD_REAL(tables, greatest + stride, k)),
        box.low.z <= LOAD_REAL(tables, greatest + 2 * stride, k));
    bits = bits | LANE_BITS(mask_and(below, above)) << k;
  }
  return bits;
}

// Which children of a node overlap a box that is the same for all lanes, as bits.
FUNCTION(int) overlapping_children(CONTEXT int nodes, int node, VALUE(Boxes) box) {
  int at = nodes + node * int(node_words);
  return overlapping_items(PASS at, at + 48, 16, box);
}
FUNCTION(int) parent_of(int node) { return (node - 1) / int(node_children); }
FUNCTION(int) first_child_of(int node) { return node * int(node_children) + 1; }
