// transform_vertices.kernel.h - positions of the vertices of collider sets' triangles in this iteration. They are
// computed once where many particles use each of them; otherwise none are stored, and each particle computes its own
// (nearest.kernel.h).

// One lane per word of the vertices' rows, set after set. Vertices that stand still are read from their targets
// instead.
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
