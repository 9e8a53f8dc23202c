// bvh_walk.kernel.h - finds the items of a BVH that overlap a box, one after the other in a fixed order. All lanes walk
// together. This is the only walk through the BVHs of cloth, whatever their items are.

// A BVH whose nodes have 16 children (particles.kernel.h).
struct Bvh {
  // Offset in tables of the nodes.
  int nodes;
  int levels;
  // Offsets in tables of the least and greatest x of the items; y and z follow at `stride` words each. The children of
  // the last level are blocks of 16 items or, where stride is 0, the items themselves.
  int least;
  int greatest;
  int stride;
};

struct BvhWalk {
  // Number of nodes above the last level.
  int leaves;
  int level;
  int node;
  // Items of the current block that are still to be visited, as bits.
  int items;
  int block;
  // Per level down to the current one: children that are still to be visited, as bits.
  int pending[most_particle_bvh_levels];
};

FUNCTION(BvhWalk) begin_walk(CONTEXT VALUE(Bvh) bvh, VALUE(Boxes) box) {
  BvhWalk walk;
  walk.leaves = first_node(bvh.levels - 1);
  walk.level = 0;
  walk.node = 0;
  walk.items = 0;
  walk.block = 0;
  walk.pending[0] = overlapping_children(PASS bvh.nodes, 0, box);
  return walk;
}

// Makes one step of a walk. Returns the item that it has come to, or -1 if it has come to none. The walk is over where
// the level is below 0.
FUNCTION(int) step_of_walk(CONTEXT INOUT(BvhWalk) walk, VALUE(Bvh) bvh, VALUE(Boxes) box) {
  int found = -1;
  if (walk.items != 0) {
    found = walk.block * int(node_children) + FIRST_BIT(walk.items);
    walk.items = walk.items & (walk.items - 1);
  } else if (walk.pending[walk.level] == 0) {
    walk.level = walk.level - 1;
    walk.node = parent_of(walk.node);
  } else {
    int child = first_child_of(walk.node) + FIRST_BIT(walk.pending[walk.level]);
    walk.pending[walk.level] = walk.pending[walk.level] & (walk.pending[walk.level] - 1);
    if (walk.node < walk.leaves) {
      walk.node = child;
      walk.level = walk.level + 1;
      walk.pending[walk.level] = overlapping_children(PASS bvh.nodes, child, box);
    } else if (bvh.stride == 0) {
      found = child - 1 - walk.leaves * int(node_children);
    } else {
      walk.block = child - 1 - walk.leaves * int(node_children);
      int first = walk.block * int(node_children);
      walk.items = overlapping_items(PASS bvh.least + first, bvh.greatest + first, bvh.stride, box);
    }
  }
  return found;
}
