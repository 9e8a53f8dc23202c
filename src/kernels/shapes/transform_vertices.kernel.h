// transform_vertices.kernel.h - positions of the vertices of collider sets' triangles in this iteration. They are
// computed once where many particles use each of them; otherwise none are stored, and each particle computes its own
// (nearest.kernel.h).

// One lane per word of the vertices' rows, set after set. Vertices that stand still are read from their targets
// instead.
KERNEL(transform_vertices) {
  int word = i;
  for (int set_number = 0; set_number < SETTING_INT(collider_count); ++set_number) {
    int bvh = TABLE_INT(TABLE_INT(SETTING_INT(collider_table) + set_number) + int(collider_bvh));
    int words = 0;
    if (bvh != 0) words = TABLE_INT(bvh + int(bvh_vertex_words));
    if (0 <= word && word < words) {
      int start = TABLE_INT(bvh + int(bvh_starts));
      int target = TABLE_INT(bvh + int(bvh_targets));
      if (start != target) {
        real coordinate = LOAD_REAL(tables, start, word);
        coordinate = interpolate(coordinate, LOAD_REAL(tables, target, word), STEP(time));
        STORE_REAL(tables, SETTING_INT(transformed_vertices), i, coordinate);
      }
    }
    word = word - words;
  }
}
