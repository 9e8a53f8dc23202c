// transform_vertices.kernel.h - where the vertices of collider sets' triangles are in this iteration. What many
// particles look at is worked out once; where few do, none are stored, and each works out its own (nearest.kernel.h).

// A lane per word of the rows of all sets, one set behind another. Vertices that stand still are read where they are.
KERNEL(transform_vertices) {
  int word = i;
  for (int s = 0; s < SETTING_INT(collider_count); ++s) {
    int tree = TABLE_INT(TABLE_INT(SETTING_INT(collider_table) + s) + int(collider_bvh));
    int words = 0;
    if (tree != 0) words = TABLE_INT(tree + int(bvh_vertex_words));
    if (0 <= word && word < words) {
      int start = TABLE_INT(tree + int(bvh_starts));
      int target = TABLE_INT(tree + int(bvh_targets));
      if (start != target) {
        real x = LOAD_REAL(tables, start, word);
        x = interpolate(x, LOAD_REAL(tables, target, word), STEP(time));
        STORE_REAL(tables, SETTING_INT(transformed_vertices), i, x);
      }
    }
    word = word - words;
  }
}
