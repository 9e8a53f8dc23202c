// primitives.kernel.h - the edges and the triangles of a cloth in BVHs (particles.kernel.h), which are refitted when
// they are needed. The argument of the kernels is a set of primitives.

// The header of a set of primitives.
FUNCTION(int) primitives_of(CONTEXT VALUE(int) set) { return SETTING_INT(primitives) + int(primitive_words) * set; }

FUNCTION(int) corner_count(VALUE(int) set) { return set == edge_primitives ? 2 : 3; }

// The particle at a corner of a primitive, and its position.
FUNCTION(inum) primitive_particle(CONTEXT VALUE(int) header, VALUE(int) corner, VALUE(inum) item) {
  int list = TABLE_INT(header + int(primitive_corners)) + corner * TABLE_INT(header + int(primitive_stride));
  return GATHER_INT(topology, list, item);
}

FUNCTION(real3) primitive_position(CONTEXT VALUE(inum) particle) {
  real4 position = GATHER4(particles, FRAME(position) + SETTING_INT(first_particle), particle);
  return XYZ(position);
}

// The box around each primitive. One that has a corner which is not finite is nowhere.
KERNEL(bound_primitives) {
  int header = primitives_of(PASS ARGUMENT);
  int stride = TABLE_INT(header + int(primitive_stride));
  mask exists = LANES(i) < I(TABLE_INT(header + int(primitive_count)));
  Boxes box;
  box.low = make3(R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE));
  box.high = make3(R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE), R(-CLOTHC_NOWHERE));
  for (int corner = 0; corner < corner_count(ARGUMENT); ++corner) {
    real3 position = primitive_position(PASS primitive_particle(PASS header, corner, LANES(i)));
    exists = mask_and(exists, is_bounded3(position));
    box.low = lower_of(box.low, position);
    box.high = upper_of(box.high, position);
  }
  real3 nowhere = make3(R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE));
  real3 low = select3(exists, box.low, nowhere);
  real3 high = select3(exists, box.high, nowhere);
  int boxes = TABLE_INT(header + int(primitive_boxes));
  STORE_REAL(tables, boxes, i, low.x);
  STORE_REAL(tables, boxes + stride, i, low.y);
  STORE_REAL(tables, boxes + 2 * stride, i, low.z);
  STORE_REAL(tables, boxes + 3 * stride, i, high.x);
  STORE_REAL(tables, boxes + 4 * stride, i, high.y);
  STORE_REAL(tables, boxes + 5 * stride, i, high.z);
}

FUNCTION(Bvh) bvh_of_primitives(CONTEXT VALUE(int) header) {
  Bvh bvh;
  bvh.stride = TABLE_INT(header + int(primitive_stride));
  bvh.least = TABLE_INT(header + int(primitive_boxes));
  bvh.greatest = bvh.least + 3 * bvh.stride;
  bvh.nodes = bvh.least + 6 * bvh.stride;
  bvh.levels = TABLE_INT(header + int(primitive_levels));
  bvh.has_blocks = true;
  return bvh;
}

KERNEL(refit_primitives) {
  Bvh bvh = bvh_of_primitives(PASS primitives_of(PASS ARGUMENT & ((1 << int(primitive_level_shift)) - 1)));
  refit_level(PASS bvh, ARGUMENT >> int(primitive_level_shift), i);
}
