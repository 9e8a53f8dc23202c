// bvh_walk.kernel.h - finds the items of a BVH that overlap a box, one after the other in a fixed order. All lanes walk
// together. This is the only walk through the BVHs of cloth, whatever their items are.

struct BvhWalk {
  // Number of nodes above the last level.
  int leaves;
  // Depth of the current node.
  int level;
  int node;
  // Items of the current block that are still to be visited, as bits.
  int items;
  int block;
  // Per depth down to the current node: children that are still to be visited, as bits.
  int pending[most_bvh_levels + 1u];
};

// A walk begins above the root, which is the last child of node -1.
FUNCTION(BvhWalk) begin_walk(VALUE(Bvh) bvh) {
  BvhWalk walk;
  walk.leaves = first_node(bvh.levels - 1);
  walk.level = 0;
  walk.node = -1;
  walk.items = 0;
  walk.block = 0;
  walk.pending[0] = 1 << int(node_children - 1u);
  return walk;
}

// While the level is not below 0, the walk goes on: by the next item if items are left, else by a step through the tree.
FUNCTION(int) next_item(INOUT(BvhWalk) walk) {
  int item = walk.block * int(node_children) + FIRST_BIT(walk.items);
  walk.items = walk.items & (walk.items - 1);
  return item;
}

// Goes up where no child is left, else to a child: to a node, or to a block of items.
FUNCTION(void) step_through_tree(CONTEXT INOUT(BvhWalk) walk, VALUE(Bvh) bvh, VALUE(Boxes) box) {
  if (walk.pending[walk.level] == 0) {
    walk.level = walk.level - 1;
    walk.node = parent_of(walk.node);
  } else {
    int child = first_child_of(walk.node) + FIRST_BIT(walk.pending[walk.level]);
    walk.pending[walk.level] = walk.pending[walk.level] & (walk.pending[walk.level] - 1);
    if (walk.node < walk.leaves) {
      int boxes = bvh.nodes + child * int(node_words);
      int overlapping = overlapping_items(PASS boxes, boxes + 48, 16, box);
      walk.level = walk.level + 1;
      walk.node = child;
      walk.pending[walk.level] = overlapping;
      // The children of the last level are items.
      if (!bvh.has_blocks && walk.leaves <= child) {
        walk.pending[walk.level] = 0;
        walk.items = overlapping;
        walk.block = child - walk.leaves;
      }
    } else {
      walk.block = child - 1 - walk.leaves * int(node_children);
      int first = walk.block * int(node_children);
      walk.items = overlapping_items(PASS bvh.least + first, bvh.greatest + first, bvh.stride, box);
    }
  }
}
