// particle_set.kernel.h - the effect of all collision particles of a cloth on a batch of collision particles, by a
// traversal of the cloth's BVH; and how the pushed collision particles move.

FUNCTION(real3) load_vector(CONTEXT VALUE(int) word, VALUE(int) i) {
  return make3(LOAD_REAL(tables, COLLISION_PARTICLES(word), i), LOAD_REAL(tables, COLLISION_PARTICLES(word + 1), i),
               LOAD_REAL(tables, COLLISION_PARTICLES(word + 2), i));
}

// uses_rest: whether rest positions matter.
FUNCTION(CollisionParticle)
load_collision_particle(CONTEXT VALUE(int) i, VALUE(int) walk, VALUE(int) filtering, VALUE(bool) uses_rest) {
  CollisionParticle loaded;
  loaded.position = load_vector(PASS int(set_position), i);
  loaded.inverse_mass = LOAD_REAL(tables, COLLISION_PARTICLES(set_inverse_mass), i);
  loaded.contacts = R(0.0f);
  loaded.motion = loaded.position;
  if (walk != walk_counts) loaded.contacts = LOAD_REAL(tables, COLLISION_PARTICLES(set_contacts), i);
  if (walk == walk_friction) {
    loaded.motion = load_vector(PASS int(set_moved), i) - load_vector(PASS int(set_previous), i);
  }
  loaded.rest = make4(loaded.position, R(0.0f));
  if (uses_rest) {
    real rested = LOAD_REAL(tables, COLLISION_PARTICLES(set_rest + 3u), i);
    loaded.rest = make4(load_vector(PASS int(set_rest), i), rested);
  }
  loaded.phase = I(0);
  if (filtering == filter_phases) loaded.phase = LOAD_INT(tables, COLLISION_PARTICLES(set_phase), i);
  return loaded;
}

// The collision particles of a cloth and their BVH.
struct ParticleSet {
  int words;
  int stride;
  int levels;
  // Whether the set is the one whose particles are pushed.
  bool is_own;
  // Whether the set does not move while the others are pushed, so that it is a wall to them.
  bool is_still;
  // For another cloth: -1 where it was added after the pushed cloth, 1 where it was added before.
  float sign;
  bool uses_rest;
};

FUNCTION(ParticleSet) particle_set_of(CONTEXT VALUE(int) cloth) {
  ParticleSet set;
  set.words = int(GROUP_SETTING(cloth, collision_particles));
  set.stride = int(GROUP_SETTING(cloth, collision_particle_stride));
  set.levels = int(GROUP_SETTING(cloth, particle_bvh_levels));
  set.is_own = cloth == OWN_GROUP;
  set.is_still = GROUP(cloth).step.iteration_count == 0u;
  if (HAS_ARGUMENT(inter_in_iteration)) set.is_still = GROUP(cloth).step.running == 0u;
  set.sign = 1.0f;
  if (int(GROUP_SETTING(OWN_GROUP, inter_index)) < int(GROUP_SETTING(cloth, inter_index))) set.sign = -1.0f;
  set.uses_rest = false;
  return set;
}

// A vector of collision particle j, the same for all lanes.
FUNCTION(real3) set_vector(CONTEXT VALUE(ParticleSet) set, VALUE(int) word, VALUE(int) j) {
  int x = set.words + word * set.stride + j;
  int y = x + set.stride;
  return make3(TABLE_REAL(x), TABLE_REAL(y), TABLE_REAL(y + set.stride));
}

// Where near holds and the filtering allows collision particle j of a set to act on those of the lanes.
FUNCTION(mask)
filtered(CONTEXT VALUE(mask) near, VALUE(CollisionParticle) particle, VALUE(ParticleSet) set, VALUE(int) j,
         VALUE(real) distance, VALUE(int) filtering) {
  mask allowed = near;
  if (filtering == filter_rest || set.uses_rest) {
    real rested = TABLE_REAL(set.words + int(set_rest + 3u) * set.stride + j);
    real4 rest = make4(set_vector(PASS set, int(set_rest), j), rested);
    allowed = mask_and(near, mask_not(are_near_at_rest(particle.rest, rest, distance)));
  }
  if (filtering == filter_phases) {
    inum phase = I(TABLE_INT(set.words + int(set_phase) * set.stride + j));
    allowed = mask_and(allowed, phases_collide(particle.phase, phase));
  }
  return allowed;
}

// Adds the effect of collision particle j of a set on the collision particles at lanes i.
FUNCTION(Push)
push_by_particle(CONTEXT VALUE(int) i, VALUE(Push) push, VALUE(CollisionParticle) particle, VALUE(ParticleSet) set,
                 VALUE(int) j, VALUE(ContactParameters) contact, VALUE(int) walk, VALUE(int) filtering) {
  Push sum = push;
  CollisionParticle other;
  other.position = set_vector(PASS set, int(set_position), j);
  real3 difference = particle.position - other.position;
  mask near = dot3(difference, difference) < contact.distance * contact.distance;
  if (set.is_own) near = mask_and(near, mask_not(LANES(i) == I(j)));
  IF_ANY(near) {
    if (filtering != filter_none) near = filtered(PASS near, particle, set, j, contact.distance, filtering);
    if (walk == walk_counts) {
      sum.contacts = push.contacts + select(near, R(1.0f), R(0.0f));
    } else {
      IF_ANY(near) {
        other.inverse_mass = R(0.0f);
        other.contacts = R(0.0f);
        other.motion = make3(R(0.0f), R(0.0f), R(0.0f));
        if (!set.is_still) {
          other.inverse_mass = TABLE_REAL(set.words + int(set_inverse_mass) * set.stride + j);
          other.contacts = TABLE_REAL(set.words + int(set_contacts) * set.stride + j);
          if (walk == walk_friction) {
            other.motion = set_vector(PASS set, int(set_moved), j) - set_vector(PASS set, int(set_previous), j);
          }
        }
        real sign = select(LANES(i) < I(j), R(-1.0f), R(1.0f));
        if (!set.is_own) sign = R(set.sign);
        Line line = line_between(difference, contact.distance, sign);
        if (walk == walk_pushes) {
          sum.displacement = push.displacement + push_of(near, line, particle, other, contact);
        } else {
          sum = add_friction(push, near, line, particle, other, contact);
        }
      }
    }
  }
  return sum;
}

// The box around the collision particles of all lanes.
FUNCTION(Boxes) box_of_lanes(VALUE(real3) position) {
  Boxes points;
  points.low = position;
  points.high = position;
  return box_around_lanes(points);
}

FUNCTION(Boxes) grown(VALUE(Boxes) box, VALUE(real) by) {
  real3 margin = make3(by, by, by);
  Boxes larger;
  larger.low = box.low - margin;
  larger.high = box.high + margin;
  return larger;
}

// Adds the effect of all collision particles of a set on those at lanes i, whose bounding box is box.
FUNCTION(Push)
push_by_set(CONTEXT VALUE(int) i, VALUE(Push) before, VALUE(CollisionParticle) particle, VALUE(Boxes) box,
            VALUE(ParticleSet) set, VALUE(ContactParameters) contact, VALUE(int) walk, VALUE(int) filtering) {
  Push push = before;
  Boxes search_box = grown(box, contact.distance);
  Bvh bvh = bvh_of_particles(set.words, set.stride, set.levels);
  BvhWalk visit = begin_walk(bvh);
  while (0 <= visit.level) {
    if (visit.items != 0) {
      int j = next_item(visit);
      push = push_by_particle(PASS i, push, particle, set, j, contact, walk, filtering);
    } else {
      step_through_tree(PASS visit, bvh, search_box);
    }
  }
  return push;
}

// Whether others push the collision particles at lanes i. Particles that nothing pushes keep their exact bits.
FUNCTION(mask) are_pushed(CONTEXT VALUE(int) i) {
  return R(0.0f) < LOAD_REAL(tables, COLLISION_PARTICLES(set_contacts), i);
}

// Moves the particles that are pushed, and changes their previous positions by before.
FUNCTION(void)
move_pushed(CONTEXT VALUE(int) i, VALUE(mask) pushed, VALUE(real3) displacement, VALUE(real3) previous_displacement) {
  int first = SETTING_INT(first_particle);
  index_list particle = LOAD_INDICES(tables, COLLISION_PARTICLES(set_particle), i);
  real4 current = GATHER4(particles, FRAME(position) + first, particle);
  real4 before = GATHER4(particles, FRAME(previous) + first, particle);
  real3 position = select3(pushed, XYZ(current) + displacement, XYZ(current));
  real3 previous = select3(pushed, bounded_or(XYZ(before) + previous_displacement, XYZ(before)), XYZ(before));
  SCATTER4(particles, FRAME(position) + first, particle, make4(position, current.w));
  SCATTER4(particles, FRAME(previous) + first, particle, make4(previous, before.w));
}

// Stores where collision particles were pushed to.
FUNCTION(void) record_moved(CONTEXT VALUE(int) i, VALUE(mask) pushed, VALUE(real3) displacement) {
  real3 moved = load_vector(PASS int(set_position), i) + displacement;
  store_vector(PASS int(set_moved), i, select3(pushed, moved, load_vector(PASS int(set_moved), i)));
}
