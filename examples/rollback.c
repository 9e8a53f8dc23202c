/* rollback.c - takes a snapshot, goes on for half a second, restores the snapshot and makes the
 * same updates again: the state hash comes out the same. It does so once more with another device,
 * of a single thread and the plainest instructions, and gets the same hash there. */
#include <clothc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, VERTEX_COUNT = SIDE * SIDE, QUAD_COUNT = (SIDE - 1) * (SIDE - 1) };

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

struct world {
  clothc_device device;
  clothc_solver solver;
  clothc_fabric fabric;
};

/* Makes a device, a solver and the fabric of a flag that is pinned by its first column. */
static struct world make_world(uint32_t worker_count, clothc_isa instruction_set) {
  static float positions[VERTEX_COUNT][3], inverse_masses[VERTEX_COUNT];
  static uint32_t quads[QUAD_COUNT][4];
  for (uint32_t vertex = 0; vertex < VERTEX_COUNT; vertex++) {
    positions[vertex][0] = 0.05f * (float)(vertex % SIDE);
    positions[vertex][1] = -0.05f * (float)(vertex / SIDE);
    inverse_masses[vertex] = vertex % SIDE == 0 ? 0.0f : 1.0f;
  }
  for (uint32_t quad = 0; quad < QUAD_COUNT; quad++) {
    const uint32_t first = quad / (SIDE - 1) * SIDE + quad % (SIDE - 1);
    const uint32_t corners[4] = {first, first + 1, first + SIDE + 1, first + SIDE};
    memcpy(quads[quad], corners, sizeof corners);
  }
  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  device_desc.backend = CLOTHC_BACKEND_CPU;
  device_desc.worker_count = worker_count;
  device_desc.isa = instruction_set;
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  clothc_mesh_desc mesh;
  check(clothc_struct_init(CLOTHC_STRUCT_MESH_DESC, &mesh, sizeof mesh));
  mesh.vertex_count = VERTEX_COUNT;
  mesh.positions = positions[0];
  mesh.inverse_masses = inverse_masses;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  struct world world;
  check(clothc_device_create(&device_desc, &world.device));
  check(clothc_solver_create(world.device, &solver_desc, &world.solver));
  check(clothc_fabric_cook(world.device, &mesh, &world.fabric));
  return world;
}

/* Makes the updates of some frames and returns the hash of the state after them. What drives the
 * cloth, here wind, depends on nothing but the number of the frame, so it can be repeated. */
static uint64_t play(clothc_solver solver, clothc_cloth_id flag, int first_frame, int end_frame) {
  clothc_cloth_parameters parameters;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_PARAMETERS, &parameters, sizeof parameters));
  check(clothc_cloth_get_parameters(solver, flag, &parameters));
  parameters.drag_coefficient = 0.05f;
  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  for (int frame = first_frame; frame < end_frame; frame++) {
    parameters.wind_velocity[0] = 6;
    parameters.wind_velocity[2] = frame / 10 % 2 == 0 ? 2.0f : -2.0f;
    check(clothc_cloth_set_parameters(solver, flag, &parameters));
    check(clothc_solver_update(solver, &update, NULL));
  }
  uint64_t hash;
  check(clothc_solver_state_hash(solver, &hash));
  return hash;
}

int main(void) {
  struct world world = make_world(0, CLOTHC_ISA_AUTO);
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  cloth_desc.fabric = world.fabric;
  clothc_cloth_id flag;
  check(clothc_cloth_add(world.solver, &cloth_desc, &flag));
  const uint64_t hash_then = play(world.solver, flag, 0, 60);

  uint64_t size;
  check(clothc_solver_snapshot(world.solver, NULL, &size)); /* asks for the size */
  void* snapshot = malloc(size);
  if (snapshot == NULL) return EXIT_FAILURE;
  check(clothc_solver_snapshot(world.solver, snapshot, &size));
  const uint64_t hash_first = play(world.solver, flag, 60, 90);

  /* Ids come back with the snapshot: the flag is called what it was called before. */
  check(clothc_solver_restore(world.solver, snapshot, size, &world.fabric, 1));
  uint64_t hash_restored;
  check(clothc_solver_state_hash(world.solver, &hash_restored));
  const uint64_t hash_again = play(world.solver, flag, 60, 90);

  /* An empty solver takes the snapshot too, here that of a slower device. */
  struct world other = make_world(1, CLOTHC_ISA_SCALAR);
  check(clothc_solver_restore(other.solver, snapshot, size, &other.fabric, 1));
  const uint64_t hash_elsewhere = play(other.solver, flag, 60, 90);

  printf("frame 60: hash %016" PRIx64 ", a snapshot of %" PRIu64 " bytes\n", hash_then, size);
  printf("restored: hash %016" PRIx64 "\n", hash_restored);
  printf("frame 90: hash %016" PRIx64 ", again %016" PRIx64 ", elsewhere %016" PRIx64 "\n",
         hash_first, hash_again, hash_elsewhere);
  free(snapshot);
  check(clothc_device_destroy(world.device));
  check(clothc_device_destroy(other.device));
  const int same = hash_restored == hash_then && hash_again == hash_first &&
                   hash_elsewhere == hash_first && hash_first != hash_then;
  if (!same) fprintf(stderr, "the hashes should have been the same\n");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
