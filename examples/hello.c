/* hello.c - hangs a sheet by its first row and prints where a free corner is after one second. */
#include <clothc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 20, VERTEX_COUNT = SIDE * SIDE, QUAD_COUNT = (SIDE - 1) * (SIDE - 1) };

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

int main(void) {
  /* A level sheet whose vertices are 5 cm apart. The inverse mass 0 pins its first row. */
  float positions[VERTEX_COUNT][3] = {{0}}, inverse_masses[VERTEX_COUNT];
  uint32_t quads[QUAD_COUNT][4];
  for (uint32_t vertex = 0; vertex < VERTEX_COUNT; vertex++) {
    positions[vertex][0] = 0.05f * (float)(vertex % SIDE);
    positions[vertex][2] = 0.05f * (float)(vertex / SIDE);
    inverse_masses[vertex] = vertex < SIDE ? 0.0f : 1.0f;
  }
  for (uint32_t quad = 0; quad < QUAD_COUNT; quad++) {
    const uint32_t first = quad / (SIDE - 1) * SIDE + quad % (SIDE - 1);
    const uint32_t corners[4] = {first, first + 1, first + SIDE + 1, first + SIDE};
    memcpy(quads[quad], corners, sizeof corners);
  }

  /* The device does the work. The solver steps all cloths that are added to it. */
  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));

  /* The mesh is cooked into a fabric, which any number of cloths may share. */
  clothc_mesh_desc mesh;
  check(clothc_struct_init(CLOTHC_STRUCT_MESH_DESC, &mesh, sizeof mesh));
  mesh.vertex_count = VERTEX_COUNT;
  mesh.positions = positions[0];
  mesh.inverse_masses = inverse_masses;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  check(clothc_fabric_cook(device, &mesh, &cloth_desc.fabric));
  clothc_cloth_id cloth;
  check(clothc_cloth_add(solver, &cloth_desc, &cloth));

  /* Updates return while the work goes on. By default each one steps 1/60 s. */
  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  for (int frame = 0; frame < 60; frame++) check(clothc_solver_update(solver, &update, NULL));

  /* The get follows the updates, and reading the buffer waits for the get. The only cloth's
   * particles are the channel's first elements, each with a position and an inverse mass. */
  clothc_buffer_desc buffer_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_BUFFER_DESC, &buffer_desc, sizeof buffer_desc));
  buffer_desc.count = VERTEX_COUNT;
  clothc_buffer buffer;
  check(clothc_buffer_create(device, &buffer_desc, &buffer));
  check(clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, buffer, NULL, NULL, 0, 0));
  float corner[4];
  check(clothc_buffer_read(buffer, (VERTEX_COUNT - 1) * sizeof corner, sizeof corner, corner));
  printf("after a second a free corner is at height %.3f m\n", corner[1]);

  check(clothc_device_destroy(device)); /* and everything that was made from it */
  return 0;
}
