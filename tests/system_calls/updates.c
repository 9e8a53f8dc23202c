/* updates.c - updates a hanging sheet of 50 x 50 particles as often as told, waiting for each one.
 * updates WORKERS SCHEDULE COUNT */
#include <clothc.h>
#include <stdio.h>
#include <stdlib.h>
#define INIT(KIND, object) clothc_struct_init(CLOTHC_STRUCT_##KIND, &object, sizeof object)
enum { SIDE = 50, VERTICES = SIDE * SIDE, QUADS = (SIDE - 1) * (SIDE - 1) };

static float positions[VERTICES][3], inverse_masses[VERTICES];
static uint32_t quads[QUADS][4];

static void make_sheet(clothc_mesh_desc* mesh) {
  for (uint32_t i = 0; i < VERTICES; i++) {
    positions[i][0] = (float)(i % SIDE) * 0.02f, positions[i][2] = (float)(i / SIDE) * 0.02f;
    inverse_masses[i] = i >= SIDE;
  }
  for (uint32_t i = 0; i < QUADS; i++) {
    const uint32_t corner = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
    quads[i][0] = corner, quads[i][1] = corner + 1, quads[i][2] = corner + SIDE + 1, quads[i][3] = corner + SIDE;
  }
  INIT(MESH_DESC, *mesh);
  mesh->vertex_count = VERTICES, mesh->positions = positions[0], mesh->inverse_masses = inverse_masses;
  mesh->quad_count = QUADS, mesh->quads = quads[0];
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
  if (argc != 4) return 2;
  INIT(DEVICE_DESC, device_desc), INIT(SOLVER_DESC, solver_desc), INIT(CLOTH_DESC, cloth_desc), INIT(UPDATE, update);
  device_desc.backend = CLOTHC_BACKEND_CPU, device_desc.worker_count = (uint32_t)atoi(argv[1]);
  solver_desc.schedule = (clothc_schedule)atoi(argv[2]);
  make_sheet(&mesh);
  if (clothc_device_create(&device_desc, &device) || clothc_solver_create(device, &solver_desc, &solver)) return 1;
  if (clothc_fabric_cook(device, &mesh, &cloth_desc.fabric) || clothc_cloth_add(solver, &cloth_desc, &cloth)) return 1;
  for (int frame = atoi(argv[3]); frame > 0; frame--) {
    if (clothc_solver_update(solver, &update, &value) || clothc_solver_wait(solver, value, UINT64_MAX)) return 1;
  }
  return 0;
}
