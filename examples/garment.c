/* garment.c - a skirt on hips that walk and turn. The skirt lives in the frame of the hips: its
 * waist is pinned there, the legs are capsules that swing in the same frame, and every update
 * writes positions and normals into vertices that a renderer could draw. */
#include <clothc.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 48, ROWS = 24, VERTEX_COUNT = (COLUMNS + 1) * ROWS };
enum { QUAD_COUNT = COLUMNS * (ROWS - 1), FRAMES_PER_SECOND = 60, FRAME_COUNT = 120 };
static const float pi = 3.14159265f;

struct vertex {
  float position[3], normal[3], texture_coordinates[2];
};
static struct vertex vertices[VERTEX_COUNT];
static float inverse_masses[VERTEX_COUNT];
static uint32_t quads[QUAD_COUNT][4];

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

/* Makes a cone of cloth around the y axis whose first row is the waist. The texture needs a seam:
 * the last column has the positions of the first one, and cooking welds the two together. */
static clothc_fabric cook_skirt(clothc_device device) {
  for (int index = 0; index < VERTEX_COUNT; index++) {
    const int column = index % (COLUMNS + 1), row = index / (COLUMNS + 1);
    const float down = (float)row / (ROWS - 1), radius = 0.2f + 0.15f * down;
    const float angle = 2 * pi * (float)(column % COLUMNS) / COLUMNS;
    struct vertex* vertex = &vertices[index];
    vertex->position[0] = radius * cosf(angle);
    vertex->position[1] = -0.6f * down;
    vertex->position[2] = radius * sinf(angle);
    vertex->texture_coordinates[0] = (float)column / COLUMNS;
    vertex->texture_coordinates[1] = down;
    inverse_masses[index] = row == 0 ? 0.0f : 1.0f;
  }
  for (uint32_t index = 0; index < QUAD_COUNT; index++) {
    const uint32_t first = index / COLUMNS * (COLUMNS + 1) + index % COLUMNS;
    quads[index][0] = first; /* counter-clockwise seen from outside, where normals point */
    quads[index][1] = first + 1;
    quads[index][2] = first + COLUMNS + 2;
    quads[index][3] = first + COLUMNS + 1;
  }
  clothc_mesh_desc mesh;
  check(clothc_struct_init(CLOTHC_STRUCT_MESH_DESC, &mesh, sizeof mesh));
  mesh.vertex_count = VERTEX_COUNT;
  mesh.positions = vertices[0].position;
  mesh.position_stride = sizeof(struct vertex);
  mesh.inverse_masses = inverse_masses;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  clothc_fabric fabric;
  check(clothc_fabric_cook(device, &mesh, &fabric));
  return fabric;
}

/* Tells where the body is at the end of the next update: the legs in the frame of the hips, and
 * the frame in the world. */
static void pose_body(clothc_solver solver, clothc_cloth_id skirt, clothc_collider_set_id legs,
                      int frame_number) {
  const float time = (float)frame_number / FRAMES_PER_SECOND;
  const float swing = 0.4f * sinf(2 * pi * time), turn = 0.5f * (1 - cosf(pi * time));
  const float foot_y = -0.12f - 0.8f * cosf(swing), foot_z = 0.8f * sinf(swing);
  const float spheres[4][4] = {{-0.09f, -0.12f, 0, 0.09f},       /* left hip joint */
                               {-0.09f, foot_y, foot_z, 0.05f},  /* left foot */
                               {0.09f, -0.12f, 0, 0.09f},        /* right hip joint */
                               {0.09f, foot_y, -foot_z, 0.05f}}; /* right foot */
  const uint32_t capsules[3][2] = {{0, 1}, {2, 3}, {0, 2}};      /* legs, and hips between them */
  clothc_collider_shapes shapes;
  check(clothc_struct_init(CLOTHC_STRUCT_COLLIDER_SHAPES, &shapes, sizeof shapes));
  shapes.sphere_count = 4;
  shapes.spheres = spheres[0];
  shapes.capsule_count = 3;
  shapes.capsules = capsules[0];
  check(clothc_collider_set_write(solver, legs, &shapes));

  clothc_cloth_frame frame;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_FRAME, &frame, sizeof frame));
  frame.translation[1] = 1;           /* the waist is a metre above the ground */
  frame.translation[2] = 1.2f * time; /* and walks at 1.2 m/s */
  frame.rotation[1] = sinf(turn / 2);
  frame.rotation[3] = cosf(turn / 2);
  if (frame_number == 0) frame.flags = CLOTHC_FRAME_CLEAR_INERTIA; /* put there, not moved */
  check(clothc_cloth_set_frame(solver, skirt, &frame));
}

/* Makes every update write positions and normals into a buffer of vertices. */
static clothc_buffer bind_vertices(clothc_device device, clothc_solver solver,
                                   clothc_cloth_id skirt) {
  clothc_buffer_desc buffer_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_BUFFER_DESC, &buffer_desc, sizeof buffer_desc));
  buffer_desc.format = CLOTHC_FORMAT_RECORD;
  buffer_desc.stride = sizeof(struct vertex);
  buffer_desc.count = VERTEX_COUNT;
  clothc_buffer buffer;
  check(clothc_buffer_create(device, &buffer_desc, &buffer));
  check(clothc_buffer_write(buffer, 0, sizeof vertices, vertices)); /* texture coordinates stay */

  clothc_view view;
  check(clothc_struct_init(CLOTHC_STRUCT_VIEW, &view, sizeof view));
  view.format = CLOTHC_FORMAT_FLOAT3;
  view.byte_offset = offsetof(struct vertex, position);
  check(clothc_cloth_bind(solver, skirt, CLOTHC_CHANNEL_POSITION, buffer, &view));
  view.byte_offset = offsetof(struct vertex, normal);
  check(clothc_cloth_bind(solver, skirt, CLOTHC_CHANNEL_NORMAL, buffer, &view));
  return buffer;
}

/* Stands for a renderer, which would draw the vertices with the frame as their model matrix. */
static void draw(const struct vertex* mesh, int frame_number) {
  const float* position = mesh[VERTEX_COUNT - 1].position;
  const float* normal = mesh[VERTEX_COUNT - 1].normal;
  printf("frame %3d: last vertex of the hem at (%.3f, %.3f, %.3f) m, normal (%.2f, %.2f, %.2f)\n",
         frame_number, position[0], position[1], position[2], normal[0], normal[1], normal[2]);
}

int main(void) {
  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));
  clothc_collider_set_id legs;
  check(clothc_collider_set_create(solver, &legs));

  clothc_cloth_parameters parameters;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_PARAMETERS, &parameters, sizeof parameters));
  parameters.friction = 0.3f;
  parameters.contact_margin = 0.01f; /* the cloth keeps 1 cm away from the legs */
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  cloth_desc.fabric = cook_skirt(device);
  cloth_desc.parameters = &parameters;
  cloth_desc.collider_sets = &legs;
  cloth_desc.collider_set_count = 1;
  clothc_cloth_id skirt;
  check(clothc_cloth_add(solver, &cloth_desc, &skirt));
  const clothc_buffer buffer = bind_vertices(device, solver, skirt);

  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  update.dt = 1.0f / FRAMES_PER_SECOND;
  for (int frame_number = 0; frame_number < FRAME_COUNT; frame_number++) {
    pose_body(solver, skirt, legs, frame_number);
    check(clothc_solver_update(solver, &update, NULL));
    void* mesh;
    check(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mesh)); /* waits for the update */
    if (frame_number % 30 == 29) draw(mesh, frame_number);
    check(clothc_buffer_unmap(buffer)); /* before the next update, which writes it again */
  }
  check(clothc_device_destroy(device));
  return 0;
}
