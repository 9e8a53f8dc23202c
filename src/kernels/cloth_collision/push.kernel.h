// push.kernel.h - how cloth pushes cloth. Of two collision particles that are closer than the distance, each moves
// along the line between them by its share of the overlap. All move at once: each gathers what all others do to it,
// from the positions at the begin of the stage, in the order of the collision particles. So that a particle that many
// others push does not overshoot, and momentum is kept nevertheless, a collision particle with n contacts takes part in
// each of them with a part 2 / (n + 1) of its mass: the shares are 2 w / (w (n + 1) + w' (n' + 1)).
// Source: PhysX 3.4 manual, Cloth, "Self-Collision of a Single Cloth Actor" and "Inter-Collision between Multiple Cloth
// Actors"; Tonge, Benevolenski and Voroshilov 2012, Mass Splitting for Jitter-Free Parallel Rigid Body Simulation.

// The effect of others on a collision particle.
struct Push {
  real3 displacement;
  // Displacement of the previous position alone.
  real3 damped;
  real contacts;
};

FUNCTION(Push) no_push() {
  Push push;
  push.displacement = make3(R(0.0f), R(0.0f), R(0.0f));
  push.damped = push.displacement;
  push.contacts = R(0.0f);
  return push;
}

// A collision particle, or one that pushes it, as loaded from the arrays of collision particles.
struct CollisionParticle {
  real3 position;
  real inverse_mass;
  real contacts;
  // Motion in the iteration or update, for friction and damping.
  real3 motion;
  real4 rest;
  inum phase;
};

// How colliding particles act on each other.
struct ContactParameters {
  real distance;
  // Part of the overlap that is removed.
  real stiffness;
  real friction;
  real damping;
};

FUNCTION(mask) are_near_at_rest(VALUE(real4) a, VALUE(real4) b, VALUE(real) distance) {
  real3 difference = XYZ(a) - XYZ(b);
  return mask_and(mask_and(R(0.0f) < a.w, R(0.0f) < b.w), dot3(difference, difference) < distance * distance);
}

// Whether particles of these phases collide: if they are of different groups, or both collide with their own group.
// Source: Flex manual, "Phase".
FUNCTION(mask) phases_collide(VALUE(inum) a, VALUE(inum) b) {
  inum group_mask = I(int(phase_group_mask));
  mask same_group = (a & group_mask) == (b & group_mask);
  return mask_or(mask_not(same_group), mask_and(group_mask < a, group_mask < b));
}

// The line between two collision particles, given the difference of their positions. sign is the direction along x in
// which particles at the same position are separated.
struct Line {
  // A vector of length distance.
  real3 vector;
  real distance;
};

FUNCTION(Line) line_between(VALUE(real3) difference, VALUE(real) distance, VALUE(real) sign) {
  real square = dot3(difference, difference);
  real least = maximum(distance * distance * R(1e-12f), R(CLOTHC_SMALLEST));
  mask apart = least < square;
  Line line;
  line.distance = square_root(select(apart, square, least));
  line.vector = select3(apart, difference, make3(sign * line.distance, R(0.0f), R(0.0f)));
  return line;
}

// The share of collision particle a by mass splitting. Only half of the contacts beyond the first are counted, which
// converges faster than splitting by all of them and does not diverge either.
FUNCTION(real) share_of(VALUE(CollisionParticle) a, VALUE(CollisionParticle) b) {
  real masses = a.inverse_mass * (a.contacts + R(1.0f)) + b.inverse_mass * (b.contacts + R(1.0f));
  return divide(a.inverse_mass * R(2.0f), maximum(masses, R(CLOTHC_SMALLEST)));
}

// The displacement of collision particle a by collision particle b, where near holds.
FUNCTION(real3)
push_of(VALUE(mask) near, VALUE(Line) line, VALUE(CollisionParticle) a, VALUE(CollisionParticle) b,
        VALUE(ContactParameters) contact) {
  real overlap = (contact.distance - line.distance) * contact.stiffness;
  real part = divide(overlap, line.distance) * share_of(a, b);
  return line.vector * select(near, part, R(0.0f));
}

// Adds what happens after the push: friction removes slip across the line, limited by friction times the overlap, and
// damping removes a part of the velocity with which the particles separate along the line.
FUNCTION(Push)
add_friction(VALUE(Push) push, VALUE(mask) near, VALUE(Line) line, VALUE(CollisionParticle) a,
             VALUE(CollisionParticle) b, VALUE(ContactParameters) contact) {
  real overlap = (contact.distance - line.distance) * contact.stiffness;
  real masses = maximum(a.inverse_mass * a.contacts + b.inverse_mass * b.contacts, R(CLOTHC_SMALLEST));
  real share = divide(a.inverse_mass, masses);
  real3 normal = line.vector * divide(R(1.0f), line.distance);
  real3 motion = a.motion - b.motion;
  real separation = dot3(motion, normal);
  real3 slip = motion - normal * separation;
  real speed = square_root(maximum(dot3(slip, slip), R(CLOTHC_SMALLEST)));
  real part = minimum(R(1.0f), divide(contact.friction * overlap, speed));
  Push sum = push;
  // Selected in lanes where a position is CLOTHC_NOWHERE, whose slip may not be finite.
  real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
  real3 friction = select3(near, slip * (part * share), none);
  real3 damped = select3(near, normal * (contact.damping * maximum(separation, R(0.0f)) * share), none);
  sum.displacement = push.displacement - friction;
  sum.damped = push.damped + damped;
  return sum;
}

// A vector, shortened to the limit where it is longer.
FUNCTION(real3) limited(VALUE(real3) v, VALUE(real) limit) {
  real square = dot3(v, v);
  mask beyond = limit * limit < square;
  real part = divide(limit, square_root(select(beyond, square, R(1.0f))));
  return v * select(beyond, part, R(1.0f));
}
