/* cloth.c - makes the sheet, and binds what updates write. */
#include "cloth.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t quads[QUAD_COUNT][4];

static float positions[VERTEX_COUNT][3], inverse_masses[VERTEX_COUNT];

void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

static void make_sheet(void) {
  for (uint32_t row = 0; row < ROWS; row++) {
    for (uint32_t column = 0; column < COLUMNS; column++) {
      const uint32_t vertex = row * COLUMNS + column;
      positions[vertex][0] = -1.0f + (float)column / (COLUMNS - 1) * 2.0f;
      positions[vertex][1] = 0.65f - (float)row / (ROWS - 1) * 1.3f;
      inverse_masses[vertex] = 1;
    }
  }
  inverse_masses[0] = inverse_masses[COLUMNS - 1] = 0;
  for (uint32_t quad = 0; quad < QUAD_COUNT; quad++) {
    const uint32_t first = quad / (COLUMNS - 1) * COLUMNS + quad % (COLUMNS - 1);
    quads[quad][0] = first;
    quads[quad][1] = first + COLUMNS;
    quads[quad][2] = first + COLUMNS + 1;
    quads[quad][3] = first + 1;
  }
}

Cloth make_cloth(clothc_device device) {
  make_sheet();
  clothc_mesh_desc mesh;
  check(clothc_struct_init(CLOTHC_STRUCT_MESH_DESC, &mesh, sizeof mesh));
  mesh.vertex_count = VERTEX_COUNT;
  mesh.positions = positions[0];
  mesh.inverse_masses = inverse_masses;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  mesh.areal_density = 0.2f;
  clothc_fabric fabric;
  check(clothc_fabric_cook(device, &mesh, &fabric));

  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  Cloth cloth;
  check(clothc_solver_create(device, &solver_desc, &cloth.solver));

  clothc_cloth_parameters parameters;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_PARAMETERS, &parameters, sizeof parameters));
  parameters.damping[0] = parameters.damping[1] = parameters.damping[2] = 0.2f;
  parameters.wind_velocity[0] = 2.5f;
  parameters.wind_velocity[2] = 0.8f;
  parameters.drag_coefficient = 0.02f;
  parameters.lift_coefficient = 0.03f;
  parameters.fluid_density = 1.2f;
  clothc_cloth_desc desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &desc, sizeof desc));
  desc.fabric = fabric;
  desc.parameters = &parameters;
  check(clothc_cloth_add(cloth.solver, &desc, &cloth.id));
  return cloth;
}

void bind_vertices(Cloth cloth, clothc_buffer vertices) {
  clothc_view view;
  check(clothc_struct_init(CLOTHC_STRUCT_VIEW, &view, sizeof view));
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = offsetof(Vertex, position);
  check(clothc_cloth_bind(cloth.solver, cloth.id, CLOTHC_CHANNEL_POSITION, vertices, &view));
  view.byte_offset = offsetof(Vertex, normal);
  check(clothc_cloth_bind(cloth.solver, cloth.id, CLOTHC_CHANNEL_NORMAL, vertices, &view));
}
