/* particles.c - particles without a fabric, as in the quick start of Flex's manual: of 1,000
 * particles, 10 are active and hang as a chain of springs. Then more are activated, frame by frame,
 * and rain on the chain and the floor. */
#include <clothc.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTICLE_COUNT = 1000, CHAIN_COUNT = 10, SPRING_COUNT = CHAIN_COUNT - 1, FRAME_COUNT = 240 };
static const float radius = 0.05f;

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

static clothc_buffer make_buffer(clothc_device device, clothc_format format, uint32_t count) {
  clothc_buffer_desc desc;
  check(clothc_struct_init(CLOTHC_STRUCT_BUFFER_DESC, &desc, sizeof desc));
  desc.format = format;
  desc.count = count;
  clothc_buffer buffer;
  check(clothc_buffer_create(device, &desc, &buffer));
  return buffer;
}

static void* map(clothc_buffer buffer) {
  void* pointer;
  check(clothc_buffer_map(buffer, CLOTHC_MAP_READ | CLOTHC_MAP_WRITE, &pointer));
  return pointer;
}

int main(void) {
  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  device_desc.backend = CLOTHC_BACKEND_CPU;
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  solver_desc.particle_capacity = 2 * PARTICLE_COUNT;
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));

  /* The floor: particles stay above y = 0. */
  const float plane[4] = {0, 1, 0, 0};
  const uint32_t convex_end = 1, convex_plane = 0;
  clothc_collider_shapes shapes;
  check(clothc_struct_init(CLOTHC_STRUCT_COLLIDER_SHAPES, &shapes, sizeof shapes));
  shapes.plane_count = shapes.convex_count = 1;
  shapes.planes = plane;
  shapes.convex_ends = &convex_end;
  shapes.convex_planes = &convex_plane;
  clothc_collider_set_id floor_set;
  check(clothc_collider_set_create(solver, &floor_set));
  check(clothc_collider_set_write(solver, floor_set, &shapes));

  /* The chain begins level, and an inverse mass of 0 pins its first particle. The other particles
   * wait in layers above it. */
  float positions[PARTICLE_COUNT][4];
  for (uint32_t particle = 0; particle < PARTICLE_COUNT; particle++) {
    float* position = positions[particle];
    const uint32_t waiting = particle - CHAIN_COUNT;
    const int in_chain = particle < CHAIN_COUNT;
    position[0] =
        in_chain ? 2.5f * radius * (float)particle : 2.5f * radius * (float)(waiting % 10);
    position[1] = in_chain ? 1.5f : 2 + 2.5f * radius * (float)(waiting / 60);
    position[2] = in_chain ? 0 : 2.5f * radius * ((float)(waiting / 10 % 6) - 2.4f);
    position[3] = particle == 0 ? 0 : 1;
  }
  clothc_cloth_parameters parameters;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_PARAMETERS, &parameters, sizeof parameters));
  parameters.friction = 0.4f;
  parameters.self_collision_damping = 1;
  clothc_group_desc desc;
  check(clothc_struct_init(CLOTHC_STRUCT_GROUP_DESC, &desc, sizeof desc));
  desc.particle_count = PARTICLE_COUNT;
  desc.positions = positions[0];
  desc.radius = radius;
  desc.parameters = &parameters;
  desc.collider_sets = &floor_set;
  desc.collider_set_count = 1;
  clothc_group_id group;
  check(clothc_group_add(solver, &desc, &group));

  /* Springs between neighbours of the chain. The buffers are read during the call and may be
   * changed after it. */
  const clothc_buffer indices = make_buffer(device, CLOTHC_FORMAT_UINT, 2 * SPRING_COUNT);
  const clothc_buffer lengths = make_buffer(device, CLOTHC_FORMAT_FLOAT, SPRING_COUNT);
  const clothc_buffer stiffness = make_buffer(device, CLOTHC_FORMAT_FLOAT, SPRING_COUNT);
  uint32_t* ends = map(indices);
  float *rest = map(lengths), *stiff = map(stiffness);
  for (uint32_t spring = 0; spring < SPRING_COUNT; spring++) {
    ends[2 * spring] = spring;
    ends[2 * spring + 1] = spring + 1;
    rest[spring] = 2.5f * radius;
    stiff[spring] = 0.9f;
  }
  check(clothc_buffer_unmap(indices));
  check(clothc_buffer_unmap(lengths));
  check(clothc_buffer_unmap(stiffness));
  check(clothc_group_set_springs(solver, group, indices, lengths, stiffness, SPRING_COUNT));

  /* All particles have the same group number. With the flag they collide with each other
   * nevertheless. */
  const clothc_buffer phases = make_buffer(device, CLOTHC_FORMAT_UINT, PARTICLE_COUNT);
  uint32_t* phase = map(phases);
  for (uint32_t particle = 0; particle < PARTICLE_COUNT; particle++)
    phase[particle] = 1 | CLOTHC_PARTICLE_PHASE_SELF_COLLIDE;
  check(clothc_buffer_unmap(phases));
  clothc_group_info info;
  check(clothc_struct_init(CLOTHC_STRUCT_GROUP_INFO, &info, sizeof info));
  check(clothc_group_get_info(solver, group, &info));
  const clothc_region to_group = {0, info.first_particle, PARTICLE_COUNT};
  check(clothc_solver_set(solver, CLOTHC_CHANNEL_PARTICLE_PHASE, phases, NULL, &to_group, 1, 0));

  /* The active set: the chain at first, then five particles more in each frame of the second
   * half. */
  const clothc_buffer active = make_buffer(device, CLOTHC_FORMAT_UINT, PARTICLE_COUNT);
  const clothc_buffer values = make_buffer(device, CLOTHC_FORMAT_FLOAT4, PARTICLE_COUNT);
  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  uint32_t active_count = CHAIN_COUNT;
  for (int frame = 0; frame < FRAME_COUNT; frame++) {
    if (frame >= FRAME_COUNT / 2 && active_count + 5 <= PARTICLE_COUNT) active_count += 5;
    uint32_t* list = map(active);
    for (uint32_t k = 0; k < active_count; k++) list[k] = k;
    check(clothc_buffer_unmap(active));
    check(clothc_group_set_active(solver, group, active, active_count));
    check(clothc_solver_update(solver, &update, NULL));
    if (frame % 60 != 59) continue;

    const clothc_region from_group = {info.first_particle, 0, PARTICLE_COUNT};
    check(clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, values, NULL, &from_group, 1, 0));
    const float* position = map(values);
    uint32_t on_floor = 0;
    for (uint32_t particle = CHAIN_COUNT; particle < active_count; particle++)
      on_floor += position[4 * particle + 1] < 2 * radius;
    printf(
        "frame %3d: %3u active, the chain ends at (%.2f, %.2f, %.2f), %u particles on the floor\n",
        frame + 1, active_count, (double)position[4 * (CHAIN_COUNT - 1)],
        (double)position[4 * (CHAIN_COUNT - 1) + 1], (double)position[4 * (CHAIN_COUNT - 1) + 2],
        on_floor);
    check(clothc_buffer_unmap(values));
  }

  check(clothc_device_destroy(device));
  return 0;
}
