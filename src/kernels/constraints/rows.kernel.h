// rows.kernel.h - what kernels over constraints share: the particles and parameters of constraint i of the set whose
// record is the job's argument, and the positions of the particles. A set has one row of storage indices per particle
// of a constraint, and one row per parameter.

#define CONSTRAINT_PARTICLE(k) \
  LOAD_INDICES(topology, CONSTRAINT_INT(constraint_particles) + (k)*CONSTRAINT_INT(constraint_stride), i)
#define CONSTRAINT_PARAMETER(k) \
  LOAD_REAL(topology, CONSTRAINT_INT(constraint_parameters) + (k)*CONSTRAINT_INT(constraint_stride), i)
#define GATHER_POSITION(particle) \
  GATHER4(particles, FRAME(position) + CONSTRAINT_INT(constraint_first_particle), particle)
#define SCATTER_POSITION(particle, value) \
  SCATTER4(particles, FRAME(position) + CONSTRAINT_INT(constraint_first_particle), particle, value)
// The part of the error that a constraint removes per iteration by a stiffness of its own, which is its parameter k.
#define CONSTRAINT_OWN_RATE(k) (R(1.0f) - exp2_of(CONSTRAINT_PARAMETER(k) * CONSTRAINT_REAL(constraint_exponent)))
// Moves a particle by step * inverse mass along a gradient.
#define MOVE_ALONG(particle, position, gradient, step)                           \
  {                                                                              \
    real3 moved_along = XYZ(position) + snap3((gradient) * ((step)*position.w)); \
    SCATTER_POSITION(particle, make4(moved_along, position.w));                  \
  }
