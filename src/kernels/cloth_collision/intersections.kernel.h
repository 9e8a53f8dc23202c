// intersections.kernel.h - counts the edges of a cloth that go through its triangles, when a program asks for it. Each
// edge counts the triangles that it goes through, each triangle the edges that go through it, and each particle takes
// the sum over its edges and triangles.
// Source: Baraff, Witkin and Kass 2003, Untangling Cloth (why intersections of edges and triangles tell that cloth is
// tangled); Segura and Feito 2001, Algorithms to Test Ray-Triangle Intersection (signed volumes).
//
// Two primitives that share a particle do not intersect, and neither do those that only touch: an edge goes through a
// triangle where no rounding, of its computation or of positions, can be why. No value that affects a result comes near
// the denormal numbers: see surface.kernel.h.

// The corners of an edge or triangle. Those of an edge are the first two.
struct Primitive {
  inum first;
  inum second;
  inum third;
  real3 a;
  real3 b;
  real3 c;
};

FUNCTION(Primitive) load_primitive(CONTEXT VALUE(int) set, VALUE(inum) item) {
  int header = primitives_of(PASS set);
  Primitive loaded;
  loaded.first = primitive_particle(PASS header, 0, item);
  loaded.second = primitive_particle(PASS header, 1, item);
  loaded.third = loaded.second;
  if (set == triangle_primitives) loaded.third = primitive_particle(PASS header, 2, item);
  loaded.a = primitive_position(PASS loaded.first);
  loaded.b = primitive_position(PASS loaded.second);
  loaded.c = primitive_position(PASS loaded.third);
  return loaded;
}

FUNCTION(mask) has_corner(VALUE(Primitive) primitive, VALUE(inum) particle) {
  return mask_or(mask_or(primitive.first == particle, primitive.second == particle), primitive.third == particle);
}

// The largest magnitude of the coordinates of a vector.
FUNCTION(real) largest_of(VALUE(real3) v) {
  real3 sizes = absolute3(v);
  return maximum(sizes.x, maximum(sizes.y, sizes.z));
}

// Six times the signed volume of the tetrahedron that three vectors span, or 0 where its sign is not certain because c
// may be wrong by `wrong`.
FUNCTION(real) volume_of(VALUE(real3) a, VALUE(real3) b, VALUE(real3) c, VALUE(real) wrong) {
  real3 across = flush_tiny3(cross3(a, b));
  real volume = dot3(across, c);
  real rounding = largest_of(a) * largest_of(b) * wrong;
  return select(absolute(volume) <= rounding, R(0.0f), volume);
}

// With coordinates of a, b and c up to A, B and C, rounding makes the volume wrong by at most 46 x 2^-24 A B C. So c counts
// as wrong by this part of C, which is 48 x 2^-24. Derived in docs/log/2026-11-30-lockstep.md.
#define CLOTHC_VOLUME_ROUNDING 2.8610229e-6f
// Positions are rounded to 2^-24 of their size. Where those of four particles in a plane are, the plane through three of
// them misses the fourth by a few times as much.
#define CLOTHC_PLANE_ROUNDING 4.7683716e-7f

// Whether an edge goes through a triangle: its ends are on different sides of the plane, and its line passes all three
// sides of the triangle on the same side.
FUNCTION(mask) goes_through(VALUE(Primitive) edge, VALUE(Primitive) triangle) {
  real3 a = flush_tiny3(triangle.a - edge.a);
  real3 b = flush_tiny3(triangle.b - edge.a);
  real3 c = flush_tiny3(triangle.c - edge.a);
  real3 along = flush_tiny3(edge.b - edge.a);
  real zero = R(0.0f);
  real wrong = largest_of(along) * R(CLOTHC_VOLUME_ROUNDING);
  real first = volume_of(a, b, along, wrong);
  real second = volume_of(b, c, along, wrong);
  real third = volume_of(c, a, along, wrong);
  mask left = mask_and(mask_and(zero < first, zero < second), zero < third);
  mask right = mask_and(mask_and(first < zero, second < zero), third < zero);
  // The volumes between the triangle and the two ends of the edge.
  real3 ab = flush_tiny3(triangle.b - triangle.a);
  real3 ac = flush_tiny3(triangle.c - triangle.a);
  real3 to_end = flush_tiny3(triangle.a - edge.b);
  real farthest = maximum(maximum(largest_of(edge.a), largest_of(edge.b)),
                          maximum(largest_of(triangle.a), maximum(largest_of(triangle.b), largest_of(triangle.c))));
  real of_plane = farthest * R(CLOTHC_PLANE_ROUNDING);
  real begin = volume_of(ab, ac, a, maximum(largest_of(a) * R(CLOTHC_VOLUME_ROUNDING), of_plane));
  real end = volume_of(ab, ac, to_end, maximum(largest_of(to_end) * R(CLOTHC_VOLUME_ROUNDING), of_plane));
  mask crosses = mask_or(mask_and(begin < zero, zero < end), mask_and(end < zero, zero < begin));
  return mask_and(crosses, mask_or(left, right));
}

// Where an item of a BVH overlaps the boxes of the lanes. Lanes walk together, so they come by the items of each other.
FUNCTION(mask) overlaps_item(CONTEXT VALUE(Bvh) bvh, VALUE(int) item, VALUE(Boxes) boxes) {
  int least = bvh.least + item;
  int greatest = bvh.greatest + item;
  real3 low = make3(TABLE_REAL(least), TABLE_REAL(least + bvh.stride), TABLE_REAL(least + 2 * bvh.stride));
  real3 high = make3(TABLE_REAL(greatest), TABLE_REAL(greatest + bvh.stride), TABLE_REAL(greatest + 2 * bvh.stride));
  return mask_and(is_within3(low, boxes.high), is_within3(boxes.low, high));
}

// The argument is the set whose primitives count those of the other one.
KERNEL(count_intersections) {
  int header = primitives_of(PASS ARGUMENT);
  int other_set = 1 - ARGUMENT;
  Bvh own = bvh_of_primitives(PASS header);
  Bvh bvh = bvh_of_primitives(PASS primitives_of(PASS other_set));
  Boxes boxes;
  boxes.low = make3(LOAD_REAL(tables, own.least, i), LOAD_REAL(tables, own.least + own.stride, i),
                    LOAD_REAL(tables, own.least + 2 * own.stride, i));
  boxes.high = make3(LOAD_REAL(tables, own.greatest, i), LOAD_REAL(tables, own.greatest + own.stride, i),
                     LOAD_REAL(tables, own.greatest + 2 * own.stride, i));
  mask exists = boxes.low.x < R(CLOTHC_NOWHERE);
  Primitive primitive = load_primitive(PASS ARGUMENT, LANES(i));
  Boxes search_box = box_around_lanes(boxes);
  inum count = I(0);
  BvhWalk visit = begin_walk(bvh);
  while (0 <= visit.level) {
    if (visit.items != 0) {
      int item = next_item(visit);
      Primitive other = load_primitive(PASS other_set, I(item));
      Primitive edge = primitive;
      Primitive triangle = other;
      if (other_set == edge_primitives) {
        edge = other;
        triangle = primitive;
      }
      mask shares = mask_or(has_corner(triangle, edge.first), has_corner(triangle, edge.second));
      mask near = mask_and(exists, overlaps_item(PASS bvh, item, boxes));
      mask intersects = mask_and(mask_and(near, mask_not(shares)), goes_through(edge, triangle));
      count = count + select_int(intersects, I(1), I(0));
    } else {
      step_through_tree(PASS visit, bvh, search_box);
    }
  }
  int numbers = TABLE_INT(header + int(primitive_numbers));
  inum number = LANES(i);
  if (numbers != 0) number = LOAD_INT(topology, numbers, i);
  mask all = R(0.0f) <= R(0.0f);
  SCATTER_INT(tables, TABLE_INT(header + int(primitive_intersections)), number, count, all);
}

// The intersections that the edges and triangles of a particle have a part in. Programs read the first word.
KERNEL(read_channel_intersections) {
  inum particle = storage_index_of_item(PASS i);
  inum sum = I(0);
  if (SETTING_INT(primitives) != 0) {
    for (int set = 0; set < primitive_sets; ++set) {
      int header = primitives_of(PASS set);
      int fans = TABLE_INT(header + int(primitive_fans));
      inum index = fan_begin(PASS fans, particle);
      inum end = fan_end(PASS fans, particle);
      WHILE_ANY(index < end) {
        inum item = fan_item(PASS fans, index, end, TABLE_INT(header + int(primitive_stride)) - 1);
        sum = sum + GATHER_INT(tables, TABLE_INT(header + int(primitive_intersections)), item);
        index = index + I(16);
      }
    }
  }
  write_exchange(PASS i, make3(as_real(sum), R(0.0f), R(0.0f)), R(0.0f));
}
