/* updates.c - updates a hanging sheet of SIDE x SIDE particles, at most 50 x 50, COUNT times, waiting for each update.
 * updates SIDE WORKERS SCHEDULE COUNT */
#include <clothc.h>
#include <stdio.h>
#include <stdlib.h>
#define INIT(KIND, object) clothc_struct_init(CLOTHC_STRUCT_##KIND, &object, sizeof object)
enum { MOST = 50 };

static float positions[MOST * MOST][3], inverse_masses[MOST * MOST];
static uint32_t quads[(MOST - 1) * (MOST - 1)][4];

static void make_sheet(uint32_t side, clothc_mesh_desc* mesh) {
  for (uint32_t i = 0; i < side * side; i++) {
    positions[i][0] = (float)(i % side) * 0.02f, positions[i][2] = (float)(i / side) * 0.02f;
    inverse_masses[i] = i >= side;
  }
  for (uint32_t i = 0; i < (side - 1) * (side - 1); i++) {
    const uint32_t corner = i / (side - 1) * side + i % (side - 1);
    quads[i][0] = corner, quads[i][1] = corner + 1, quads[i][2] = corner + side + 1, quads[i][3] = corner + side;
  }
  INIT(MESH_DESC, *mesh);
  mesh->vertex_count = side * side, mesh->positions = positions[0], mesh->inverse_masses = inverse_masses;
  mesh->quad_count = (side - 1) * (side - 1), mesh->quads = quads[0];
}

int main(int argc, char** argv) {
  clothc_device device;
  clothc_solver solver;
  clothc_cloth_id cloth;
  clothc_mesh_desc mesh;
  clothc_device_desc device_desc;
  clothc_solver_desc solver_desc;
  clothc_cloth_desc cloth_desc;
  clothc_update update;
  uint64_t value;
  if (argc != 5 || atoi(argv[1]) < 2 || atoi(argv[1]) > MOST) return 2;
  INIT(DEVICE_DESC, device_desc), INIT(SOLVER_DESC, solver_desc), INIT(CLOTH_DESC, cloth_desc), INIT(UPDATE, update);
  device_desc.backend = CLOTHC_BACKEND_CPU, device_desc.worker_count = (uint32_t)atoi(argv[2]);
  solver_desc.schedule = (clothc_schedule)atoi(argv[3]);
  make_sheet((uint32_t)atoi(argv[1]), &mesh);
  if (clothc_device_create(&device_desc, &device) || clothc_solver_create(device, &solver_desc, &solver)) return 1;
  if (clothc_fabric_cook(device, &mesh, &cloth_desc.fabric) || clothc_cloth_add(solver, &cloth_desc, &cloth)) return 1;
  for (int frame = atoi(argv[4]); frame > 0; frame--) {
    if (clothc_solver_update(solver, &update, &value) || clothc_solver_wait(solver, value, UINT64_MAX)) return 1;
  }
  return 0;
}
