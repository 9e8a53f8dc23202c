// points.kernel.h - the points of a cloth that collide with cloth: particles in an order in which 16 after one another lie close
// together, copied from where they are when a stage begins, and a tree of boxes around them. A node has 16 children, which
// are nodes, or, in the last level, blocks of 16 points. The root is node 0; the children of node k are 16 k + 1 and so on.
// Boxes are fitted anew each time, so the tree is right however fast the cloth moves; the order only makes it quick.
// Source: Ericson 2005, Real-Time Collision Detection, chapter 6 (refitting); Wald, Benthin and Boulos 2008, Getting Rid of
// Packets (trees of 16 children).

// An array of point_... words.
#define POINTS(word) (SETTING_INT(points) + int(word) * SETTING_INT(point_stride))
#define POINT_NODES POINTS(point_words)

// Coordinates of points that are not there, or not finite.
#define CLOTHC_NOWHERE 3e38f

// Nodes before those of a level.
FUNCTION(int) first_node(int level) {
  int nodes = 0;
  for (int k = 0; k < level; ++k) nodes = nodes * int(node_children) + 1;
  return nodes;
}

// Boxes of a level: blocks of points in the last one.
FUNCTION(int) boxes_in_level(CONTEXT int level) {
  int boxes = SETTING_INT(point_stride) / int(node_children);
  for (int k = level + 1; k < SETTING_INT(point_levels); ++k) boxes = (boxes + int(node_children) - 1) / int(node_children);
  return boxes;
}

KERNEL(gather_points) {
  int first = SETTING_INT(first_particle);
  index_list place = LOAD_INDICES(tables, POINTS(point_place), i);
  real4 p = GATHER4(particles, FRAME(position) + first, place);
  mask present = mask_and(LANES(i) < I(SETTING_INT(point_count)), is_bounded3(XYZ(p)));
  real3 nowhere = make3(R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE));
  real3 x = select3(present, XYZ(p), nowhere);
  STORE_REAL(tables, POINTS(point_position), i, x.x);
  STORE_REAL(tables, POINTS(point_position + 1u), i, x.y);
  STORE_REAL(tables, POINTS(point_position + 2u), i, x.z);
  STORE_REAL(tables, POINTS(point_inverse_mass), i, p.w);
  if (IS_POSITIVE(SETTING(self_friction))) {
    real4 q = GATHER4(particles, FRAME(previous) + first, place);
    STORE_REAL(tables, POINTS(point_previous), i, q.x);
    STORE_REAL(tables, POINTS(point_previous + 1u), i, q.y);
    STORE_REAL(tables, POINTS(point_previous + 2u), i, q.z);
  }
}

KERNEL(gather_rest) {
  index_list place = LOAD_INDICES(tables, POINTS(point_place), i);
  real4 r = GATHER4(particles, FRAME(rest) + SETTING_INT(first_particle), place);
  STORE_REAL(tables, POINTS(point_rest), i, r.x);
  STORE_REAL(tables, POINTS(point_rest + 1u), i, r.y);
  STORE_REAL(tables, POINTS(point_rest + 2u), i, r.z);
  STORE_REAL(tables, POINTS(point_rest + 3u), i, r.w);
}

// Puts box i of the level that the argument names into its parent's node.
FUNCTION(void) store_box(CONTEXT int i, VALUE(real3) low, VALUE(real3) high) {
  int node = first_node(ARGUMENT) + i / int(node_children);
  int at = POINT_NODES + node * int(node_words) + i % int(node_children);
  STORE_REAL(tables, at, 0, low.x);
  STORE_REAL(tables, at + 16, 0, low.y);
  STORE_REAL(tables, at + 32, 0, low.z);
  STORE_REAL(tables, at + 48, 0, high.x);
  STORE_REAL(tables, at + 64, 0, high.y);
  STORE_REAL(tables, at + 80, 0, high.z);
}

KERNEL(bound_points) {
  real3 low = make3(R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE));
  real3 high = make3(R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE));
  inum box = LANES(i);
  mask used = box < I(boxes_in_level(PASS ARGUMENT));
  inum from = select_int(used, box, I(0));
  bool of_points = ARGUMENT + 1 == SETTING_INT(point_levels);
  int arrays = POINTS(point_position);
  int stride = SETTING_INT(point_stride);
  if (!of_points) {
    arrays = POINT_NODES + first_node(ARGUMENT + 1) * int(node_words);
    stride = int(node_children);
    from = from * I(int(node_words));
  } else {
    from = from * I(int(node_children));
  }
  for (int k = 0; k < int(node_children); ++k) {
    inum at = from + I(k);
    real3 a = make3(GATHER_REAL(tables, arrays, at), GATHER_REAL(tables, arrays + stride, at),
                    GATHER_REAL(tables, arrays + 2 * stride, at));
    real3 b = a;
    if (!of_points) {
      b = make3(GATHER_REAL(tables, arrays + 3 * stride, at), GATHER_REAL(tables, arrays + 4 * stride, at),
                GATHER_REAL(tables, arrays + 5 * stride, at));
    }
    mask there = mask_and(used, a.x < R(CLOTHC_NOWHERE));
    low = select3(there, lower_of(a, low), low);
    high = select3(there, upper_of(b, high), high);
  }
  store_box(PASS i, low, high);
}

// Which of 16 boxes, or points, meet the box from low to high, as bits: arrays of the least coordinates, then the greatest.
FUNCTION(int) those_that_meet(CONTEXT int least, int greatest, int stride, VALUE(real3) low, VALUE(real3) high) {
  int bits = 0;
  for (int k = 0; k < int(node_children); k += LANE_COUNT) {
    mask below = mask_and(mask_and(LOAD_REAL(tables, least, k) <= high.x, LOAD_REAL(tables, least + stride, k) <= high.y),
                          LOAD_REAL(tables, least + 2 * stride, k) <= high.z);
    mask above =
        mask_and(mask_and(low.x <= LOAD_REAL(tables, greatest, k), low.y <= LOAD_REAL(tables, greatest + stride, k)),
                 low.z <= LOAD_REAL(tables, greatest + 2 * stride, k));
    bits = bits | LANE_BITS(mask_and(below, above)) << k;
  }
  return bits;
}
