// bvh.kernel.h - the bounding volume hierarchies (BVHs) around cloth: over the collision particles, the edges or the
// triangles of a cloth, and over cloths. A node has 16 children, which are nodes or, in the last level, items or blocks
// of 16 items. The root is node 0, and the children of node k are 16 k + 1 and so on. Boxes are refitted each time, so
// the BVH is correct however fast the cloth moves; the order of the items affects only the speed.
// Source: Ericson 2005, Real-Time Collision Detection, chapter 6 (refitting); Wald, Benthin and Boulos 2008, Getting
// Rid of Packets (BVHs with 16 children per node).

// Coordinates of padding, and of items that are inactive or not finite.
#define CLOTHC_NOWHERE 3e38f

// A BVH whose nodes have 16 children.
struct Bvh {
  // Offset in tables of the nodes.
  int nodes;
  int levels;
  // Whether the children of the last level are blocks of 16 items. Else they are the items themselves.
  bool has_blocks;
  // Offsets in tables of the least and greatest x of the items of blocks; y and z follow at `stride` words each.
  int least;
  int greatest;
  int stride;
};

// The number of nodes in the levels before this one.
FUNCTION(int) first_node(VALUE(int) level) {
  int nodes = 0;
  for (int k = 0; k < level; ++k) nodes = nodes * int(node_children) + 1;
  return nodes;
}

// The number of boxes in a level of a BVH whose last level has the given number of boxes.
FUNCTION(int) boxes_in_level(VALUE(int) last, VALUE(int) levels, VALUE(int) level) {
  int boxes = last;
  for (int k = level + 1; k < levels; ++k) boxes = (boxes + int(node_children) - 1) / int(node_children);
  return boxes;
}

// One box per lane.
struct Boxes {
  real3 low;
  real3 high;
};

// The box per lane around 16 collision particles or boxes, from an index on in arrays of least and greatest
// coordinates. Lanes that are not used get an empty box.
FUNCTION(Boxes)
boxes_around(CONTEXT VALUE(int) least, VALUE(int) greatest, VALUE(int) stride, VALUE(inum) from, VALUE(mask) used) {
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

// The box around those of all lanes. Lanes that are nowhere do not count.
FUNCTION(Boxes) box_around_lanes(VALUE(Boxes) boxes) {
  mask exists = boxes.low.x < R(CLOTHC_NOWHERE);
  real3 top = select3(exists, boxes.high, make3(R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE)));
  Boxes box;
  box.low = make3(LEAST_OF_LANES(boxes.low.x), LEAST_OF_LANES(boxes.low.y), LEAST_OF_LANES(boxes.low.z));
  box.high = make3(GREATEST_OF_LANES(top.x), GREATEST_OF_LANES(top.y), GREATEST_OF_LANES(top.z));
  return box;
}

// Stores box i of a level in its parent's node.
FUNCTION(void) store_boxes(CONTEXT VALUE(int) nodes, VALUE(int) level, VALUE(int) i, VALUE(Boxes) boxes) {
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
FUNCTION(Boxes) boxes_around_nodes(CONTEXT VALUE(int) nodes, VALUE(int) level, VALUE(int) count, VALUE(int) i) {
  int below = nodes + first_node(level + 1) * int(node_words);
  mask used = LANES(i) < I(count);
  return boxes_around(PASS below, below + 48, 16, LANES(i) * I(int(node_words)), used);
}

// Box i of a level, around its children. Each level is refitted after the next one.
FUNCTION(void) refit_level(CONTEXT VALUE(Bvh) bvh, VALUE(int) level, VALUE(int) i) {
  int count = boxes_in_level(bvh.stride / int(node_children), bvh.levels, level);
  Boxes boxes;
  if (level + 1 == bvh.levels) {
    boxes =
        boxes_around(PASS bvh.least, bvh.greatest, bvh.stride, LANES(i) * I(int(node_children)), LANES(i) < I(count));
  } else {
    boxes = boxes_around_nodes(PASS bvh.nodes, level, count, i);
  }
  store_boxes(PASS bvh.nodes, level, i, boxes);
}

// Which of 16 boxes or collision particles overlap a box that is the same for all lanes, as bits.
FUNCTION(int) overlapping_items(CONTEXT VALUE(int) least, VALUE(int) greatest, VALUE(int) stride, VALUE(Boxes) box) {
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

FUNCTION(int) parent_of(VALUE(int) node) { return (node - 1) / int(node_children); }
FUNCTION(int) first_child_of(VALUE(int) node) { return node * int(node_children) + 1; }
