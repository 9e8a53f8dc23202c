// cloth_bvh.kernel.h - the BVH over the cloths that collide with each other, in scalar code: one lane per leaf of the
// last level, or per box of another level. The argument is the header of the BVH, for the level of the boxes. The
// leaves follow a curve through the world, so that cloths that are neighbours in this order are close together wherever
// they have moved. Results are correct in any order, but sums differ in their last bits, so the order depends on the
// state alone. Source: Morton 1966, A Computer Oriented Geodetic Data Base; Lauterbach et al. 2009, Fast BVH
// Construction on GPUs.

// The ten lowest bits of a number, with two zero bits between any two of them.
FUNCTION(inum) spread_bits(VALUE(inum) number) {
  inum bits = number & I(1023);
  bits = (bits | (bits << 16)) & I(0x030000ff);
  bits = (bits | ((bits & I(255)) << 8)) & I(0x0300f00f);
  bits = (bits | (bits << 4)) & I(0x030c30c3);
  return (bits | (bits << 2)) & I(0x09249249);
}

#define CLOTH_BVH(word) TABLE_INT(ARGUMENT + int(word))

// The spread number of the cell that a coordinate is in. Numbers repeat after 1024 cells.
FUNCTION(inum) cell_of(CONTEXT VALUE(real) coordinate) {
  real cell = coordinate * TABLE_REAL(ARGUMENT + int(cloth_bvh_cells)) + R(524288.0f);
  inum number = to_int(maximum(R(0.0f), minimum(cell, R(1048575.0f))));
  return spread_bits(number);
}

// For each cloth, in the order in which the cloths were added: its slot, and its number along the curve, for where its
// first particle is at the begin of the update, with the frame at its target. Core sorts the slots by these numbers.
KERNEL(make_cloth_keys) {
  int cloth = TABLE_INT(CLOTH_BVH(cloth_bvh_cloths) + i);
  int first = TABLE_INT(CLOTH_BVH(cloth_bvh_cloths));
  real4 first_particle = LOAD4(particles, FRAME(position) + int(GROUP_SETTING(cloth, first_particle)), 0);
  real4 rotation =
      make4(CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, target_rotation), GROUP_FRAME(cloth, target_rotation_w));
  real3 translation = CLOTHC_LOAD_VECTOR(GROUP_FRAME, cloth, target) - CLOTHC_LOAD_VECTOR(GROUP_FRAME, first, target);
  real3 place = turned(XYZ(first_particle), rotation, R(1.0f)) + translation;
  place = select3(is_bounded3(place), place, make3(R(0.0f), R(0.0f), R(0.0f)));
  inum cell_x = cell_of(PASS place.x);
  inum cell_y = cell_of(PASS place.y);
  inum cell_z = cell_of(PASS place.z);
  STORE_BITS(tables, CLOTH_BVH(cloth_bvh_keys), i, to_unsigned(cell_x | (cell_y << 1) | (cell_z << 2)));
  STORE_BITS(tables, CLOTH_BVH(cloth_bvh_order), i, uint(cloth));
}

// The box around the collision particles of leaf i's cloth, enlarged by half of the cloth's thickness.
KERNEL(refit_cloth_leaves) {
  int cloth = TABLE_INT(CLOTH_BVH(cloth_bvh_order) + i);
  int root = int(GROUP_SETTING(cloth, collision_particles) +
                 collision_particle_words * GROUP_SETTING(cloth, collision_particle_stride));
  int node = first_node(CLOTH_BVH(cloth_bvh_levels) - 1) + i / int(node_children);
  int to = CLOTH_BVH(cloth_bvh_nodes) + node * int(node_words) + i % int(node_children);
  real half_thickness = 0.5f * GROUP_SETTING(cloth, inter_collision_distance);
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

KERNEL(refit_cloth_bvh) {
  int nodes = CLOTH_BVH(cloth_bvh_nodes);
  int level = CLOTH_BVH(cloth_bvh_level);
  int count = boxes_in_level(CLOTH_BVH(cloth_bvh_count), CLOTH_BVH(cloth_bvh_levels), level);
  Boxes boxes = boxes_around_nodes(PASS nodes, level, count, i);
  store_boxes(PASS nodes, level, i, boxes);
}

#undef CLOTH_BVH
