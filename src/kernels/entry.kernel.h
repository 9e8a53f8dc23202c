// entry.kernel.h - the box around a cloth among those of all cloths that collide with others, a lane per cloth, in scalar code.

// Its points, half its thickness further.
KERNEL(enter_cloth) {
  int root = int(CLOTH(i).settings.points + point_words * CLOTH(i).settings.point_stride);
  int entry = int(CLOTH(i).settings.inter_entry);
  int node = first_node(int(CLOTH(i).settings.inter_levels) - 1) + entry / int(node_children);
  int to = int(CLOTH(i).settings.inter_nodes) + node * int(node_words) + entry % int(node_children);
  real half_thickness = 0.5f * CLOTH(i).settings.inter_distance;
  for (int axis = 0; axis < 3; ++axis) {
    real low = CLOTHC_NOWHERE;
    real high = -CLOTHC_NOWHERE;
    for (int child = 0; child < int(node_children); ++child) {
      low = minimum(low, TABLE_REAL(root + 16 * axis + child));
      high = maximum(high, TABLE_REAL(root + 48 + 16 * axis + child));
    }
    real least = low - half_thickness;
    real greatest = high + half_thickness;
    STORE_TABLE_REAL(to + 16 * axis, least);
    STORE_TABLE_REAL(to + 48 + 16 * axis, greatest);
  }
}
