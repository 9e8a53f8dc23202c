// in_lattice.kernel.h - integration and tethers of cloths that stay in the lattice from the first to the last iteration of
// an update (lattice.kernel.h). Results are those of integrate.kernel.h and tethers.kernel.h.

// Brings positions and previous positions into the lattice before the iterations.
KERNEL(move_into_lattice) {
  if (STEP_INT(iteration_count) != 0) {
    int slot = visited_slot(PASS i);
    index_list particle = LATTICE_PARTICLES(slot);
    real4 position = GATHER4(particles, LATTICE_BLOCK(position), particle);
    real4 previous = GATHER4(particles, LATTICE_BLOCK(previous), particle);
    store_slots(PASS int(lattice_positions), slot, position);
    store_slots(PASS int(lattice_previous), slot, previous);
  }
}

// Brings them back after the iterations.
KERNEL(move_out_of_lattice) {
  if (STEP_INT(iteration_count) != 0) {
    int slot = visited_slot(PASS i);
    index_list particle = LATTICE_PARTICLES(slot);
    mask has_particle = LATTICE_HAS_PARTICLE(slot);
    real4 position = load_slots(PASS int(lattice_positions), slot);
    real4 previous = load_slots(PASS int(lattice_previous), slot);
    SCATTER4_WHERE(particles, LATTICE_BLOCK(position), particle, position, has_particle);
    SCATTER4_WHERE(particles, LATTICE_BLOCK(previous), particle, previous, has_particle);
  }
}

KERNEL(integrate_in_lattice) {
  real4 current = load_slots(PASS int(lattice_positions), i);
  real4 before = load_slots(PASS int(lattice_previous), i);
  real3 accelerated = make3(R(0.0f), R(0.0f), R(0.0f));
  Integrated result = integrated(PASS current, before, accelerated, LATTICE_HAS_PARTICLE(i));
  store_slots(PASS int(lattice_positions), i, result.position);
  store_slots(PASS int(lattice_previous), i, result.previous);
}

// The positions of the anchors of a row of tethers, which are one slot, slots one after the other, or a row of slots
// (LatticeTethers in cook/fabric_layout.h).
FUNCTION(real3) anchors_in_lattice(CONTEXT VALUE(int) row, VALUE(int) i) {
  int first = TOPOLOGY_INT(row);
  int slot = ~first >> 1;
  real x, y, z;
  if (first < 0 && (first & 1) != 0) {
    x = R(TABLE_REAL(LATTICE_ROW(0) + slot));
    y = R(TABLE_REAL(LATTICE_ROW(1) + slot));
    z = R(TABLE_REAL(LATTICE_ROW(2) + slot));
  } else if (first < 0) {
    slot = slot + (i & 15);
    x = LOAD_REAL(tables, LATTICE_ROW(0), slot);
    y = LOAD_REAL(tables, LATTICE_ROW(1), slot);
    z = LOAD_REAL(tables, LATTICE_ROW(2), slot);
  } else {
    inum slots = LOAD_INT(topology, row, i & 15);
    x = GATHER_REAL(tables, LATTICE_ROW(0), slots);
    y = GATHER_REAL(tables, LATTICE_ROW(1), slots);
    z = GATHER_REAL(tables, LATTICE_ROW(2), slots);
  }
  return make3(x, y, z);
}

KERNEL(constrain_tethers_in_lattice) {
  int width = CONSTRAINT_INT(constraint_width);
  int row = CONSTRAINT_INT(lattice_tethers) + (i >> 4) * width * int(lattice_tether_words);
  mask is_tethered = R(0.0f) <= LOAD_REAL(topology, row + 16, i & 15);
  real4 position = load_slots(PASS int(lattice_positions), i);
  real3 pull = make3(R(0.0f), R(0.0f), R(0.0f));
  for (int tether = 0; tether < width; ++tether) {
    real length = LOAD_REAL(topology, row + 16, i & 15) * CONSTRAINT_REAL(constraint_scale);
    pull = pull + tether_pull(PASS XYZ(position), anchors_in_lattice(PASS row, i), length);
    row = row + int(lattice_tether_words);
  }
  real3 moved = XYZ(position) + pull * CONSTRAINT_REAL(constraint_rate);
  STORE_REAL_WHERE(tables, LATTICE_ROW(0), i, moved.x, is_tethered);
  STORE_REAL_WHERE(tables, LATTICE_ROW(1), i, moved.y, is_tethered);
  STORE_REAL_WHERE(tables, LATTICE_ROW(2), i, moved.z, is_tethered);
}
