// roots.kernel.h - the topmost nodes of a tree of boxes (tree.kernel.h), too few to share: one lane, item 0, in scalar code.

KERNEL(join_roots) {
  for (int node = 15; i < node; --node) {
    for (int axis = 0; axis < 3; ++axis) {
      int low = TREE(tree_lows) + axis;
      int high = TREE(tree_highs) + axis;
      real least = minimum(TABLE_REAL(low + 8 * node), TABLE_REAL(low + 8 * node + 4));
      real greatest = maximum(TABLE_REAL(high + 8 * node), TABLE_REAL(high + 8 * node + 4));
      STORE_TABLE_REAL(low + 4 * node, least);
      STORE_TABLE_REAL(high + 4 * node, greatest);
    }
  }
}
