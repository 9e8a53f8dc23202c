// tethers.kernel.h - keeps each particle within the length of its tethers from their anchors, whatever the masses:
// x += rate / k sum over the k tethers of (anchor - x) max(0, 1 - length scale / |anchor - x|).
// Source: NvCloth solver documentation, "Tether constraints"; Kim, Chentanez, Mueller 2012, Long Range Attachments.

FUNCTION(real3) tether_pull(CONTEXT VALUE(real3) position, VALUE(real3) anchor, VALUE(real) length) {
  real3 to_anchor = anchor - position;
  real distance = square_root(dot3(to_anchor, to_anchor) + SETTING(regularisation));
  real slack = maximum(R(1.0f) - divide(length, distance), R(0.0f));
  return to_anchor * slack;
}

// Slots are the tethered particles of one level; none of their anchors has a slot in that level.
KERNEL(constrain_tethers) {
  int first = SETTING_INT(first_particle);
  index_list particle = LOAD_INDICES(topology, SETTING_INT(tether_order), i);
  real4 position = GATHER4(particles, FRAME(position) + first, particle);
  real3 pull = make3(R(0.0f), R(0.0f), R(0.0f));
  for (int tether = 0; tether < SETTING_INT(tether_count); ++tether) {
    int offset = tether * SETTING_INT(tether_stride);
    index_list anchor = LOAD_INDICES(topology, SETTING_INT(tether_anchor) + offset, i);
    real length = LOAD_REAL(topology, SETTING_INT(tether_length) + offset, i) * SETTING(tether_scale);
    real4 anchor_position = GATHER4(particles, FRAME(position) + first, anchor);
    pull = pull + tether_pull(PASS XYZ(position), XYZ(anchor_position), length);
  }
  SCATTER4(particles, FRAME(position) + first, particle, make4(XYZ(position) + pull * STEP(tether_rate), position.w));
}
