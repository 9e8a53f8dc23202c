// probes.h - test kernels which show that the dialect supports features that the library does not use yet: neighbours
// in a hashed grid, traversal of a bounding volume hierarchy (BVH), and every function of transcendental.h. Include a
// dialect and math.h first.

// Writes exp2 x, log2 |y|, sin x and cos x to exchange, and atan2(y, x), x / y, sqrt |x| and |y|^z to velocity.
KERNEL(evaluate_functions) {
  real4 p = LOAD4(particles, FRAME(position), i);
  real magnitude = maximum(absolute(p.y), R(CLOTHC_SMALLEST));
  real logarithm = log2_of(magnitude);
  STORE4(particles, FRAME(exchange), i, make4(make3(exp2_of(p.x), logarithm, sin_of(p.x)), cos_of(p.x)));
  real3 others = make3(atan2_of(p.y, p.x), rough_reciprocal(magnitude), square_root(absolute(p.x)));
  STORE4(particles, FRAME(previous), i, make4(others, exp2_of(logarithm * p.z)));
}

// Writes x / y, z / w, sqrt |x| and sqrt |z| to velocity.
KERNEL(divide_and_root) {
  real4 p = LOAD4(particles, FRAME(position), i);
  real first_root = square_root(absolute(p.x));
  real second_root = square_root(absolute(p.z));
  STORE4(particles, FRAME(previous), i, make4(make3(divide(p.x, p.y), divide(p.z, p.w), first_root), second_root));
}

// ---- Words of a probe's parameters in the tables arena, starting at the kernel's argument. ----

// In the fabric arena: the index at which each bucket's particles begin, with one element more than there are buckets.
const uint grid_starts = 0u;
// In the fabric arena: the particles by bucket, in ascending order within each bucket.
const uint grid_particles = 1u;
// Number of buckets (a power of two) minus 1.
const uint grid_bucket_mask = 2u;
// In the tables arena: number of neighbours per particle.
const uint grid_result = 3u;
// In 1/m.
const uint grid_inverse_cell = 4u;
// In m, at most the size of a cell.
const uint grid_radius = 5u;

// In the fabric arena: nodes in depth-first order, eight words each.
const uint search_nodes = 0u;
const uint search_node_count = 1u;
// In the fabric arena: nine reals for each triangle.
const uint search_triangles = 2u;
// In the tables arena: the nearest triangle per particle.
const uint search_result = 3u;

struct Cell {
  inum x, y, z;
};

FUNCTION(inum) floor_of(VALUE(real) a) {
  inum whole = to_int(a);
  return whole - select_int(a < to_real(whole), I(1), I(0));
}

FUNCTION(Cell) cell_of(VALUE(real4) p, VALUE(real) inverse_cell) {
  Cell c;
  c.x = floor_of(p.x * inverse_cell);
  c.y = floor_of(p.y * inverse_cell);
  c.z = floor_of(p.z * inverse_cell);
  return c;
}

FUNCTION(mask) same_cell(VALUE(Cell) a, VALUE(Cell) b) {
  return mask_and(a.x == b.x, mask_and(a.y == b.y, a.z == b.z));
}

// Source: Teschner et al. 2003, Optimized Spatial Hashing for Collision Detection of Deformable Objects, section 4.1.
FUNCTION(inum) bucket_of(VALUE(Cell) c, int bucket_mask) {
  unum hash = (to_unsigned(c.x) * U(73856093u)) ^ (to_unsigned(c.y) * U(19349663u)) ^ (to_unsigned(c.z) * U(83492791u));
  return to_signed(hash & U(uint(bucket_mask)));
}

// Writes to exchange the sum of the corrections that would separate each pair of neighbours, and the number of pairs.
KERNEL(gather_neighbours) {
  int starts = TABLE_INT(ARGUMENT + int(grid_starts));
  int slots = TABLE_INT(ARGUMENT + int(grid_particles));
  int bucket_mask = TABLE_INT(ARGUMENT + int(grid_bucket_mask));
  real inverse_cell = TABLE_REAL(ARGUMENT + int(grid_inverse_cell));
  real radius = TABLE_REAL(ARGUMENT + int(grid_radius));
  real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
  real4 p = LOAD4(particles, FRAME(position), i);
  Cell own = cell_of(p, inverse_cell);
  real3 sum = none;
  inum neighbours = I(0);
  for (int step = 0; step < 27; ++step) {
    Cell cell;
    cell.x = own.x + I(step % 3 - 1);
    cell.y = own.y + I(step / 3 % 3 - 1);
    cell.z = own.z + I(step / 9 - 1);
    inum bucket = bucket_of(cell, bucket_mask);
    inum k = GATHER_INT(topology, starts, bucket);
    inum end = GATHER_INT(topology, starts + 1, bucket);
    WHILE_ANY(k < end) {
      mask going = k < end;
      inum other = GATHER_INT(topology, slots, select_int(going, k, I(0)));
      real4 q = GATHER4(particles, FRAME(position), other);
      real3 d = XYZ(p) - XYZ(q);
      real distance2 = dot3(d, d) + CLOTHC_EPSILON;
      mask overlaps = mask_and(distance2 < radius * radius, same_cell(cell_of(q, inverse_cell), cell));
      overlaps = mask_and(mask_and(going, overlaps), mask_not(other == LANES(i)));
      real distance = square_root(distance2);
      sum = sum + select3(overlaps, d * divide(R(0.5f) * (radius - distance), distance), none);
      neighbours = neighbours + select_int(overlaps, I(1), I(0));
      k = k + select_int(going, I(1), I(0));
    }
  }
  STORE4(particles, FRAME(exchange), i, make4(sum, to_real(neighbours)));
  STORE_BITS(tables, TABLE_INT(ARGUMENT + int(grid_result)), i, to_unsigned(neighbours));
}

FUNCTION(real) divide_or_zero(VALUE(real) a, VALUE(real) b) {
  mask nothing = absolute(b) < R(CLOTHC_SMALLEST);
  return select(nothing, R(0.0f), divide(a, select(nothing, R(1.0f), b)));
}

// Returns the point of a triangle that is closest to p. Source: Ericson 2005, Real-Time Collision Detection, section
// 5.1.5. The regions are tested in the opposite order here, so that the first region of the source that applies is
// selected last.
FUNCTION(real3) closest_on_triangle(VALUE(real3) p, VALUE(real3) a, VALUE(real3) b, VALUE(real3) c) {
  real zero = R(0.0f);
  real3 ab = b - a;
  real3 ac = c - a;
  real d1 = dot3(ab, p - a);
  real d2 = dot3(ac, p - a);
  real d3 = dot3(ab, p - b);
  real d4 = dot3(ac, p - b);
  real d5 = dot3(ab, p - c);
  real d6 = dot3(ac, p - c);
  real va = d3 * d6 - d5 * d4;
  real vb = d5 * d2 - d1 * d6;
  real vc = d1 * d4 - d3 * d2;
  real area = va + vb + vc;
  real3 x = a + ab * divide_or_zero(vb, area) + ac * divide_or_zero(vc, area);
  real along = d4 - d3;
  real against = d5 - d6;
  mask beside_bc = mask_and(va <= zero, mask_and(zero <= along, zero <= against));
  x = select3(beside_bc, b + (c - b) * divide_or_zero(along, along + against), x);
  mask beside_ac = mask_and(vb <= zero, mask_and(zero <= d2, d6 <= zero));
  x = select3(beside_ac, a + ac * divide_or_zero(d2, d2 - d6), x);
  x = select3(mask_and(zero <= d6, d5 <= d6), c, x);
  mask beside_ab = mask_and(vc <= zero, mask_and(zero <= d1, d3 <= zero));
  x = select3(beside_ab, a + ab * divide_or_zero(d1, d1 - d3), x);
  x = select3(mask_and(zero <= d3, d4 <= d3), b, x);
  return select3(mask_and(d1 <= zero, d2 <= zero), a, x);
}

FUNCTION(real3) fabric_vector(CONTEXT int offset, VALUE(inum) index) {
  return make3(GATHER_REAL(topology, offset, index), GATHER_REAL(topology, offset + 1, index),
               GATHER_REAL(topology, offset + 2, index));
}

// Returns the distance of x from the interval [low, high].
FUNCTION(real) outside(VALUE(real) x, VALUE(real) low, VALUE(real) high) {
  return maximum(maximum(low - x, x - high), R(0.0f));
}

// Writes to exchange the closest point on the triangles of a BVH and its squared distance. A node consists of its low
// corner, the index of the node that follows if this one is skipped, its high corner, and its triangle or -1. No stack
// is needed: each lane walks through the depth-first order and skips every node that is further away than its best
// point.
KERNEL(find_closest) {
  int nodes = TABLE_INT(ARGUMENT + int(search_nodes));
  int triangles = TABLE_INT(ARGUMENT + int(search_triangles));
  inum node_count = I(TABLE_INT(ARGUMENT + int(search_node_count)));
  real4 p = LOAD4(particles, FRAME(position), i);
  real3 closest = XYZ(p);
  real best = R(1e30f);
  inum nearest = I(-1);
  inum node = I(0);
  WHILE_ANY(node < node_count) {
    mask going = node < node_count;
    inum word = select_int(going, node, I(0)) << 3;
    real3 low = fabric_vector(PASS nodes, word);
    real3 high = fabric_vector(PASS nodes + 4, word);
    real3 gap = make3(outside(p.x, low.x, high.x), outside(p.y, low.y, high.y), outside(p.z, low.z, high.z));
    // The factor leaves a margin for rounding in the distances of triangles.
    mask visits = mask_and(going, dot3(gap, gap) * R(0.999f) <= best);
    inum triangle = GATHER_INT(topology, nodes + 7, word);
    mask tests = mask_and(visits, I(0) <= triangle);
    IF_ANY(tests) {
      inum corner = select_int(tests, triangle, I(0)) * I(9);
      real3 x =
          closest_on_triangle(XYZ(p), fabric_vector(PASS triangles, corner), fabric_vector(PASS triangles + 3, corner),
                              fabric_vector(PASS triangles + 6, corner));
      real3 d = x - XYZ(p);
      real distance2 = dot3(d, d);
      mask nearer = mask_and(tests, distance2 < best);
      best = select(nearer, distance2, best);
      nearest = select_int(nearer, triangle, nearest);
      closest = select3(nearer, x, closest);
    }
    inum next = select_int(visits, node + I(1), GATHER_INT(topology, nodes + 3, word));
    node = select_int(going, next, node);
  }
  STORE4(particles, FRAME(exchange), i, make4(closest, best));
  STORE_BITS(tables, TABLE_INT(ARGUMENT + int(search_result)), i, to_unsigned(nearest));
}
