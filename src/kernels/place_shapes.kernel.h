// place_shapes.kernel.h - places the shapes that a cloth touches, one lane per shape, once per iteration and cloth.

// A number for each kind of shape.
struct OfKinds {
  int spheres;
  int capsules;
  int planes;
  int convexes;
  int ellipsoids;
  int boxes;
  int bodies;
  int fields;
};

FUNCTION(OfKinds) shape_counts(CONTEXT int set) {
  OfKinds counts;
  counts.spheres = TABLE_INT(set + int(collider_sphere_count));
  counts.capsules = TABLE_INT(set + int(collider_capsule_count));
  counts.planes = TABLE_INT(set + int(collider_plane_count));
  counts.convexes = TABLE_INT(set + int(collider_convex_count));
  counts.ellipsoids = TABLE_INT(set + int(collider_ellipsoid_count));
  counts.boxes = TABLE_INT(set + int(collider_box_count));
  counts.bodies = TABLE_INT(set + int(collider_body_count));
  counts.fields = TABLE_INT(set + int(collider_field_count));
  return counts;
}

// Where the cloth's first shapes are kept.
FUNCTION(OfKinds) first_shapes(CONTEXT int cloth) {
  OfKinds first;
  first.spheres = int(CLOTH(cloth).settings.spheres);
  first.capsules = int(CLOTH(cloth).settings.capsules);
  first.planes = int(CLOTH(cloth).settings.planes);
  first.convexes = int(CLOTH(cloth).settings.convexes);
  first.ellipsoids = int(CLOTH(cloth).settings.ellipsoids);
  first.boxes = int(CLOTH(cloth).settings.boxes);
  first.bodies = int(CLOTH(cloth).settings.bodies);
  first.fields = int(CLOTH(cloth).settings.fields);
  return first;
}

// Where those of the next set are kept.
FUNCTION(OfKinds) next_shapes(VALUE(OfKinds) first, VALUE(OfKinds) counts) {
  OfKinds next;
  next.spheres = first.spheres + int(sphere_words) * counts.spheres;
  next.capsules = first.capsules + int(capsule_words) * counts.capsules;
  next.planes = first.planes + int(plane_words) * counts.planes;
  next.convexes = first.convexes + int(convex_words) * counts.convexes;
  next.ellipsoids = first.ellipsoids + int(posed_words) * counts.ellipsoids;
  next.boxes = first.boxes + int(posed_words) * counts.boxes;
  next.bodies = first.bodies + int(posed_words) * counts.bodies;
  next.fields = first.fields + int(posed_words) * counts.fields;
  return next;
}

// Ellipsoid, box, body or field k of the set, counted in this order. places: of the vertices of its triangles, or 0.
FUNCTION(void)
place_with_pose(CONTEXT VALUE(Passage) into, int set, int k, VALUE(OfKinds) counts, VALUE(OfKinds) first, int places) {
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
    place_posed(PASS into, starts, targets, item, to);
    return;
  }
  item = item - counts.ellipsoids - counts.boxes;
  int to = first.bodies + int(posed_words) * item;
  if (counts.bodies <= item) to = first.fields + int(posed_words) * (item - counts.bodies);
  if (TABLE_INT(set + int(collider_tree)) != 0) {
    if (item == 0) {
      place_triangles(PASS into, set, places, to);
      return;
    }
    item = item - 1;
  }
  place_instance(PASS into, set, item, to);
}

// Shape k of the set, counted by kinds.
FUNCTION(void)
place_shape(CONTEXT VALUE(Passage) into, int set, int k, VALUE(OfKinds) counts, VALUE(OfKinds) first, int places) {
  int item = k;
  if (item < counts.spheres) {
    place_sphere(PASS into, set, item, first.capsules, first.spheres + int(sphere_words) * item);
    return;
  }
  item = item - counts.spheres;
  if (item < counts.capsules) {
    place_capsule(PASS into, set, item, first.capsules + int(capsule_words) * item);
    return;
  }
  item = item - counts.capsules;
  if (item < counts.planes) {
    place_plane(PASS into, set, item, first.planes + int(plane_words) * item);
    return;
  }
  item = item - counts.planes;
  if (item < counts.convexes) {
    int ends = TABLE_INT(set + int(collider_convex_ends));
    int begin = 0;
    if (0 < item) begin = TABLE_INT(ends + item - 1);
    int to = first.convexes + int(convex_words) * item;
    place_convex(PASS into, set, begin, TABLE_INT(ends + item), first.planes, to);
    return;
  }
  place_with_pose(PASS into, set, item - counts.convexes, counts, first, places);
}

// Item i of the shapes of all sets: of each set its spheres, capsules, planes, convexes, ellipsoids, boxes, bodies and fields.
KERNEL(place_shapes) {
  int cloth = OWN_CLOTH;
  int item = i;
  OfKinds first = first_shapes(PASS cloth);
  int places = int(CLOTH(cloth).settings.vertex_places);
  for (int s = 0; s < int(CLOTH(cloth).settings.collider_count); ++s) {
    int set = TABLE_INT(int(CLOTH(cloth).settings.collider_table) + s);
    OfKinds counts = shape_counts(PASS set);
    int all = counts.spheres + counts.capsules + counts.planes + counts.convexes + counts.ellipsoids + counts.boxes +
              counts.bodies + counts.fields;
    if (item < all) {
      // What stands still has been placed in the first iteration.
      if (0u < CLOTH(cloth).step.iteration && !is_in_motion(PASS cloth, set)) return;
      place_shape(PASS passage_of(PASS cloth, set), set, item, counts, first, places);
      return;
    }
    item = item - all;
    int tree = TABLE_INT(set + int(collider_tree));
    if (places != 0 && tree != 0) places = places + TABLE_INT(tree + int(tree_vertex_words));
    first = next_shapes(first, counts);
  }
}
