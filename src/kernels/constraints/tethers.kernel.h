// tethers.kernel.h - keeps each particle within the length of its tethers from their anchors, whatever the masses:
// x += rate / k sum over the k tethers of (anchor - x) max(0, 1 - length scale / |anchor - x|).
// Source: NvCloth solver documentation, "Tether constraints"; Kim, Chentanez, Mueller 2012, Long Range Attachments.

FUNCTION(real3) tether_pull(CONTEXT VALUE(real3) position, VALUE(real3) anchor, VALUE(real) length) {
  real3 to_anchor = anchor - position;
  real distance = square_root(dot3(to_anchor, to_anchor) + CONSTRAINT_REAL(constraint_regularisation));
  real slack = maximum(R(1.0f) - divide(length, distance), R(0.0f));
  return to_anchor * slack;
}

// A constraint has the tethered particle, then its anchors, and the length of each tether. The constraints of one level
// move no anchor of that level.
KERNEL(constrain_tethers) {
  index_list particle = CONSTRAINT_PARTICLE(0);
  real4 position = GATHER_POSITION(particle);
  real3 pull = make3(R(0.0f), R(0.0f), R(0.0f));
  for (int tether = 0; tether < CONSTRAINT_INT(constraint_width); ++tether) {
    index_list anchor = CONSTRAINT_PARTICLE(1 + tether);
    real length = CONSTRAINT_PARAMETER(tether) * CONSTRAINT_REAL(constraint_scale);
    real4 anchor_position = GATHER_POSITION(anchor);
    pull = pull + tether_pull(PASS XYZ(position), XYZ(anchor_position), length);
  }
  real3 moved = XYZ(position) + pull * CONSTRAINT_REAL(constraint_rate);
  SCATTER_POSITION(particle, make4(moved, position.w));
}
