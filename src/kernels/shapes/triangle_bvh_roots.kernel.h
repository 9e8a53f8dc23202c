// triangle_bvh_roots.kernel.h - the topmost nodes of a tree of boxes (triangle_bvh.kernel.h), too few to share: one lane, item 0, in
// scalar code.

KERNEL(refit_triangle_roots) {
  for (int node = 15; i < node; --node) refit_children(PASS node);
}
