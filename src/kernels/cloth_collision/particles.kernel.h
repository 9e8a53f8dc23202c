// particles.kernel.h - the collision particles of a cloth: those of its particles that collide with cloth, in an order
// in which 16 consecutive ones lie close together, copied when a stage begins; and the BVH over them.

// Offset in tables of an array of set_... words.
#define COLLISION_PARTICLES(word) \
  (SETTING_INT(collision_particles) + int(word) * SETTING_INT(collision_particle_stride))

// A vector rotated by a quaternion of length 1; a sign of -1 rotates it back.
FUNCTION(real3) turned(VALUE(real3) vector, VALUE(real4) quaternion, VALUE(real) sign) {
  real3 axis = XYZ(quaternion) * sign;
  real3 across = cross3(axis, vector) * R(2.0f);
  return vector + across * quaternion.w + cross3(axis, across);
}

// The rotation of the cloth's frame at the iteration's end or, after the last iteration, at the update's end: an
// interpolation from start to target, the shorter way.
FUNCTION(real4) rotation_of(CONTEXT_ONLY) {
  real4 start = make4(make3(R(GROUP_FRAME(OWN_GROUP, start_rotation_x)), R(GROUP_FRAME(OWN_GROUP, start_rotation_y)),
                            R(GROUP_FRAME(OWN_GROUP, start_rotation_z))),
                      R(GROUP_FRAME(OWN_GROUP, start_rotation_w)));
  real4 target = make4(make3(R(GROUP_FRAME(OWN_GROUP, target_rotation_x)), R(GROUP_FRAME(OWN_GROUP, target_rotation_y)),
                             R(GROUP_FRAME(OWN_GROUP, target_rotation_z))),
                       R(GROUP_FRAME(OWN_GROUP, target_rotation_w)));
  real cosine = dot3(XYZ(start), XYZ(target)) + start.w * target.w;
  real sign = select(cosine < R(0.0f), R(-1.0f), R(1.0f));
  real time = STEP(time);
  real3 axis = make3(interpolate(start.x * sign, target.x, time), interpolate(start.y * sign, target.y, time),
                     interpolate(start.z * sign, target.z, time));
  real w = interpolate(start.w * sign, target.w, time);
  real inverse = divide(R(1.0f), square_root(maximum(dot3(axis, axis) + w * w, R(CLOTHC_SMALLEST))));
  return make4(axis * inverse, w * inverse);
}

// From the cloth's frame into the world. The origin of the world is taken to be the target of the frame of the first
// cloth that collides with others, so that floats are precise wherever the cloths are.
FUNCTION(real3) in_world(CONTEXT VALUE(real3) position) {
  int first = TABLE_INT(TABLE_INT(SETTING_INT(cloth_bvh) + int(cloth_bvh_cloths)));
  real3 origin =
      make3(R(GROUP_FRAME(first, target_x)), R(GROUP_FRAME(first, target_y)), R(GROUP_FRAME(first, target_z)));
  real3 start = make3(R(GROUP_FRAME(OWN_GROUP, start_x)), R(GROUP_FRAME(OWN_GROUP, start_y)),
                      R(GROUP_FRAME(OWN_GROUP, start_z))) -
                origin;
  real3 target = make3(R(GROUP_FRAME(OWN_GROUP, target_x)), R(GROUP_FRAME(OWN_GROUP, target_y)),
                       R(GROUP_FRAME(OWN_GROUP, target_z))) -
                 origin;
  real time = STEP(time);
  real3 translation = make3(interpolate(start.x, target.x, time), interpolate(start.y, target.y, time),
                            interpolate(start.z, target.z, time));
  return turned(position, rotation_of(PASS_ONLY), R(1.0f)) + translation;
}

FUNCTION(void) store_vector(CONTEXT VALUE(int) word, VALUE(int) i, VALUE(real3) vector) {
  STORE_REAL(tables, COLLISION_PARTICLES(word), i, vector.x);
  STORE_REAL(tables, COLLISION_PARTICLES(word + 1), i, vector.y);
  STORE_REAL(tables, COLLISION_PARTICLES(word + 2), i, vector.z);
}

// The number of iterations of the last update, at least one.
FUNCTION(real) iterations_done(CONTEXT_ONLY) {
  int count = STEP_INT(iteration_count);
  if (count < 1) count = 1;
  return to_real(I(count));
}

// Gathers positions, in the cloth's frame or in the world. With particles_move it gathers previous positions too, or,
// with particles_of_update, where the particles would have been at the update's begin if they had always moved as fast
// as now.
KERNEL(gather_collision_particles) {
  int first = SETTING_INT(first_particle);
  index_list particle = LOAD_INDICES(tables, COLLISION_PARTICLES(set_particle), i);
  real4 current = GATHER4(particles, FRAME(position) + first, particle);
  mask exists = mask_and(LANES(i) < I(SETTING_INT(collision_particle_count)),
                         mask_and(is_bounded3(XYZ(current)), is_active(current.w)));
  real3 position = XYZ(current);
  if (HAS_ARGUMENT(particles_in_world)) position = in_world(PASS position);
  if (HAS_ARGUMENT(particles_move)) {
    real4 before = GATHER4(particles, FRAME(previous) + first, particle);
    real3 previous = XYZ(before);
    if (HAS_ARGUMENT(particles_of_update))
      previous = XYZ(current) - (XYZ(current) - previous) * iterations_done(PASS_ONLY);
    if (HAS_ARGUMENT(particles_in_world)) previous = in_world(PASS previous);
    store_vector(PASS int(set_previous), i, previous);
  }
  real3 nowhere = make3(R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE), R(CLOTHC_NOWHERE));
  store_vector(PASS int(set_position), i, select3(exists, position, nowhere));
  STORE_REAL(tables, COLLISION_PARTICLES(set_inverse_mass), i, current.w);
}

// The phases of the particles as the public API has them. Padding is nowhere, so its phase does not matter.
KERNEL(gather_phases) {
  inum index = LOAD_INT(tables, COLLISION_PARTICLES(set_particle), i);
  inum particle = select_int(LANES(i) < I(SETTING_INT(collision_particle_count)), index, I(0));
  real4 phase = GATHER4(particles, BLOCK(particle_phase) + SETTING_INT(first_particle), particle);
  unum word = to_unsigned(phase_word(phase));
  STORE_BITS(tables, COLLISION_PARTICLES(set_phase), i, word);
}

// Padding particles have no rest position.
KERNEL(gather_rest) {
  inum index = LOAD_INT(tables, COLLISION_PARTICLES(set_particle), i);
  inum particle = select_int(LANES(i) < I(SETTING_INT(collision_particle_count)), index, I(0));
  real4 rest = GATHER4(particles, BLOCK(rest) + SETTING_INT(first_particle), particle);
  store_vector(PASS int(set_rest), i, XYZ(rest));
  STORE_REAL(tables, COLLISION_PARTICLES(set_rest + 3u), i, rest.w);
}

// The collision particles of a cloth and their BVH.
FUNCTION(Bvh) bvh_of_particles(VALUE(int) words, VALUE(int) stride, VALUE(int) levels) {
  Bvh bvh;
  bvh.nodes = words + int(collision_particle_words) * stride;
  bvh.levels = levels;
  bvh.has_blocks = true;
  bvh.least = words + int(set_position) * stride;
  bvh.greatest = bvh.least;
  bvh.stride = stride;
  return bvh;
}

// The argument is a level.
KERNEL(refit_particle_bvh) {
  Bvh bvh = bvh_of_particles(SETTING_INT(collision_particles), SETTING_INT(collision_particle_stride),
                             SETTING_INT(particle_bvh_levels));
  refit_level(PASS bvh, ARGUMENT, i);
}
