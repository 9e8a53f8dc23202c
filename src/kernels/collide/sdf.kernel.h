// sdf.kernel.h - signed distance fields push particles out. A field is a grid of distances to a surface, negative
// inside, interpolated between its nodes. A particle below the margin leaves along the gradient. With continuous
// collision it goes no deeper than the point where its path through the iteration first meets the surface, and slides
// on from there. Outside of its grid a field has no effect.
// Source: Flex manual, "Signed Distance Fields"; Hart 1996, "Sphere Tracing" (steps along the path).

// Steps along a path are at least these parts of a cell and of the path, so their number is bounded.
#define CLOTHC_FIELD_CELL_PART 0.5f
#define CLOTHC_FIELD_WAY_PART 0.03125f

// A particle that begins an iteration less deep than this part of a cell counts as coming from outside: particles at
// rest are inside by rounding.
#define CLOTHC_FIELD_SKIN 0.1f

struct SdfSample {
  // Distance from the surface.
  real value;
  // Gradient, per cell.
  real3 gradient;
  // Distance of the sample point from the grid. Outside of the grid, value and gradient are those of its closest point.
  real gap;
};

FUNCTION(real) sdf_value(CONTEXT int values, VALUE(inum) node) { return GATHER_REAL(tables, values, node); }

FUNCTION(SdfSample) sample_sdf(CONTEXT int field, VALUE(real3) p) {
  real inverse = TABLE_REAL(field + int(sdf_inverse));
  int columns = TABLE_INT(field + int(sdf_counts));
  int rows = TABLE_INT(field + int(sdf_counts) + 1);
  int layers = TABLE_INT(field + int(sdf_counts) + 2);
  real3 nothing = make3(R(0.0f), R(0.0f), R(0.0f));
  real3 u = (p - vector_at(PASS field + int(sdf_origin))) * inverse;
  real3 last = make3(to_real(I(columns - 1)), to_real(I(rows - 1)), to_real(I(layers - 1)));
  real3 v = lower_of(upper_of(u, nothing), last);
  real3 beyond = u - v;
  inum x = clamp_int(to_int(v.x), I(0), I(columns - 2));
  inum y = clamp_int(to_int(v.y), I(0), I(rows - 2));
  inum z = clamp_int(to_int(v.z), I(0), I(layers - 2));
  real3 t = v - make3(to_real(x), to_real(y), to_real(z));
  inum node = (z * I(rows) + y) * I(columns) + x;
  inum above = node + I(columns * rows);
  int values = TABLE_INT(field + int(sdf_values));
  real a = sdf_value(PASS values, node);
  real b = sdf_value(PASS values, node + I(1));
  real c = sdf_value(PASS values, node + I(columns));
  real d = sdf_value(PASS values, node + I(columns + 1));
  real e = sdf_value(PASS values, above);
  real f = sdf_value(PASS values, above + I(1));
  real g = sdf_value(PASS values, above + I(columns));
  real h = sdf_value(PASS values, above + I(columns + 1));
  // Interpolates along x on four edges, then along y on two faces, then along z.
  real ab = a + (b - a) * t.x;
  real cd = c + (d - c) * t.x;
  real ef = e + (f - e) * t.x;
  real gh = g + (h - g) * t.x;
  real low = ab + (cd - ab) * t.y;
  real high = ef + (gh - ef) * t.y;
  real low_slope = (b - a) + ((d - c) - (b - a)) * t.y;
  real high_slope = (f - e) + ((h - g) - (f - e)) * t.y;
  SdfSample found;
  found.value = low + (high - low) * t.z;
  found.gradient =
      make3(low_slope + (high_slope - low_slope) * t.z, (cd - ab) + ((gh - ef) - (cd - ab)) * t.z, high - low);
  found.gap = square_root(dot3(beyond, beyond)) * TABLE_REAL(field + int(sdf_spacing));
  return found;
}

FUNCTION(real3) normal_of(VALUE(SdfSample) found) {
  return found.gradient * divide(R(1.0f), square_root(dot3(found.gradient, found.gradient) + CLOTHC_SMALLEST));
}

// A lower bound on the distance from the surface; outside of the grid, on the distance from the grid.
FUNCTION(real) least_distance(VALUE(SdfSample) found) {
  return select(R(0.0f) < found.gap, maximum(found.value - found.gap, found.gap), found.value);
}

// Where a particle that moves from y to x may go: x itself if it meets nothing.
FUNCTION(real3) sweep_sdf(CONTEXT int field, VALUE(real3) x, VALUE(real3) y, VALUE(real) margin) {
  real spacing = TABLE_REAL(field + int(sdf_spacing));
  real3 way = x - y;
  real length = square_root(dot3(way, way));
  real step = maximum(spacing * R(CLOTHC_FIELD_CELL_PART), length * R(CLOTHC_FIELD_WAY_PART));
  real inverse = divide(R(1.0f), length + CLOTHC_SMALLEST);
  SdfSample begin = sample_sdf(PASS field, y);
  real distance = least_distance(begin) - margin;
  mask comes_from_outside = mask_and(spacing * R(0.0f - CLOTHC_FIELD_SKIN) < distance, R(CLOTHC_SMALLEST) < length);
  real travelled = maximum(distance, R(0.0f));
  mask seeks = mask_and(comes_from_outside, mask_and(R(0.0f) < distance, travelled < length));
  mask hit = mask_and(comes_from_outside, distance <= R(0.0f));
  real3 met = y;
  WHILE_ANY(seeks) {
    real3 point = y + way * (travelled * inverse);
    SdfSample there = sample_sdf(PASS field, point);
    real distance_there = least_distance(there) - margin;
    mask arrives = mask_and(seeks, distance_there <= R(0.0f));
    met = select3(arrives, point, met);
    hit = mask_or(hit, arrives);
    travelled = travelled + maximum(distance_there, step);
    seeks = mask_and(mask_and(seeks, mask_not(arrives)), travelled < length);
  }
  real3 z = x;
  IF_ANY(hit) {
    SdfSample there = sample_sdf(PASS field, met);
    real3 normal = normal_of(there);
    real fall = dot3(x - met, normal);
    real depth = maximum(margin - there.value, R(0.0f));
    z = select3(mask_and(hit, fall < R(0.0f)), x + normal * (depth - fall), x);
  }
  return z;
}

FUNCTION_APART(Contacts)
add_sdf_contact(CONTEXT VALUE(Contacts) contacts, int k, VALUE(real3) x, VALUE(real3) before) {
  int field = TABLE_INT(k + int(posed_asset));
  real inverse_scale = TABLE_REAL(k + int(posed_inverse));
  real margin = SETTING(contact_margin) * inverse_scale;
  real3 p = into_shape(PASS k, x) * inverse_scale;
  real3 q = p;
  mask moved = R(1.0f) < R(0.0f);
  if (HAS_COLLISION(collision_continuous)) {
    real3 p_before = into_shape(PASS k + int(posed_before), before);
    p_before = p_before * TABLE_REAL(k + int(posed_before) + int(posed_inverse));
    q = sweep_sdf(PASS field, p, p_before, margin);
    real3 way = q - p;
    moved = R(0.0f) < dot3(way, way);
  }
  SdfSample found = sample_sdf(PASS field, q);
  mask inside = mask_and(found.gap <= R(0.0f), found.value < margin);
  moved = mask_or(moved, inside);
  Contacts sum = contacts;
  IF_ANY(moved) {
    real3 normal = normal_of(found);
    q = select3(inside, q + normal * (margin - found.value), q);
    real3 motion =
        x - out_of_shape(PASS k + int(posed_before), p * TABLE_REAL(k + int(posed_before) + int(posed_scale)));
    real3 displacement = along_shape(PASS k, (q - p) * TABLE_REAL(k + int(posed_scale)));
    sum = add_contact(sum, moved, displacement, motion);
  }
  return sum;
}

KERNEL(collide_sdfs) {
  real4 p = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
  real3 before = XYZ(LOAD4(particles, FRAME(previous) + SETTING_INT(first_particle), i));
  Contacts contacts = no_contacts();
  for (int k = 0; k < SETTING_INT(sdf_count); ++k) {
    contacts = add_sdf_contact(PASS contacts, SETTING_INT(sdfs) + int(posed_words) * k, XYZ(p), before);
  }
  leave_contacts(PASS i, contacts, XYZ(p), p);
}
