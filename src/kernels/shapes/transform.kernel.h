// transform.kernel.h - transforms the shapes of a cloth's collider sets, one lane per shape, once per iteration and
// cloth. Kinds of shapes that are alike share a kernel, so that nobody compiles the code for kinds that are not there.

// One number for each kind of shape.
struct OfKinds {
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) int plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
};

FUNCTION(OfKinds) shape_counts(CONTEXT VALUE(int) set) {
  OfKinds counts;
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) counts.plural = TABLE_INT(set + int(collider_##kind##_count));
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  return counts;
}

// Offsets of the cloth's first transformed shapes.
FUNCTION(OfKinds) first_shapes(CONTEXT VALUE(int) cloth) {
  OfKinds first;
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) first.plural = int(GROUP_SETTING(cloth, plural));
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  return first;
}

// Offsets of the first transformed shapes of the next set.
FUNCTION(OfKinds) next_shapes(VALUE(OfKinds) first, VALUE(OfKinds) counts) {
  OfKinds next;
#define CLOTHC_SHAPE_KIND(kind, plural, shape_words) next.plural = first.plural + int(shape_words) * counts.plural;
#include "kernels/shape_kinds.def"
#undef CLOTHC_SHAPE_KIND
  return next;
}

// Transforms shape k of the set's ellipsoids, boxes, meshes and signed distance fields, numbered in this order.
// transformed is the offset of the transformed vertices of the set's triangles, or 0.
FUNCTION(void)
transform_posed_shape(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) k, VALUE(OfKinds) counts,
                      VALUE(OfKinds) first, VALUE(int) transformed) {
  PosedShape shape;
  int item = k;
  int to = first.ellipsoids + int(posed_words) * item;
  if (item < counts.ellipsoids + counts.boxes) {
    int starts = TABLE_INT(set + int(collider_ellipsoid_starts));
    int targets = TABLE_INT(set + int(collider_ellipsoid_targets));
    if (counts.ellipsoids <= item) {
      item = item - counts.ellipsoids;
      starts = TABLE_INT(set + int(collider_box_starts));
      targets = TABLE_INT(set + int(collider_box_targets));
      to = first.boxes + int(posed_words) * item;
    }
    shape = shape_with_size(PASS into, starts + 10 * item, targets + 10 * item);
  } else {
    item = item - counts.ellipsoids - counts.boxes;
    to = first.meshes + int(posed_words) * item;
    if (counts.meshes <= item) to = first.sdfs + int(posed_words) * (item - counts.meshes);
    bool has_triangles = TABLE_INT(set + int(collider_bvh)) != 0;
    if (has_triangles && item == 0) {
      shape = shape_of_triangles(PASS into, set, transformed);
    } else {
      if (has_triangles) item = item - 1;
      shape = shape_of_instance(PASS into, set, item);
    }
  }
  store_posed(PASS into, shape, to);
}

FUNCTION(void)
transform_rounded_shape(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) k, VALUE(OfKinds) counts,
                        VALUE(OfKinds) first) {
  if (k < counts.spheres) {
    transform_sphere(PASS into, set, k, first.capsules, first.spheres + int(sphere_words) * k);
    return;
  }
  int capsule = k - counts.spheres;
  transform_capsule(PASS into, set, capsule, first.capsules + int(capsule_words) * capsule);
}

FUNCTION(void)
transform_flat_shape(CONTEXT VALUE(FrameTransform) into, VALUE(int) set, VALUE(int) k, VALUE(OfKinds) counts,
                     VALUE(OfKinds) first) {
  if (k < counts.planes) {
    transform_plane(PASS into, set, k, first.planes + int(plane_words) * k);
    return;
  }
  int convex = k - counts.planes;
  int ends = TABLE_INT(set + int(collider_convex_ends));
  int begin = 0;
  if (0 < convex) begin = TABLE_INT(ends + convex - 1);
  int to = first.convexes + int(convex_words) * convex;
  transform_convex(PASS into, set, begin, TABLE_INT(ends + convex), first.planes, to);
}

// Items are the shapes of these kinds in all sets; the items of a set are its shapes kind by kind. in_set: how many of
// them a set with these counts has. transform: transforms the item of the set.
#define CLOTHC_TRANSFORM_KERNEL(name, in_set, transform)                                                    \
  KERNEL(name) {                                                                                            \
    int cloth = OWN_GROUP;                                                                                  \
    int item = i;                                                                                           \
    OfKinds first = first_shapes(PASS cloth);                                                               \
    int transformed = int(GROUP_SETTING(cloth, transformed_vertices));                                      \
    for (int set_number = 0; set_number < int(GROUP_SETTING(cloth, collider_count)); ++set_number) {        \
      int set = TABLE_INT(int(GROUP_SETTING(cloth, collider_table)) + set_number);                          \
      OfKinds counts = shape_counts(PASS set);                                                              \
      int count = in_set;                                                                                   \
      if (item < count) {                                                                                   \
        /* Shapes that stand still were transformed in the first iteration. */                              \
        if (0u < GROUP(cloth).step.iteration && !is_in_motion(PASS cloth, set)) return;                     \
        transform;                                                                                          \
        return;                                                                                             \
      }                                                                                                     \
      item = item - count;                                                                                  \
      int bvh = TABLE_INT(set + int(collider_bvh));                                                         \
      if (transformed != 0 && bvh != 0) transformed = transformed + TABLE_INT(bvh + int(bvh_vertex_words)); \
      first = next_shapes(first, counts);                                                                   \
    }                                                                                                       \
  }

CLOTHC_TRANSFORM_KERNEL(transform_rounded_shapes, counts.spheres + counts.capsules,
                        transform_rounded_shape(PASS frame_transform_of(PASS cloth, set), set, item, counts, first))
CLOTHC_TRANSFORM_KERNEL(transform_flat_shapes, counts.planes + counts.convexes,
                        transform_flat_shape(PASS frame_transform_of(PASS cloth, set), set, item, counts, first))
CLOTHC_TRANSFORM_KERNEL(transform_posed_shapes, counts.ellipsoids + counts.boxes + counts.meshes + counts.sdfs,
                        transform_posed_shape(PASS frame_transform_of(PASS cloth, set), set, item, counts, first,
                                              transformed))
