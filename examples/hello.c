/* hello.c - hangs a 20 x 20 sheet by its first row and prints where a free corner is after one second. */
#include <clothc.h>
#include <stdio.h>
#define INIT(KIND, object) clothc_struct_init(CLOTHC_STRUCT_##KIND, &object, sizeof object)

int main(void) {
  clothc_device device; clothc_solver solver; clothc_cloth_id cloth; clothc_buffer buffer; void* positions;
  clothc_device_desc device_desc; clothc_solver_desc solver_desc; clothc_buffer_desc buffer_desc;
  clothc_mesh_desc mesh; clothc_cloth_desc cloth_desc; clothc_update update;
  float xyz[400][3] = {{0}}, inverse_masses[400]; uint32_t quads[361][4], around[4] = {0, 1, 21, 20};
  for (int i = 0; i < 400; i++) xyz[i][0] = i % 20 * 0.05f, xyz[i][2] = i / 20 * 0.05f, inverse_masses[i] = i >= 20;
  for (uint32_t i = 0; i < 361 * 4; i++) quads[i / 4][i % 4] = i / 4 + i / 76 + around[i % 4];

  INIT(DEVICE_DESC, device_desc), INIT(SOLVER_DESC, solver_desc), INIT(BUFFER_DESC, buffer_desc);
  INIT(MESH_DESC, mesh), INIT(CLOTH_DESC, cloth_desc), INIT(UPDATE, update); /* steps of 1/60 s */
  mesh.vertex_count = buffer_desc.count = 400, mesh.positions = xyz[0], mesh.inverse_masses = inverse_masses;
  mesh.quad_count = 361, mesh.quads = quads;
  if (clothc_device_create(&device_desc, &device) || clothc_solver_create(device, &solver_desc, &solver)) return 1;
  if (clothc_fabric_cook(device, &mesh, &cloth_desc.fabric) || clothc_cloth_add(solver, &cloth_desc, &cloth)) return 1;
  if (clothc_buffer_create(device, &buffer_desc, &buffer)) return 1;

  for (int frame = 0; frame < 60; frame++) clothc_solver_update(solver, &update, NULL);
  clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, buffer, NULL, NULL, 0, 0);
  if (clothc_buffer_map(buffer, CLOTHC_MAP_READ, &positions)) return 1; /* waits for the get */
  printf("after a second a free corner is at height %.3f m\n", ((float*)positions)[4 * 399 + 1]);
  return clothc_buffer_unmap(buffer);
}
