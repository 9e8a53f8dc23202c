// surface.kernel.h - normals and tangents, computed when a program reads them, from the fans of cook/layout/fans.h.
// The fans begin with one offset per slice of 16 items; the triangles of one item are 16 words apart.
//
// The normal is the normalised sum of (p1 - p0) x (p2 - p0) over the particle's triangles, which weights them by area.
// The tangent is the sum of the triangles' tangents w1 (p1 - p0) + w2 (p2 - p0), made perpendicular to the normal and
// normalised.
// Source: Gouraud 1971, Continuous Shading of Curved Surfaces; Max 1999, Weights for Computing Vertex Normals from
// Facet Normals; Lengyel 2001, Computing Tangent Space Basis Vectors for an Arbitrary Mesh.
//
// No value that affects a result comes near the denormal numbers, which devices treat differently: factors are 0 or at
// least 2^-51, so products and all their sums are multiples of 2^-125.

FUNCTION(real) largest_component(VALUE(real3) v) {
  return maximum(maximum(absolute(v.x), absolute(v.y)), absolute(v.z));
}

// Whether the vector is finite and long enough to have a direction.
FUNCTION(mask) has_direction(VALUE(real3) v) {
  mask finite = mask_and(mask_and(absolute(v.x) <= R(3e38f), absolute(v.y) <= R(3e38f)), absolute(v.z) <= R(3e38f));
  return mask_and(finite, R(CLOTHC_SMALLEST) <= largest_component(v));
}

// v / |v|, or zero where v has no direction. It divides by the largest component first, since squares could overflow.
FUNCTION(real3) direction_of(VALUE(real3) v) {
  mask valid = has_direction(v);
  real3 safe = select3(valid, v, make3(R(1.0f), R(0.0f), R(0.0f)));
  real scale = largest_component(safe);
  real3 scaled = flush_tiny3(make3(divide(safe.x, scale), divide(safe.y, scale), divide(safe.z, scale)));
  real length = square_root(dot3(scaled, scaled));
  real3 unit = make3(divide(scaled.x, length), divide(scaled.y, length), divide(scaled.z, length));
  return select3(valid, unit, make3(R(0.0f), R(0.0f), R(0.0f)));
}

// The storage index of the particle of item i, which is a particle in mesh order or a vertex.
FUNCTION(inum) storage_index_of_item(CONTEXT VALUE(int) i) {
  int list = SETTING_INT(storage_order);
  if (HAS_ARGUMENT(read_vertices)) list = SETTING_INT(vertices);
  inum particle = LANES(i);
  if (list != 0) particle = LOAD_INT(topology, list, i);
  return particle;
}

// The triangles or edges of an item's fan are at begin, begin + 16, ... below end. Lanes that have passed the end get
// padding.
FUNCTION(inum) fan_begin(CONTEXT VALUE(int) fans, VALUE(inum) item) {
  return GATHER_INT(topology, fans, item >> 4) + (item & I(15));
}
FUNCTION(inum) fan_end(CONTEXT VALUE(int) fans, VALUE(inum) item) { return GATHER_INT(topology, fans + 1, item >> 4); }
FUNCTION(inum) fan_item(CONTEXT VALUE(int) fans, VALUE(inum) index, VALUE(inum) end, VALUE(int) padding) {
  mask inside = index < end;
  inum item = GATHER_INT(topology, fans, select_int(inside, index, I(0)));
  return select_int(inside, item, I(padding));
}
FUNCTION(inum) fan_triangle(CONTEXT VALUE(int) fans, VALUE(inum) index, VALUE(inum) end) {
  return fan_item(PASS fans, index, end, SETTING_INT(triangle_stride) - 1);
}

FUNCTION(real3) corner_position(CONTEXT VALUE(int) corner, VALUE(inum) triangle) {
  int list = SETTING_INT(triangle_corners) + corner * SETTING_INT(triangle_stride);
  inum particle = GATHER_INT(topology, list, triangle);
  real4 position = GATHER4(particles, FRAME(position) + SETTING_INT(first_particle), particle);
  return XYZ(position);
}

// The edge from corner 0, whose position is origin, to another corner.
FUNCTION(real3) edge_to(CONTEXT VALUE(int) corner, VALUE(inum) triangle, VALUE(real3) origin) {
  return flush_tiny3(corner_position(PASS corner, triangle) - origin);
}

FUNCTION(real3) normal_at(CONTEXT VALUE(inum) particle) {
  int fans = SETTING_INT(particle_fans);
  real3 sum = make3(R(0.0f), R(0.0f), R(0.0f));
  if (fans == 0) return sum;
  inum index = fan_begin(PASS fans, particle);
  inum end = fan_end(PASS fans, particle);
  WHILE_ANY(index < end) {
    inum triangle = fan_triangle(PASS fans, index, end);
    real3 origin = corner_position(PASS 0, triangle);
    sum = sum + cross3(edge_to(PASS 1, triangle, origin), edge_to(PASS 2, triangle, origin));
    index = index + I(16);
  }
  return direction_of(sum);
}

FUNCTION(real3) tangent_at(CONTEXT VALUE(int) fans, VALUE(inum) item, VALUE(real3) normal) {
  int weights = SETTING_INT(tangent_weights);
  real3 sum = make3(R(0.0f), R(0.0f), R(0.0f));
  inum index = fan_begin(PASS fans, item);
  inum end = fan_end(PASS fans, item);
  WHILE_ANY(index < end) {
    inum triangle = fan_triangle(PASS fans, index, end);
    real first = GATHER_REAL(topology, weights, triangle);
    real second = GATHER_REAL(topology, weights + SETTING_INT(triangle_stride), triangle);
    real3 origin = corner_position(PASS 0, triangle);
    sum = sum + (edge_to(PASS 1, triangle, origin) * first + edge_to(PASS 2, triangle, origin) * second);
    index = index + I(16);
  }
  real3 along = direction_of(sum);
  real3 perpendicular = along - normal * flush_tiny(dot3(along, normal));
  // A remainder this small of a tangent along the normal is only rounding.
  mask valid = R(1e-4f) <= largest_component(perpendicular);
  real3 zero = make3(R(0.0f), R(0.0f), R(0.0f));
  return direction_of(select3(valid, perpendicular, zero));
}

KERNEL(read_channel_normal) {
  inum particle = storage_index_of_item(PASS i);
  write_exchange(PASS i, turned_into_world(PASS normal_at(PASS particle)), R(0.0f));
}

// Tangents of vertices differ within a particle where its texture coordinates do. w is the sign in
// bitangent = w (normal x tangent).
KERNEL(read_channel_tangent) {
  inum item = storage_index_of_item(PASS i);
  real3 normal = normal_at(PASS item);
  int fans = SETTING_INT(particle_fans);
  int handedness = SETTING_INT(particle_handedness);
  if (HAS_ARGUMENT(read_vertices) && SETTING_INT(vertex_fans) != 0) {
    item = LANES(i);
    fans = SETTING_INT(vertex_fans);
    handedness = SETTING_INT(vertex_handedness);
  }
  real3 tangent = make3(R(0.0f), R(0.0f), R(0.0f));
  real w = R(0.0f);
  if (handedness != 0) {
    tangent = tangent_at(PASS fans, item, normal);
    mask valid = mask_and(R(0.0f) < largest_component(normal), R(0.0f) < largest_component(tangent));
    tangent = select3(valid, tangent, make3(R(0.0f), R(0.0f), R(0.0f)));
    w = select(valid, GATHER_REAL(topology, handedness, item), R(0.0f));
  }
  write_exchange(PASS i, turned_into_world(PASS tangent), w);
}
