/* debug_lines.c - drops a sheet over a ball and draws what the solver works with as lines: which
 * constraints are stretched, where the ball is, and what it touches. Given the name of a file, it
 * writes the lines there as PLY, which MeshLab and Blender show. */
#include <clothc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float FULL_STRAIN = 0.5f; /* at which a line is red */
enum { SIDE = 30, VERTEX_COUNT = SIDE * SIDE, QUAD_COUNT = (SIDE - 1) * (SIDE - 1) };

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

/* Cooks a level sheet of 0.2 kg/m2 whose first corner is pinned. */
static clothc_fabric cook_sheet(clothc_device device) {
  static float positions[VERTEX_COUNT][3], inverse_masses[VERTEX_COUNT];
  static uint32_t quads[QUAD_COUNT][4];
  for (uint32_t vertex = 0; vertex < VERTEX_COUNT; vertex++) {
    positions[vertex][0] = 0.04f * ((float)(vertex % SIDE) - 0.5f * (SIDE - 1));
    positions[vertex][1] = 1;
    positions[vertex][2] = 0.04f * ((float)(vertex / SIDE) - 0.5f * (SIDE - 1));
    inverse_masses[vertex] = vertex == 0 ? 0.0f : 1.0f;
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
  mesh.inverse_masses = inverse_masses;
  mesh.areal_density = 0.2f;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  clothc_fabric fabric;
  check(clothc_fabric_cook(device, &mesh, &fabric));
  return fabric;
}

static clothc_collider_set_id make_ball(clothc_solver solver) {
  const float ball[4] = {0.2f, 0.4f, 0.2f, 0.25f};
  clothc_collider_shapes shapes;
  check(clothc_struct_init(CLOTHC_STRUCT_COLLIDER_SHAPES, &shapes, sizeof shapes));
  shapes.sphere_count = 1;
  shapes.spheres = ball;
  clothc_collider_set_id set;
  check(clothc_collider_set_create(solver, &set));
  check(clothc_collider_set_write(solver, set, &shapes));
  return set;
}

/* Returns the lines of what the flags ask for; the caller frees them. */
static clothc_debug_line* draw(clothc_solver solver, uint32_t flags, uint32_t* count) {
  clothc_debug_desc desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEBUG_DESC, &desc, sizeof desc));
  desc.flags = flags;
  desc.full_strain = FULL_STRAIN;
  check(clothc_solver_get_debug_lines(solver, &desc, NULL, count)); /* only their number */
  clothc_debug_line* lines = malloc((*count + 1) * sizeof *lines);
  if (lines == NULL) exit(EXIT_FAILURE);
  check(clothc_solver_get_debug_lines(solver, &desc, lines, count));
  return lines;
}

/* Returns how far the constraint whose line is reddest is stretched. */
static float largest_strain(clothc_solver solver) {
  uint32_t count;
  clothc_debug_line* lines = draw(solver, CLOTHC_DEBUG_PHASES, &count);
  float largest = 0;
  for (uint32_t index = 0; index < count; index++) {
    unsigned char colour[4];
    memcpy(colour, &lines[index].first_colour, sizeof colour);
    /* From 208 208 208 at rest to 255 0 0 at the full strain. */
    const float strain = colour[0] > 208 ? FULL_STRAIN * (float)(208 - colour[1]) / 208 : 0;
    if (strain > largest) largest = strain;
  }
  free(lines);
  return largest;
}

/* A line is a pair of vertices of 16 bytes each, as graphics APIs draw them. */
struct vertex {
  float position[3];
  unsigned char colour[4];
};

static void write_ply(const char* path, const clothc_debug_line* lines, uint32_t count) {
  FILE* file = fopen(path, "w");
  if (file == NULL) exit(EXIT_FAILURE);
  fprintf(file, "ply\nformat ascii 1.0\nelement vertex %u\n", 2 * count);
  fprintf(file, "property float x\nproperty float y\nproperty float z\n");
  fprintf(file, "property uchar red\nproperty uchar green\nproperty uchar blue\n");
  fprintf(file, "element edge %u\nproperty int vertex1\nproperty int vertex2\n", count);
  fprintf(file, "end_header\n");
  for (uint32_t index = 0; index < 2 * count; index++) {
    struct vertex vertex;
    memcpy(&vertex, (const char*)lines + index * sizeof vertex, sizeof vertex);
    fprintf(file, "%g %g %g ", vertex.position[0], vertex.position[1], vertex.position[2]);
    fprintf(file, "%u %u %u\n", vertex.colour[0], vertex.colour[1], vertex.colour[2]);
  }
  for (uint32_t index = 0; index < count; index++)
    fprintf(file, "%u %u\n", 2 * index, 2 * index + 1);
  fclose(file);
}

int main(int argument_count, char** arguments) {
  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  solver_desc.contact_capacity = VERTEX_COUNT;
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));
  const clothc_collider_set_id set = make_ball(solver);
  clothc_cloth_parameters parameters;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_PARAMETERS, &parameters, sizeof parameters));
  parameters.collision_flags |= CLOTHC_COLLISION_REPORT;
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  cloth_desc.fabric = cook_sheet(device);
  cloth_desc.parameters = &parameters;
  cloth_desc.collider_sets = &set;
  cloth_desc.collider_set_count = 1;
  clothc_cloth_id sheet;
  check(clothc_cloth_add(solver, &cloth_desc, &sheet));

  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  for (int frame = 1; frame <= 60; frame++) {
    check(clothc_solver_update(solver, &update, NULL));
    if (frame % 20 == 0)
      printf("frame %d: the reddest line is stretched by %.1f %%\n", frame,
             100 * largest_strain(solver));
  }
  uint32_t count;
  clothc_debug_line* lines =
      draw(solver, CLOTHC_DEBUG_PHASES | CLOTHC_DEBUG_COLLIDERS | CLOTHC_DEBUG_CONTACTS, &count);
  printf("constraints, ball and contacts are %u lines\n", count);
  if (argument_count > 1) write_ply(arguments[1], lines, count);
  free(lines);
  check(clothc_device_destroy(device));
  return 0;
}
