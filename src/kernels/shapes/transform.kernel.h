// transform.kernel.h - transforms the shapes of a cloth's collider sets, one lane per shape, once per iteration and
// cloth.

// One number for each kind of shape.
struct OfKinds {
  int spheres;
  int capsules;
  int planes;
  int convexes;
  int ellipsoids;
  int boxes;
  int meshes;
  int sdfs;
};

FUNCTION(OfKinds) shape_counts(CONTEXT int set) {
  OfKinds counts;
  counts.spheres = TABLE_INT(set + int(collider_sphere_count));
  counts.capsules = TABLE_INT(set + int(collider_capsule_count));
  counts.planes = TABLE_INT(set + int(collider_plane_count));
  counts.convexes = TABLE_INT(set + int(collider_convex_count));
  counts.ellipsoids = TABLE_INT(set + int(collider_ellipsoid_count));
  counts.boxes = TABLE_INT(set + int(collider_box_count));
  counts.meshes = TABLE_INT(set + int(collider_mesh_count));
  counts.sdfs = TABLE_INT(set + int(collider_sdf_count));
  return counts;
}

// Offsets of the cloth's first transformed shapes.
FUNCTION(OfKinds) first_shapes(CONTEXT int cloth) {
  OfKinds first;
  first.spheres = int(CLOTH(cloth).settings.spheres);
  first.capsules = int(CLOTH(cloth).settings.capsules);
  first.planes = int(CLOTH(cloth).settings.planes);
  first.convexes = int(CLOTH(cloth).settings.convexes);
  first.ellipsoids = int(CLOTH(cloth).settings.ellipsoids);
  first.boxes = int(CLOTH(cloth).settings.boxes);
  first.meshes = int(CLOTH(cloth).settings.meshes);
  first.sdfs = int(CLOTH(cloth).settings.sdfs);
  return first;
}

// Offsets of the first transformed shapes of the next set.
FUNCTION(OfKinds) next_shapes(VALUE(OfKinds) first, VALUE(OfKinds) counts) {
  OfKinds next;
  next.spheres = first.spheres + int(sphere_words) * counts.spheres;
  next.capsules = first.capsules + int(capsule_words) * counts.capsules;
  next.planes = first.planes + int(plane_words) * counts.planes;
  next.convexes = first.convexes + int(convex_words) * counts.convexes;
  next.ellipsoids = first.ellipsoids + int(posed_words) * counts.ellipsoids;
  next.boxes = first.boxes + int(posed_words) * counts.boxes;
  next.meshes = first.meshes + int(posed_words) * counts.meshes;
  next.sdfs = first.sdfs + int(posed_words) * counts.sdfs;
  return next;
}

// Transforms shape k of the set's ellipsoids, boxes, meshes and signed distance fields, numbered in this order.
// transformed is the offset of the transformed vertices of the set's triangles, or 0.
FUNCTION(void)
transform_posed_shape(CONTEXT VALUE(FrameTransform) into, int set, int k, VALUE(OfKinds) counts, VALUE(OfKinds) first,
                      int transformed) {
  int item = k;
  if (item < counts.ellipsoids + counts.boxes) {
    int starts = TABLE_INT(set + int(collider_ellipsoid_starts));
    int targets = TABLE_INT(set + int(collider_ellipsoid_targets));
    int to = first.ellipsoids + int(posed_words) * item;
    if (counts.ellipsoids <= item) {
      item = item - counts.ellipsoids;
      starts = TABLE_INT(set + int(collider_box_starts));
      targets = TABLE_INT(set + int(collider_box_targets));
      to = first.boxes + int(posed_words) * item;
    }
    transform_pose(PASS into, starts, targets, item, to);
    return;
  }
  item = item - counts.ellipsoids - counts.boxes;
  int to = first.meshes + int(posed_words) * item;
  if (counts.meshes <= item) to = first.sdfs + int(posed_words) * (item - counts.meshes);
  if (TABLE_INT(set + int(collider_bvh)) != 0) {
    if (item == 0) {
      transform_triangle_mesh(PASS into, set, transformed, to);
      return;
    }
    item = item - 1;
  }
  transform_instance(PASS into, set, item, to);
}

// Transforms shape k of the set, where shapes are numbered kind by kind.
FUNCTION(void)
transform_shape(CONTEXT VALUE(FrameTransform) into, int set, int k, VALUE(OfKinds) counts, VALUE(OfKinds) first,
                int transformed) {
  int item = k;
  if (item < counts.spheres) {
    transform_sphere(PASS into, set, item, first.capsules, first.spheres + int(sphere_words) * item);
    return;
  }
  item = item - counts.spheres;
  if (item < counts.capsules) {
    transform_capsule(PASS into, set, item, first.capsules + int(capsule_words) * item);
    return;
  }
  item = item - counts.capsules;
  if (item < counts.planes) {
    transform_plane(PASS into, set, item, first.planes + int(plane_words) * item);
    return;
  }
  item = item - counts.planes;
  if (item < counts.convexes) {
    int ends = TABLE_INT(set + int(collider_convex_ends));
    int begin = 0;
    if (0 < item) begin = TABLE_INT(ends + item - 1);
    int to = first.convexes + int(convex_words) * item;
    transform_convex(PASS into, set, begin, TABLE_INT(ends + item), first.planes, to);
    return;
  }
  transform_posed_shape(PASS into, set, item - counts.convexes, counts, first, transformed);
}

// Items are the shapes of all sets; the items of a set are its spheres, capsules, planes, convexes, ellipsoids, boxes,
// meshes and signed distance fields.
KERNEL(transform_shapes) {
  int cloth = OWN_CLOTH;
  int item = i;
  OfKinds first = first_shapes(PASS cloth);
  int transformed = int(CLOTH(cloth).settings.transformed_vertices);
  for (int set_number = 0; set_number < int(CLOTH(cloth).settings.collider_count); ++set_number) {
    int set = TABLE_INT(int(CLOTH(cloth).settings.collider_table) + set_number);
    OfKinds counts = shape_counts(PASS set);
    int all = counts.spheres + counts.capsules + counts.planes + counts.convexes + counts.ellipsoids + counts.boxes +
              counts.meshes + counts.sdfs;
    if (item < all) {
      // Shapes that stand still were transformed in the first iteration.
      if (0u < CLOTH(cloth).step.iteration && !is_in_motion(PASS cloth, set)) return;
      transform_shape(PASS frame_transform_of(PASS cloth, set), set, item, counts, first, transformed);
      return;
    }
    item = item - all;
    int bvh = TABLE_INT(set + int(collider_bvh));
    if (transformed != 0 && bvh != 0) transformed = transformed + TABLE_INT(bvh + int(bvh_vertex_words));
    first = next_shapes(first, counts);
  }
}
