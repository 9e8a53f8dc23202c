// triangle_bvh_roots.kernel.h - refits the topmost nodes of a triangle BVH (triangle_bvh.kernel.h), too few to be worth
// several lanes: item 0 does them all, in scalar code.

KERNEL(refit_triangle_roots) {
  for (int node = 15; i < node; --node) refit_children(PASS node);
}
