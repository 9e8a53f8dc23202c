// cloths.kernel.h - cloths push each other, in every iteration or, as in NvCloth, in passes after the iterations of all
// cloths. Positions are in the world; the BVH of cloth_bvh.kernel.h finds the cloths that are close.
// Source: PhysX 3.4 manual, Cloth, "Inter-Collision between Multiple Cloth Actors"; NvCloth, from its recorded
// trajectories.

// Whether this cloth and another one collide with each other in this pass.
FUNCTION(bool) collides_with_cloth(CONTEXT VALUE(int) cloth) {
  int group = int(GROUP_SETTING(cloth, inter_collision_group));
  int collides_with = int(GROUP_SETTING(cloth, inter_collision_mask));
  int passes = int(GROUP_SETTING(cloth, inter_collision_iterations));
  if (cloth == OWN_GROUP) return false;
  if (HAS_ARGUMENT(inter_in_iteration)) {
    if (passes != 0) return false;
  } else {
    if (passes <= (ARGUMENT & 0xff)) return false;
  }
  if (HAS_ARGUMENT(inter_restless)) {
    bool is_calm = 0u < GROUP(cloth).state.status.sleep_pass_count;
    if (is_calm || GROUP(cloth).step.iteration_count == 0u) return false;
  }
  return (SETTING_INT(inter_collision_mask) & group) != 0 && (SETTING_INT(inter_collision_group) & collides_with) != 0;
}

// How two cloths act on each other: the mean of their thicknesses, the lesser stiffness and damping, and the geometric
// mean of their frictions.
FUNCTION(ContactParameters) contact_parameters_between(CONTEXT VALUE(int) cloth) {
  ContactParameters contact;
  contact.distance = (SETTING(inter_collision_distance) + R(GROUP_SETTING(cloth, inter_collision_distance))) * R(0.5f);
  contact.stiffness = minimum(STEP(inter_rate), R(GROUP(cloth).step.inter_rate));
  real product = SETTING(inter_collision_friction) * R(GROUP_SETTING(cloth, inter_collision_friction));
  contact.friction = square_root(product);
  contact.damping = minimum(SETTING(inter_collision_damping), R(GROUP_SETTING(cloth, inter_collision_damping)));
  return contact;
}

// Extra distance at which a restless cloth wakes a sleeping one. A sleeping cloth is an immovable wall to others, so
// that particles that it has pushed are no nearer than the collision distance.
FUNCTION(real) wake_margin(CONTEXT_ONLY) {
  real margin = R(0.0f);
  if (HAS_ARGUMENT(inter_restless)) margin = SETTING(inter_collision_distance) * R(0.0625f);
  return margin;
}

// The BVH over the cloths that collide, whose items are numbers in the order of the BVH.
FUNCTION(Bvh) bvh_of_cloths(CONTEXT_ONLY) {
  Bvh bvh;
  bvh.nodes = TABLE_INT(SETTING_INT(cloth_bvh) + int(cloth_bvh_nodes));
  bvh.levels = TABLE_INT(SETTING_INT(cloth_bvh) + int(cloth_bvh_levels));
  bvh.has_blocks = false;
  bvh.least = 0;
  bvh.greatest = 0;
  bvh.stride = 0;
  return bvh;
}

// What all other cloths do to the collision particles at lanes i.
FUNCTION(Push) push_by_cloths(CONTEXT VALUE(int) i, VALUE(int) walk) {
  Push push = no_push();
  CollisionParticle particle = load_collision_particle(PASS i, walk, filter_none, false);
  Boxes box = box_of_lanes(particle.position);
  real margin = wake_margin(PASS_ONLY);
  real reach = SETTING(inter_collision_distance) * R(0.5f) + margin;
  Boxes search_box = grown(box, reach);
  int order = TABLE_INT(SETTING_INT(cloth_bvh) + int(cloth_bvh_order));
  Bvh bvh = bvh_of_cloths(PASS_ONLY);
  BvhWalk visit = begin_walk(bvh);
  while (0 <= visit.level) {
    if (visit.items != 0) {
      int cloth = TABLE_INT(order + next_item(visit));
      if (collides_with_cloth(PASS cloth)) {
        ContactParameters contact = contact_parameters_between(PASS cloth);
        contact.distance = contact.distance + margin;
        ParticleSet set = particle_set_of(PASS cloth);
        push = push_by_set(PASS i, push, particle, box, set, contact, walk, filter_none);
      }
    } else {
      step_through_tree(PASS visit, bvh, search_box);
    }
  }
  return push;
}

// Moves collision particles, given a displacement in the world, and changes their velocities by as much: at once in an
// iteration, or spread over the iterations of the update. damped changes only the velocity.
FUNCTION(void)
move_in_world(CONTEXT VALUE(int) i, VALUE(mask) pushed, VALUE(real3) displacement, VALUE(real3) damped) {
  real4 rotation = rotation_of(PASS_ONLY);
  real part = R(1.0f);
  if (!HAS_ARGUMENT(inter_in_iteration)) part = divide(R(1.0f), iterations_done(PASS_ONLY));
  real3 local_displacement = snap3(turned(displacement, rotation, R(-1.0f)));
  real3 change = displacement - damped;
  real3 velocity_change = snap3(turned(change, rotation, R(-1.0f)) * part);
  real3 previous_displacement = local_displacement - velocity_change;
  move_pushed(PASS i, pushed, local_displacement, previous_displacement);
}

// Cloths that sleep do not move. At an update's end, a run with inter_restless wakes them where a restless one is in
// contact with them.
FUNCTION(void) collide_cloths_in(CONTEXT VALUE(int) i, VALUE(int) walk) {
  bool sleeps = STEP_INT(iteration_count) == 0;
  bool wakes = HAS_ARGUMENT(inter_restless);
  mask pushed = R(0.0f) <= R(0.0f);
  if (walk != walk_counts) pushed = are_pushed(PASS i);
  IF_ANY(pushed) {
    bool is_due = walk == walk_counts || !sleeps;
    if (wakes) is_due = sleeps;
    Push push = no_push();
    if (is_due) push = push_by_cloths(PASS i, walk);
    if (walk == walk_counts) {
      if (wakes) {
        COUNT_UNLESS(push.contacts <= R(0.0f), state.moving_count);
      } else {
        STORE_REAL(tables, COLLISION_PARTICLES(set_contacts), i, push.contacts);
      }
    } else if (walk == walk_pushes) {
      real3 displacement = limited(push.displacement, SETTING(inter_collision_distance) * R(0.5f));
      real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
      if (!sleeps) move_in_world(PASS i, pushed, displacement, none);
      record_moved(PASS i, pushed, displacement);
    } else if (!sleeps) {
      move_in_world(PASS i, pushed, push.displacement, push.damped);
    }
  }
}

// The argument tells the kind of walk.
KERNEL_IN_VARIANTS(collide_cloths, collide_cloths_in, walk_kinds, ARGUMENT >> int(walk_shift))
