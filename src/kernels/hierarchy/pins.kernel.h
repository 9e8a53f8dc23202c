// pins.kernel.h - finds which pinned particle each node must not get away from, and which nodes pinned particles hold, in
// updates before which pins may have changed. A node knows of the nearest pinned particle of its own and of those of each
// neighbour, and takes the nearest of these. Of those that are equally near it is the first one in the order of the mesh.

// What a node knows of its pinned particles. The storage index and the number are exact.
struct Pins {
  // The storage index of the nearest one, or CLOTHC_NO_PIN if there is none or a particle of the node is soft.
  real nearest;
  // Its distance from the centre of the node.
  real distance;
  real count;
};

FUNCTION(Pins) no_pins() {
  Pins pins;
  pins.nearest = R(CLOTHC_NO_PIN);
  pins.distance = R(CLOTHC_LARGEST);
  pins.count = R(0.0f);
  return pins;
}

// Takes note of a pinned particle, whose storage index is pin where is_pin holds and any other one elsewhere. Those of
// nodes with soft particles are too far away to be the nearest one.
FUNCTION(Pins) with_nearer_pin(CONTEXT VALUE(Pins) pins, VALUE(inum) pin, VALUE(mask) is_pin) {
  real distance = GATHER_REAL(topology, LEVEL_NODES(node_particle_lengths), pin);
  mask is_nearer = mask_and(is_pin, distance < pins.distance);
  Pins nearer = pins;
  nearer.nearest = select(is_nearer, to_real(pin), pins.nearest);
  nearer.distance = select(is_nearer, distance, pins.distance);
  return nearer;
}

FUNCTION(void) store_pins(CONTEXT VALUE(int) i, VALUE(Pins) pins) {
  STORE_ROW(tables, LEVEL_ROWS(row_means), i, make4(make3(pins.nearest, pins.count, R(0.0f)), R(0.0f)));
}

#define IF_PINS_MAY_HAVE_CHANGED \
  if (STEP_INT(pin_updates) == 0) return;

KERNEL(find_pinned_particles) {
  IF_PINS_MAY_HAVE_CHANGED
  Pins pins = no_pins();
  FOR_EACH_ROW_OF_MEMBERS(row) {
    inum index = LOAD_INT(topology, row, i & 15);
    index_list particle = LOAD_INDICES(topology, row, i & 15);
    real4 position = GATHER_POSITION(particle);
    // The index of a padding particle is negative.
    mask is_pinned = mask_and(I(0) <= index, position.w <= R(0.0f));
    IF_ANY(is_pinned) {
      pins = with_nearer_pin(PASS pins, select_int(is_pinned, index, I(0)), is_pinned);
      pins.count = pins.count + select(is_pinned, R(1.0f), R(0.0f));
    }
  }
  store_pins(PASS i, pins);
}

KERNEL(find_pinned_nodes) {
  IF_PINS_MAY_HAVE_CHANGED
  Pins pins = no_pins();
  FOR_EACH_ROW_OF_MEMBERS(row) {
    index_list node = LOAD_INDICES(topology, row, i & 15);
    real4 found = GATHER_ROW(tables, FINER_ROWS, node);
    mask has_pin = found.x < R(CLOTHC_NO_PIN);
    IF_ANY(has_pin) { pins = with_nearer_pin(PASS pins, to_int(select(has_pin, found.x, R(0.0f))), has_pin); }
    pins.count = pins.count + found.y;
  }
  store_pins(PASS i, pins);
}

FUNCTION(real3) gather_vector(CONTEXT VALUE(int) rows, VALUE(int) stride, VALUE(inum) index) {
  return make3(GATHER_REAL(topology, rows, index), GATHER_REAL(topology, rows + stride, index),
               GATHER_REAL(topology, rows + 2 * stride, index));
}

// How far node i may be from a pinned particle of its neighbour: the side of a triangle that is opposite the
// neighbour. The angle there is that at rest.
FUNCTION(real)
length_past_neighbour(CONTEXT VALUE(int) i, VALUE(inum) neighbour, VALUE(real) to_neighbour, VALUE(inum) pin) {
  real3 corner = gather_vector(PASS LEVEL_NODES(node_centre), CONSTRAINT_INT(level_stride), neighbour);
  real x = LOAD_REAL(topology, LEVEL_NODES(node_centre), i);
  real y = LOAD_REAL(topology, LEVEL_NODES(node_centre + 1u), i);
  real z = LOAD_REAL(topology, LEVEL_NODES(node_centre + 2u), i);
  real3 own = make3(x, y, z) - corner;
  real3 pinned = gather_vector(PASS SETTING_INT(rest_positions), SETTING_INT(padded_count), pin) - corner;
  real to_pin = GATHER_REAL(topology, LEVEL_NODES(node_particle_lengths), pin);
  real squares = dot3(own, own) * dot3(pinned, pinned);
  mask has_angle = R(CLOTHC_SMALLEST) < squares;
  real cosine = select(has_angle, divide(dot3(own, pinned), square_root(select(has_angle, squares, R(1.0f)))), R(0.0f));
  real square = to_pin * to_pin + to_neighbour * to_neighbour - R(2.0f) * to_pin * to_neighbour * cosine;
  return square_root(maximum(square, R(0.0f)));
}

// A node is held if all of its particles are pinned, or at least two and as many squared as it has particles.
FUNCTION(mask) is_held(VALUE(real) pin_count, VALUE(real) size) {
  mask are_many = mask_and(R(2.0f) <= pin_count, size <= pin_count * pin_count);
  return mask_or(size <= pin_count, are_many);
}

KERNEL(choose_pins) {
  IF_PINS_MAY_HAVE_CHANGED
  real4 own = LOAD_ROW(tables, LEVEL_ROWS(row_means), i);
  real shear = shear_part(PASS_ONLY);
  mask has_own = own.x < R(CLOTHC_NO_PIN);
  inum pin = I(CLOTHC_NO_PARTICLE);
  real least = R(CLOTHC_LARGEST);
  IF_ANY(has_own) {
    inum own_pin = to_int(select(has_own, own.x, R(0.0f)));
    real own_length = GATHER_REAL(topology, LEVEL_NODES(node_particle_lengths), own_pin);
    pin = select_int(has_own, own_pin, pin);
    least = select(has_own, own_length, least);
  }
  int end = NEIGHBOUR_SLOT(2);
  for (int slot = NEIGHBOUR_SLOT(0); slot < end; slot += int(neighbour_slot_words)) {
    index_list listed = LOAD_INDICES(topology, slot, i & 15);
    real4 found = GATHER_ROW(tables, LEVEL_ROWS(row_means), listed);
    mask has_pin = found.x < R(CLOTHC_NO_PIN);
    IF_ANY(has_pin) {
      inum neighbour = LOAD_INT(topology, slot, i & 15);
      real to_neighbour = length_to_neighbour(PASS slot, i & 15, shear);
      inum pin_there = to_int(select(has_pin, found.x, R(0.0f)));
      real past = length_past_neighbour(PASS i, neighbour, to_neighbour, pin_there);
      mask is_nearer = mask_and(has_pin, past < least);
      pin = select_int(is_nearer, pin_there, pin);
      least = select(is_nearer, past, least);
    }
  }
  mask holds = is_held(own.y, to_real(LOAD_INT(topology, LEVEL_NODES(node_size), i)));
  STORE_BITS(tables, LEVEL_ROWS(row_pin), i, to_unsigned(pin));
  STORE_REAL(tables, LEVEL_ROWS(row_pin_length), i, least);
  STORE_REAL(tables, LEVEL_ROWS(row_weight), i,
             select(holds, R(0.0f), LOAD_REAL(topology, LEVEL_NODES(node_inverse_share), i)));
}
