// places.kernel.h - particles by their number in the mesh. A fabric may store them in another order; the kernels between a
// program and the state count as the mesh does, all others as they are stored.

FUNCTION(real4) load_particle(CONTEXT int block, int i) {
  int places = SETTING_INT(places);
  if (places == 0) return LOAD4(particles, block + SETTING_INT(first_particle), i);
  index_list place = LOAD_INDICES(fabric, places, i);
  return GATHER4(particles, block + SETTING_INT(first_particle), place);
}

FUNCTION(void) store_particle(CONTEXT int block, int i, VALUE(real4) v) {
  int places = SETTING_INT(places);
  if (places == 0) {
    STORE4(particles, block + SETTING_INT(first_particle), i, v);
  } else {
    index_list place = LOAD_INDICES(fabric, places, i);
    SCATTER4(particles, block + SETTING_INT(first_particle), place, v);
  }
}
