// roots.kernel.h - the topmost nodes of a tree of boxes (tree.kernel.h), too few to share: one lane, item 0, in scalar code.

KERNEL(join_roots) {
  for (int node = 15; i < node; --node) join_children(PASS node);
}
