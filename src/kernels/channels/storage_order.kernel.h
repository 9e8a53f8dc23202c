// storage_order.kernel.h - access to particles by their number in the mesh. A fabric may store particles in another
// order; kernels that transfer state from or to programs use mesh order, all others use storage order.

// Where the block of an optional channel begins, and whether the cloth has the channel.
#define BLOCK(name) SETTING_INT(name##_block)
#define HAS_BLOCK(name) (SETTING_INT(name##_block) != 0)

// Whether lane i is a particle, in storage order or in mesh order: padding comes last in both.
FUNCTION(mask) is_particle(CONTEXT VALUE(int) i) { return LANES(i) < I(SETTING_INT(particle_count)); }

// The particle that item i of a list in the fabric names; without a list (0), particle i.
FUNCTION(real4) load_list_item(CONTEXT VALUE(int) list, VALUE(block_offset) block, VALUE(int) i) {
  if (list == 0) return LOAD4(particles, block + SETTING_INT(first_particle), i);
  index_list particle = LOAD_INDICES(topology, list, i);
  return GATHER4(particles, block + SETTING_INT(first_particle), particle);
}

FUNCTION(real4) load_particle(CONTEXT VALUE(block_offset) block, VALUE(int) i) {
  return load_list_item(PASS SETTING_INT(storage_order), block, i);
}

// A phase as programs have it, of the element in which particle_phase stores it.
FUNCTION(inum) phase_word(VALUE(real4) phase) {
  return to_int(phase.x) + select_int(R(0.0f) < phase.w, I(int(phase_self_collide)), I(0));
}

// A word per particle, where i is in mesh order.
FUNCTION(inum) load_table_word(CONTEXT VALUE(int) words, VALUE(int) i) {
  int storage_order = SETTING_INT(storage_order);
  if (storage_order == 0) return LOAD_INT(tables, words, i);
  return GATHER_INT(tables, words, LOAD_INT(topology, storage_order, i));
}

FUNCTION(void) store_table_word(CONTEXT VALUE(int) words, VALUE(int) i, VALUE(unum) value) {
  int storage_order = SETTING_INT(storage_order);
  if (storage_order == 0) {
    STORE_BITS(tables, words, i, value);
  } else {
    mask all = R(0.0f) <= R(0.0f);
    SCATTER_INT(tables, words, LOAD_INT(topology, storage_order, i), to_signed(value), all);
  }
}

FUNCTION(void) store_particle(CONTEXT VALUE(block_offset) block, VALUE(int) i, VALUE(real4) value) {
  int storage_order = SETTING_INT(storage_order);
  if (storage_order == 0) {
    STORE4(particles, block + SETTING_INT(first_particle), i, value);
  } else {
    index_list particle = LOAD_INDICES(topology, storage_order, i);
    SCATTER4(particles, block + SETTING_INT(first_particle), particle, value);
  }
}
