// bvh_walk.kernel.h - finds the items of a BVH that overlap a box, one after the other in a fixed order. All lanes walk
// together. This is the only walk through the BVHs of cloth, whatever their items are.

struct BvhWalk {
  // Number of nodes above the last level.
  int leaves;
  int level;
  int node;
  // Items of the current block that are still to be visited, as bits.
  int items;
  int block;
  // Per level down to the current one: children that are still to be visited, as bits.
  int pending[most_bvh_levels];
};

// Goes to a node, in the current level.
FUNCTION(void) enter_node(CONTEXT INOUT(BvhWalk) walk, VALUE(Bvh) bvh, int node, VALUE(Boxes) box) {
  int children = overlapping_children(PASS bvh.nodes, node, box);
  walk.node = node;
  walk.pending[walk.level] = children;
  if (!bvh.has_blocks && walk.leaves <= node) {
    walk.items = children;
    walk.block = node - walk.leaves;
    walk.pending[walk.level] = 0;
  }
}

FUNCTION(BvhWalk) begin_walk(CONTEXT VALUE(Bvh) bvh, VALUE(Boxes) box) {
  BvhWalk walk;
  walk.leaves = first_node(bvh.levels - 1);
  walk.level = 0;
  walk.items = 0;
  walk.block = 0;
  enter_node(PASS walk, bvh, 0, box);
  return walk;
}

// While the level is not below 0, the walk goes on: by the next item if items are left, else by a step through the tree.
FUNCTION(int) next_item(INOUT(BvhWalk) walk) {
  int item = walk.block * int(node_children) + FIRST_BIT(walk.items);
  walk.items = walk.items & (walk.items - 1);
  return item;
}

FUNCTION(void) step_through_tree(CONTEXT INOUT(BvhWalk) walk, VALUE(Bvh) bvh, VALUE(Boxes) box) {
  if (walk.pending[walk.level] == 0) {
    walk.level = walk.level - 1;
    walk.node = parent_of(walk.node);
  } else {
    int child = first_child_of(walk.node) + FIRST_BIT(walk.pending[walk.level]);
    walk.pending[walk.level] = walk.pending[walk.level] & (walk.pending[walk.level] - 1);
    if (walk.node < walk.leaves) {
      walk.level = walk.level + 1;
      enter_node(PASS walk, bvh, child, box);
    } else {
      walk.block = child - 1 - walk.leaves * int(node_children);
      int first = walk.block * int(node_children);
      walk.items = overlapping_items(PASS bvh.least + first, bvh.greatest + first, bvh.stride, box);
    }
  }
}
