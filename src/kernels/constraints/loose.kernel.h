// loose.kernel.h - angles and areas of particles that no distances hold together. The forces of such constraints come
// from no potential, because the mass that a correction moves depends on the height of triangles, which nothing keeps.
// If corrections stayed in the velocity, as those of other constraints do, particles would gain energy on every way
// around. So a loose constraint never adds kinetic energy: with the change c of the error since the previous positions,
// and the correction k, it removes velocity by the part of k up to c, if both have the same sign, and moves the
// previous positions along by the rest. That holds whatever the angles, masses and frequency, because the displacement
// d of an iteration, with the weights of masses, becomes d - g s, 0 <= s <= (d.g) / |g|^2. Gravity then adds at most g h
// to the root of the mean square of velocities, as in free fall.

// Layouts store log2(1 - stiffness) of constraints of particles that distances hold together, and its negative of loose
// ones. All constraints of a cloth are loose if it leaves out distances without which some are.
#define CONSTRAINT_KEPT_RATE(k) \
  (R(1.0f) - exp2_of(absolute(CONSTRAINT_PARAMETER(k)) * R(-1.0f) * CONSTRAINT_REAL(constraint_exponent)))
#define CONSTRAINT_IS_LOOSE(k)               \
  mask_or(R(0.0f) < CONSTRAINT_PARAMETER(k), \
          mask_and(I(0) < I(CONSTRAINT_INT(constraint_all_loose)), CONSTRAINT_PARAMETER(k) < R(0.0f)))

FUNCTION(real) limited_to(VALUE(real) value, VALUE(real) limit) {
  return maximum(limit * R(-1.0f), minimum(value, limit));
}

// The part of the correction that the velocity loses: the median of 0, the correction and the change.
FUNCTION(real) part_of_velocity(VALUE(real) correction, VALUE(real) change) {
  mask both_positive = mask_and(R(0.0f) < correction, R(0.0f) < change);
  mask both_negative = mask_and(correction < R(0.0f), change < R(0.0f));
  real nearer = select(absolute(correction) < absolute(change), correction, change);
  return select(mask_or(both_positive, both_negative), nearer, R(0.0f));
}

#define GATHER_PREVIOUS(particle) \
  GATHER4(particles, FRAME(previous) + CONSTRAINT_INT(constraint_first_particle), particle)
// Moves a previous position as MOVE_ALONG moves the position, and back by what the velocity loses.
#define MOVE_PREVIOUS(is_moved, particle, before, along, step, gradient, lost)                          \
  {                                                                                                     \
    real3 with = snap3((along) * ((step)*before.w) - (gradient) * ((lost)*before.w));                   \
    real3 moved_previous = select3(is_moved, bounded_or(XYZ(before) + with, XYZ(before)), XYZ(before)); \
    SCATTER4(particles, FRAME(previous) + CONSTRAINT_INT(constraint_first_particle), particle,          \
             make4(moved_previous, before.w));                                                          \
  }
