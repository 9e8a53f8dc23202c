// sdf.kernel.h - signed distance fields push particles out. An SDF is a grid of distances to a surface, negative
// inside, interpolated between its nodes. A particle below the margin leaves along the gradient. With continuous
// collision it goes no deeper than the point where its path through the iteration first meets the surface, and slides
// on from there. Outside of its grid an SDF has no effect.
// Source: Flex manual, "Signed Distance Fields"; Hart 1996, "Sphere Tracing" (steps along the path).

// Steps along a path are at least these parts of a cell and of the path, so their number is bounded.
#define CLOTHC_SDF_CELL_PART 0.5f
#define CLOTHC_SDF_PATH_PART 0.03125f

// A particle that begins an iteration less deep than this part of a cell counts as coming from outside: particles at
// rest are inside by rounding.
#define CLOTHC_SDF_SKIN 0.1f

struct SdfSample {
  // Distance from the surface.
  real value;
  // Gradient, per cell.
  real3 gradient;
  // Distance of the sample point from the grid. Outside of the grid, value and gradient are those of its closest point.
  real gap;
};

FUNCTION(real) sdf_value(CONTEXT VALUE(int) values, VALUE(inum) node) { return GATHER_REAL(tables, values, node); }

FUNCTION(SdfSample) sample_sdf(CONTEXT VALUE(int) sdf, VALUE(real3) local) {
  real inverse = TABLE_REAL(sdf + int(sdf_inverse));
  int columns = TABLE_INT(sdf + int(sdf_counts));
  int rows = TABLE_INT(sdf + int(sdf_counts) + 1);
  int layers = TABLE_INT(sdf + int(sdf_counts) + 2);
  real3 nothing = make3(R(0.0f), R(0.0f), R(0.0f));
  real3 grid_position = (local - vector_at(PASS sdf + int(sdf_origin))) * inverse;
  real3 last = make3(to_real(I(columns - 1)), to_real(I(rows - 1)), to_real(I(layers - 1)));
  real3 grid_point = lower_of(upper_of(grid_position, nothing), last);
  real3 beyond = grid_position - grid_point;
  inum column = clamp_int(to_int(grid_point.x), I(0), I(columns - 2));
  inum row = clamp_int(to_int(grid_point.y), I(0), I(rows - 2));
  inum layer = clamp_int(to_int(grid_point.z), I(0), I(layers - 2));
  real3 part = grid_point - make3(to_real(column), to_real(row), to_real(layer));
  inum node = (layer * I(rows) + row) * I(columns) + column;
  inum above = node + I(columns * rows);
  int values = TABLE_INT(sdf + int(sdf_values));
  // Values at the eight nodes around the point; x varies fastest, then y, then z.
  real a = sdf_value(PASS values, node);
  real b = sdf_value(PASS values, node + I(1));
  real c = sdf_value(PASS values, node + I(columns));
  real d = sdf_value(PASS values, node + I(columns + 1));
  real e = sdf_value(PASS values, above);
  real f = sdf_value(PASS values, above + I(1));
  real g = sdf_value(PASS values, above + I(columns));
  real h = sdf_value(PASS values, above + I(columns + 1));
  // Interpolates along x on four edges, then along y on two faces, then along z.
  real ab = a + (b - a) * part.x;
  real cd = c + (d - c) * part.x;
  real ef = e + (f - e) * part.x;
  real gh = g + (h - g) * part.x;
  real low = ab + (cd - ab) * part.y;
  real high = ef + (gh - ef) * part.y;
  real low_slope = (b - a) + ((d - c) - (b - a)) * part.y;
  real high_slope = (f - e) + ((h - g) - (f - e)) * part.y;
  SdfSample found;
  found.value = low + (high - low) * part.z;
  found.gradient =
      make3(low_slope + (high_slope - low_slope) * part.z, (cd - ab) + ((gh - ef) - (cd - ab)) * part.z, high - low);
  found.gap = square_root(dot3(beyond, beyond)) * TABLE_REAL(sdf + int(sdf_spacing));
  return found;
}

FUNCTION(real3) normal_of(VALUE(SdfSample) found) {
  return found.gradient * divide(R(1.0f), square_root(dot3(found.gradient, found.gradient) + CLOTHC_SMALLEST));
}

// A lower bound on the distance from the surface; outside of the grid, on the distance from the grid.
FUNCTION(real) least_distance(VALUE(SdfSample) found) {
  return select(R(0.0f) < found.gap, maximum(found.value - found.gap, found.gap), found.value);
}

// Where a particle that moves from the previous position to the current one may go: to the current one if it meets
// nothing.
FUNCTION(real3) sweep_sdf(CONTEXT VALUE(int) sdf, VALUE(real3) position, VALUE(real3) previous, VALUE(real) margin) {
  real spacing = TABLE_REAL(sdf + int(sdf_spacing));
  real3 path = position - previous;
  real length = square_root(dot3(path, path));
  real step = maximum(spacing * R(CLOTHC_SDF_CELL_PART), length * R(CLOTHC_SDF_PATH_PART));
  real inverse = divide(R(1.0f), length + CLOTHC_SMALLEST);
  SdfSample begin = sample_sdf(PASS sdf, previous);
  real distance = least_distance(begin) - margin;
  mask comes_from_outside = mask_and(spacing * R(0.0f - CLOTHC_SDF_SKIN) < distance, R(CLOTHC_SMALLEST) < length);
  real travelled = maximum(distance, R(0.0f));
  mask marches = mask_and(comes_from_outside, mask_and(R(0.0f) < distance, travelled < length));
  mask hit = mask_and(comes_from_outside, distance <= R(0.0f));
  real3 hit_point = previous;
  WHILE_ANY(marches) {
    real3 point = previous + path * (travelled * inverse);
    SdfSample found = sample_sdf(PASS sdf, point);
    real distance_there = least_distance(found) - margin;
    mask arrives = mask_and(marches, distance_there <= R(0.0f));
    hit_point = select3(arrives, point, hit_point);
    hit = mask_or(hit, arrives);
    travelled = travelled + maximum(distance_there, step);
    marches = mask_and(mask_and(marches, mask_not(arrives)), travelled < length);
  }
  real3 next = position;
  IF_ANY(hit) {
    SdfSample found = sample_sdf(PASS sdf, hit_point);
    real3 normal = normal_of(found);
    real fall = dot3(position - hit_point, normal);
    real depth = maximum(margin - found.value, R(0.0f));
    next = select3(mask_and(hit, fall < R(0.0f)), position + normal * (depth - fall), position);
  }
  return next;
}

FUNCTION_APART(Contacts)
add_sdf_contact(CONTEXT VALUE(Contacts) contacts, VALUE(int) instance, VALUE(real3) position, VALUE(real3) before) {
  int sdf = TABLE_INT(instance + int(posed_asset));
  real inverse_scale = TABLE_REAL(instance + int(posed_inverse));
  real margin = SETTING(contact_margin) * inverse_scale;
  real3 local = into_shape(PASS instance, position) * inverse_scale;
  real3 next = local;
  mask moved = R(1.0f) < R(0.0f);
  if (HAS_COLLISION(collision_continuous)) {
    real3 local_before = into_shape(PASS instance + int(posed_before), before);
    local_before = local_before * TABLE_REAL(instance + int(posed_before) + int(posed_inverse));
    next = sweep_sdf(PASS sdf, local, local_before, margin);
    real3 correction = next - local;
    moved = R(0.0f) < dot3(correction, correction);
  }
  SdfSample found = sample_sdf(PASS sdf, next);
  mask inside = mask_and(found.gap <= R(0.0f), found.value < margin);
  moved = mask_or(moved, inside);
  Contacts sum = contacts;
  IF_ANY(moved) {
    real3 normal = normal_of(found);
    next = select3(inside, next + normal * (margin - found.value), next);
    real3 motion = position - out_of_shape(PASS instance + int(posed_before),
                                           local * TABLE_REAL(instance + int(posed_before) + int(posed_scale)));
    real3 displacement = along_shape(PASS instance, (next - local) * TABLE_REAL(instance + int(posed_scale)));
    sum = add_contact(sum, moved, displacement, motion);
  }
  return sum;
}

FUNCTION(void) collide_sdfs_in(CONTEXT VALUE(int) i, VALUE(int) variant) {
  real4 position = colliding_particle(PASS i);
  IF_ANY(collides(PASS position, variant)) {
    real3 before = XYZ(LOAD4(particles, FRAME(previous) + SETTING_INT(first_particle), i));
    Collision collision = begin_collision(PASS i, variant);
    for (int turn = 0; turn < turns_of(SETTING_INT(sdf_count), variant); ++turn) {
      Contacts contacts = no_contacts();
      ShapeRange sdfs = shapes_of_turn(turn, 0, SETTING_INT(sdf_count), variant);
      for (int k = sdfs.begin; k < sdfs.end; ++k) {
        contacts = add_sdf_contact(PASS contacts, SETTING_INT(sdfs) + int(posed_words) * k, XYZ(position), before);
      }
      collision = end_turn(PASS collision, contacts, position, int(collision_sdfs), turn, variant);
    }
    end_collision(PASS i, collision, XYZ(position), position, int(collision_sdfs), variant);
  }
}

KERNEL_IN_VARIANTS(collide_sdfs, collide_sdfs_in, collision_variants, ARGUMENT)
