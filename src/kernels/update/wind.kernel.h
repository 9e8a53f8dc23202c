// wind.kernel.h - drag and lift of the air on each triangle, in two passes that do not depend on an order: every
// triangle writes its impulse, then every particle adds up those of its fan. cook/fabric_layout.h describes how both find
// what they load (WindLayout). With d the triangle's
// displacement relative to the air in an iteration of h seconds, N twice its area times its normal, n = N/|N| and u =
// d/|d|:
//   drag = k_d |n.u| |d| d / h,   lift = k_l (n.u) sqrt(1 - (n.u)^2) |d| ((d x n) x u) / h
//   x -= w (drag + lift) density / 2 |N|   for each corner of inverse mass w.
// Source: NvCloth solver documentation, "Wind simulation".

// Squared displacements relative to the air below this value are ignored, since the formulae lose their meaning there.
#define CLOTHC_STILL_AIR 1.1920929e-7f

// A corner of a triangle: its position, and its displacement in this iteration.
struct Corner {
  real3 position;
  real3 moved;
};

// A corner of the triangles of a batch. index: the storage index of the first triangle's corner, or, with lists, the
// distance in words from the batches to the list of the storage indices of all of them.
FUNCTION(Corner) corner_at(CONTEXT VALUE(int) index, VALUE(bool) has_lists, VALUE(int) i) {
  int first = SETTING_INT(first_particle);
  real4 position;
  real4 previous;
  if (has_lists) {
    index_list particle = LOAD_INDICES(topology, SETTING_INT(wind_batches) + index, i & 15);
    position = GATHER4(particles, FRAME(position) + first, particle);
    previous = GATHER4(particles, FRAME(previous) + first, particle);
  } else {
    position = LOAD4(particles, FRAME(position) + first + index, i & 15);
    previous = LOAD4(particles, FRAME(previous) + first + index, i & 15);
  }
  Corner result;
  result.position = XYZ(position);
  result.moved = XYZ(position) - XYZ(previous);
  return result;
}

// The sum of drag and lift, without the divisions by |N| and |d| that cancel: |N| n.u |d| = N.d, and with s = d x N,
// |N| (n.u) sqrt(1 - (n.u)^2) (d x n) x u = (N.d) |s| (s x d) / (N.N d.d).
FUNCTION(real3) wind_impulse(CONTEXT VALUE(real3) d, VALUE(real3) n) {
  real along = dot3(n, d);
  real3 s = cross3(d, n);
  real squares = dot3(n, n) * dot3(d, d);
  mask tilted = R(CLOTHC_SMALLEST) < squares;
  real across = divide(along * square_root(dot3(s, s) + R(CLOTHC_SMALLEST)), select(tilted, squares, R(1.0f)));
  real lift = select(tilted, across * STEP(lift_scale), R(0.0f));
  return d * (absolute(along) * STEP(drag_scale)) + cross3(s, d) * lift;
}

KERNEL(wind_impulses) {
  int batch = SETTING_INT(wind_batches) + (i >> 4) * int(wind_batch_words);
  int lanes = TOPOLOGY_INT(batch);
  bool has_lists = lanes < 0;
  Corner a = corner_at(PASS TOPOLOGY_INT(batch + 1), has_lists, i);
  Corner b = corner_at(PASS TOPOLOGY_INT(batch + 2), has_lists, i);
  Corner c = corner_at(PASS TOPOLOGY_INT(batch + 3), has_lists, i);
  real third = R(0.33333333f);
  real3 d = (a.moved + b.moved + c.moved) * third + make3(STEP(wind_x), STEP(wind_y), STEP(wind_z));
  if (STEP_INT(turning) != 0) {
    real3 shifted = d - (a.position + b.position + c.position) * third;
    real one = R(1.0f);
    d = d + make3((STEP(turn_xx) - one) * shifted.x + STEP(turn_xy) * shifted.y + STEP(turn_xz) * shifted.z,
                  STEP(turn_yx) * shifted.x + (STEP(turn_yy) - one) * shifted.y + STEP(turn_yz) * shifted.z,
                  STEP(turn_zx) * shifted.x + STEP(turn_zy) * shifted.y + (STEP(turn_zz) - one) * shifted.z);
  }
  real3 impulse = wind_impulse(PASS d, cross3(c.position - a.position, b.position - a.position));
  // The limit is more than any particle may take, and keeps sums finite.
  real most = maximum(maximum(absolute(impulse.x), absolute(impulse.y)), absolute(impulse.z));
  mask huge = R(5e8f) < most;
  IF_ANY(huge) { impulse = impulse * select(huge, divide(R(5e8f), select(huge, most, R(1.0f))), R(1.0f)); }
  real air_motion2 = dot3(d, d);
  mask moves = mask_and(mask_and(LANES_OF_BITS(lanes, i), R(CLOTHC_STILL_AIR) <= air_motion2),
                        mask_and(R(0.0f) < most, is_bounded3(impulse)));
  real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
  STORE_ROW(tables, SETTING_INT(impulses), i,
            make4(select3(moves, impulse, none), select(moves, air_motion2, R(0.0f))));
}

// A particle is pushed no further than the air moves past the fastest of the triangles around it in the iteration. So
// drag never reverses the motion, however light the cloth is, and the push stays finite. Impulses are added in the
// order of the triangles' numbers.
KERNEL(apply_wind) {
  int first = SETTING_INT(first_particle);
  int fans = SETTING_INT(wind_fans);
  int slice = fans + (i >> 4);
  int end = fans + TOPOLOGY_INT(slice + 1);
  real3 sum = make3(R(0.0f), R(0.0f), R(0.0f));
  real air_motion2 = R(0.0f);
  for (int k = fans + TOPOLOGY_INT(slice); k < end; ++k) {
    int place = TOPOLOGY_INT(k);
    real4 impulse;
    if (place < 0) {
      index_list triangle = LOAD_INDICES(topology, fans + place, i & 15);
      impulse = GATHER_ROW(tables, SETTING_INT(impulses), triangle);
    } else {
      impulse = LOAD_ROW(tables, SETTING_INT(impulses), place + (i & 15));
    }
    sum = sum + XYZ(impulse);
    air_motion2 = maximum(air_motion2, impulse.w);
  }
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real3 push = sum * position.w;
  real size = dot3(push, push);
  mask far = air_motion2 < size;
  IF_ANY(far) {
    real part = square_root(divide(air_motion2, select(far, size, R(1.0f))));
    push = push * select(far, part, R(1.0f));
  }
  real3 next = XYZ(position) - snap3(push);
  STORE4(particles, FRAME(position) + first, i, make4(next, position.w));
}
