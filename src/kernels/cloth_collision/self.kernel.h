// self.kernel.h - a cloth collides with itself, in up to three runs: contacts are counted, collision particles are
// pushed, and then slowed down by friction and damping.
// Source: PhysX 3.4 manual, Cloth, "Self-Collision of a Single Cloth Actor".

// The effect of the cloth's own collision particles on those at lanes i.
FUNCTION(Push) push_by_itself(CONTEXT VALUE(int) i, VALUE(int) walk, VALUE(int) filtering) {
  ContactParameters contact;
  contact.distance = SETTING(self_collision_distance);
  contact.stiffness = STEP(self_rate);
  contact.friction = SETTING(self_collision_friction);
  contact.damping = SETTING(self_collision_damping);
  ParticleSet set = particle_set_of(PASS OWN_GROUP);
  set.uses_rest = HAS_BLOCK(rest);
  CollisionParticle particle = load_collision_particle(PASS i, walk, filtering, set.uses_rest);
  Boxes box = box_of_lanes(particle.position);
  return push_by_set(PASS i, no_push(), particle, box, set, contact, walk, filtering);
}

// variant: walk + walk_kinds * filtering.
FUNCTION(void) collide_self_in(CONTEXT VALUE(int) i, VALUE(int) variant) {
  int walk = variant % walk_kinds;
  mask pushed = R(0.0f) <= R(0.0f);
  if (walk != walk_counts) pushed = are_pushed(PASS i);
  IF_ANY(pushed) {
    Push push = push_by_itself(PASS i, walk, variant / walk_kinds);
    if (walk == walk_counts) {
      STORE_REAL(tables, COLLISION_PARTICLES(set_contacts), i, push.contacts);
    } else if (walk == walk_pushes) {
      real3 displacement = snap3(limited(push.displacement, SETTING(self_collision_distance) * R(0.5f)));
      int first = SETTING_INT(first_particle);
      index_list particle = LOAD_INDICES(tables, COLLISION_PARTICLES(set_particle), i);
      real4 current = GATHER4(particles, FRAME(position) + first, particle);
      real3 position = select3(pushed, XYZ(current) + displacement, XYZ(current));
      SCATTER4(particles, FRAME(position) + first, particle, make4(position, current.w));
      record_moved(PASS i, pushed, displacement);
    } else {
      move_pushed(PASS i, pushed, snap3(push.displacement), snap3(push.damped));
    }
  }
}

// The argument tells the kind of walk.
FUNCTION(int) variant_of_self_collision(CONTEXT_ONLY) {
  int filtering = filter_none;
  if (HAS_BLOCK(rest)) filtering = filter_rest;
  if (HAS_BLOCK(particle_phase)) filtering = filter_phases;
  return (ARGUMENT >> int(walk_shift)) + walk_kinds * filtering;
}

KERNEL_IN_VARIANTS(collide_self, collide_self_in, (walk_kinds * filter_kinds), variant_of_self_collision(PASS_ONLY))
