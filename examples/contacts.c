/* contacts.c - drops a sheet on a ball that lies on the floor, and reads which shape holds which
 * particle, and how hard. When the sheet has come to rest, the contacts carry nearly all of its
 * weight; friction, which acts across a contact's normal and is not reported, carries the rest. */
#include <clothc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 30, VERTEX_COUNT = SIDE * SIDE, QUAD_COUNT = (SIDE - 1) * (SIDE - 1) };
enum { CONTACT_CAPACITY = 2048 };

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

/* Cooks a level sheet without pins, one metre above the floor, of 0.2 kg/m2. */
static clothc_fabric cook_sheet(clothc_device device) {
  static float positions[VERTEX_COUNT][3];
  static uint32_t quads[QUAD_COUNT][4];
  for (uint32_t vertex = 0; vertex < VERTEX_COUNT; vertex++) {
    positions[vertex][0] = 0.04f * ((float)(vertex % SIDE) - 0.5f * (SIDE - 1));
    positions[vertex][1] = 1;
    positions[vertex][2] = 0.04f * ((float)(vertex / SIDE) - 0.5f * (SIDE - 1));
  }
  for (uint32_t quad = 0; quad < QUAD_COUNT; quad++) {
    const uint32_t first = quad / (SIDE - 1) * SIDE + quad % (SIDE - 1);
    const uint32_t corners[4] = {first, first + 1, first + SIDE + 1, first + SIDE};
    memcpy(quads[quad], corners, sizeof corners);
  }
  clothc_mesh_desc mesh;
  check(clothc_struct_init(CLOTHC_STRUCT_MESH_DESC, &mesh, sizeof mesh));
  mesh.vertex_count = VERTEX_COUNT;
  mesh.positions = positions[0];
  mesh.areal_density = 0.2f;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  clothc_fabric fabric;
  check(clothc_fabric_cook(device, &mesh, &fabric));
  return fabric;
}

static clothc_collider_set_id make_floor_and_ball(clothc_solver solver) {
  const float floor_plane[4] = {0, 1, 0, 0}, ball[4] = {0, 0.25f, 0, 0.25f};
  clothc_collider_shapes shapes;
  check(clothc_struct_init(CLOTHC_STRUCT_COLLIDER_SHAPES, &shapes, sizeof shapes));
  shapes.plane_count = 1;
  shapes.planes = floor_plane;
  shapes.sphere_count = 1;
  shapes.spheres = ball;
  clothc_collider_set_id set;
  check(clothc_collider_set_create(solver, &set));
  check(clothc_collider_set_write(solver, set, &shapes));
  return set;
}

static clothc_buffer make_buffer(clothc_device device, clothc_format format, uint32_t stride,
                                 uint64_t count) {
  clothc_buffer_desc buffer_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_BUFFER_DESC, &buffer_desc, sizeof buffer_desc));
  buffer_desc.format = format;
  buffer_desc.stride = stride;
  buffer_desc.count = count;
  clothc_buffer buffer;
  check(clothc_buffer_create(device, &buffer_desc, &buffer));
  return buffer;
}

/* Reads the contacts of the last update and prints what holds the sheet up. */
static void print_contacts(clothc_solver solver, clothc_cloth_id sheet, clothc_buffer count_buffer,
                           clothc_buffer contact_buffer, int frame) {
  check(clothc_solver_get(solver, CLOTHC_CHANNEL_CONTACT_COUNT, count_buffer, NULL, NULL, 0, 0));
  check(clothc_solver_get(solver, CLOTHC_CHANNEL_CONTACT, contact_buffer, NULL, NULL, 0, 0));
  uint32_t count;
  check(clothc_buffer_read(count_buffer, 0, sizeof count, &count));
  if (count > CONTACT_CAPACITY) count = CONTACT_CAPACITY; /* there were more than fit */

  clothc_cloth_status status;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_STATUS, &status, sizeof status));
  check(clothc_cloth_get_status(solver, sheet, &status));
  void* pointer;
  check(clothc_buffer_map(contact_buffer, CLOTHC_MAP_READ, &pointer));
  const clothc_contact* contacts = pointer;
  uint32_t on_floor = 0, on_ball = 0;
  float upwards = 0;
  for (uint32_t index = 0; index < count; index++) {
    if (contacts[index].kind == CLOTHC_SHAPE_CONVEX) on_floor++; /* a plane is one too */
    if (contacts[index].kind == CLOTHC_SHAPE_SPHERE) on_ball++;
    /* The impulse is that of the update's last iteration. */
    upwards += contacts[index].impulse * contacts[index].normal[1] / status.iteration_dt;
  }
  check(clothc_buffer_unmap(contact_buffer));
  printf("frame %3d: %3u particles on the floor and %3u on the ball are pushed up with %.2f N\n",
         frame, on_floor, on_ball, upwards);
}

int main(void) {
  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  solver_desc.contact_capacity = CONTACT_CAPACITY; /* of all cloths, per update */
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));
  const clothc_collider_set_id set = make_floor_and_ball(solver);

  clothc_cloth_parameters parameters;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_PARAMETERS, &parameters, sizeof parameters));
  parameters.friction = 0.5f;
  parameters.collision_flags |= CLOTHC_COLLISION_REPORT;
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  cloth_desc.fabric = cook_sheet(device);
  cloth_desc.parameters = &parameters;
  cloth_desc.collider_sets = &set;
  cloth_desc.collider_set_count = 1;
  clothc_cloth_id sheet;
  check(clothc_cloth_add(solver, &cloth_desc, &sheet));

  const clothc_buffer count_buffer = make_buffer(device, CLOTHC_FORMAT_UINT, 0, 1);
  const clothc_buffer contact_buffer =
      make_buffer(device, CLOTHC_FORMAT_RECORD, sizeof(clothc_contact), CONTACT_CAPACITY);
  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  for (int frame = 1; frame <= 180; frame++) {
    check(clothc_solver_update(solver, &update, NULL));
    if (frame % 30 == 0) print_contacts(solver, sheet, count_buffer, contact_buffer, frame);
  }
  printf("the sheet weighs %.2f N\n", 0.2f * 9.81f * 0.04f * 0.04f * QUAD_COUNT);
  check(clothc_device_destroy(device));
  return 0;
}
