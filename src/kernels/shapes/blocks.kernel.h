// blocks.kernel.h - bounding boxes of blocks of spheres and capsules, so that a particle that is far from a block need
// not be tested against each of its shapes. They are computed once per update and cloth, one lane per block, in scalar
// code.

// The box around spheres [begin, end) of all sets, or around the spheres of capsules [begin, end), over the whole
// update.
FUNCTION(void)
refit_block(CONTEXT VALUE(int) cloth, VALUE(bool) of_capsules, VALUE(int) begin, VALUE(int) end, VALUE(int) to) {
  real3 low = make3(3e38f, 3e38f, 3e38f);
  real3 high = make3(-3e38f, -3e38f, -3e38f);
  // Index of the set's first sphere or capsule among those of all sets.
  int first = 0;
  for (int set_number = 0; set_number < int(GROUP_SETTING(cloth, collider_count)); ++set_number) {
    int set = TABLE_INT(int(GROUP_SETTING(cloth, collider_table)) + set_number);
    FrameTransform into = frame_transform_of(PASS cloth, set);
    int count = TABLE_INT(set + int(of_capsules ? collider_capsule_count : collider_sphere_count));
    for (int k = begin; k < end; ++k) {
      if (k < first || first + count <= k) continue;
      for (int side = 0; side < 2; ++side) {
        int sphere = k - first;
        if (of_capsules) sphere = TABLE_INT(TABLE_INT(set + int(collider_capsules)) + 2 * sphere + side);
        SpherePath path = sphere_path(PASS into, set, sphere);
        real radius = maximum(path.start.w, path.target.w);
        low.x = minimum(low.x, minimum(path.start.x, path.target.x) - radius);
        low.y = minimum(low.y, minimum(path.start.y, path.target.y) - radius);
        low.z = minimum(low.z, minimum(path.start.z, path.target.z) - radius);
        high.x = maximum(high.x, maximum(path.start.x, path.target.x) + radius);
        high.y = maximum(high.y, maximum(path.start.y, path.target.y) + radius);
        high.z = maximum(high.z, maximum(path.start.z, path.target.z) + radius);
      }
    }
    first = first + count;
  }
  // Allows for rounding of the path and of the distance to a surface.
  real3 slack = make3((absolute(low.x) + absolute(high.x)) * 1e-5f, (absolute(low.y) + absolute(high.y)) * 1e-5f,
                      (absolute(low.z) + absolute(high.z)) * 1e-5f);
  low = low - slack;
  high = high + slack;
  store_vector(PASS to, low);
  store_vector(PASS to + 3, high);
}

// Items are the blocks of spheres, followed by the blocks of capsules.
KERNEL(refit_shape_blocks) {
  int cloth = OWN_GROUP;
  int per_block = int(shapes_per_block);
  int sphere_block_count = (int(GROUP_SETTING(cloth, sphere_count)) + per_block - 1) / per_block;
  bool of_capsules = sphere_block_count <= i;
  int block = i;
  int to = int(GROUP_SETTING(cloth, sphere_blocks));
  if (of_capsules) {
    block = i - sphere_block_count;
    to = int(GROUP_SETTING(cloth, capsule_blocks));
  }
  refit_block(PASS cloth, of_capsules, block * per_block, block * per_block + per_block, to + int(block_words) * block);
}
