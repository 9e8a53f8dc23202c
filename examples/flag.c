/* flag.c - the flag of scenes/flag.json: a sheet on a mast in gusty wind. Prints its stretch and
 * the hash of its state, which is that of `clothc sim scenes/flag.json` and of the same example
 * in other languages (bindings/).
 * Usage: flag [FRAMES]. Without the number it simulates 300 frames, which are 5 seconds. */
#include <clothc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  COLUMNS = 81,
  ROWS = 53,
  VERTEX_COUNT = COLUMNS * ROWS,
  QUAD_COUNT = (COLUMNS - 1) * (ROWS - 1)
};

static float positions[VERTEX_COUNT][3], inverse_masses[VERTEX_COUNT];
static uint32_t quads[QUAD_COUNT][4];

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

/* 2 m x 1.3 m. The inverse mass 0 pins the left edge. */
static void make_sheet(void) {
  for (uint32_t row = 0; row < ROWS; row++) {
    for (uint32_t column = 0; column < COLUMNS; column++) {
      const uint32_t vertex = row * COLUMNS + column;
      positions[vertex][0] = -1.0f + (float)column / (COLUMNS - 1) * 2.0f;
      positions[vertex][1] = 2.6f - (float)row / (ROWS - 1) * 1.3f;
      inverse_masses[vertex] = column == 0 ? 0.0f : 1.0f;
    }
  }
  for (uint32_t quad = 0; quad < QUAD_COUNT; quad++) {
    const uint32_t first = quad / (COLUMNS - 1) * COLUMNS + quad % (COLUMNS - 1);
    quads[quad][0] = first;
    quads[quad][1] = first + 1;
    quads[quad][2] = first + 1 + COLUMNS;
    quads[quad][3] = first + COLUMNS;
  }
}

/* The ground, and a mast that is 4 cm thick. Each convex is a list of planes. */
static clothc_collider_set_id add_colliders(clothc_solver solver) {
  static const float planes[][4] = {{0, 1, 0, 0},     {-1, 0, 0, -1.05f}, {1, 0, 0, 1.01f},
                                    {0, -1, 0, 0},    {0, 1, 0, -2.7f},   {0, 0, -1, -0.02f},
                                    {0, 0, 1, -0.02f}};
  static const uint32_t members[] = {0, 1, 2, 3, 4, 5, 6}, ends[] = {1, 7};
  clothc_collider_shapes shapes;
  check(clothc_struct_init(CLOTHC_STRUCT_COLLIDER_SHAPES, &shapes, sizeof shapes));
  shapes.plane_count = 7;
  shapes.planes = planes[0];
  shapes.convex_count = 2;
  shapes.convex_planes = members;
  shapes.convex_ends = ends;
  clothc_collider_set_id set;
  check(clothc_collider_set_create(solver, &set));
  check(clothc_collider_set_write(solver, set, &shapes));
  return set;
}

/* A sine of period 1, approximated by parabolas, so that it is the same with every C library. */
static float wave(double phase) {
  const double x = 2 * (phase - floor(phase + 0.5));
  const double parabola = 4 * x * (1 - fabs(x));
  return (float)(parabola + 0.225 * parabola * (fabs(parabola) - 1));
}

/* 7 m/s from the mast to the free end, with gusts: velocity, frequency and phase of each. */
static void blow(float velocity[3], double time) {
  static const float gusts[3][5] = {
      {1.2f, 0, 1.8f, 0.41f, 0}, {0.6f, 0.4f, 1.6f, 1.37f, 0.2f}, {0.3f, 0.3f, 1.0f, 3.1f, 0.6f}};
  velocity[0] = 7, velocity[1] = 0.5f, velocity[2] = 0;
  for (int gust = 0; gust < 3; gust++) {
    const float strength = wave((double)gusts[gust][3] * time + (double)gusts[gust][4]);
    for (int axis = 0; axis < 3; axis++) velocity[axis] += gusts[gust][axis] * strength;
  }
}

int main(int argument_count, char** arguments) {
  const int frame_count = argument_count > 1 ? atoi(arguments[1]) : 300;
  make_sheet();

  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  device_desc.backend = CLOTHC_BACKEND_CPU;
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));

  clothc_mesh_desc mesh;
  check(clothc_struct_init(CLOTHC_STRUCT_MESH_DESC, &mesh, sizeof mesh));
  mesh.vertex_count = VERTEX_COUNT;
  mesh.positions = positions[0];
  mesh.inverse_masses = inverse_masses;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  mesh.areal_density = 0.35f;
  clothc_fabric fabric;
  check(clothc_fabric_cook(device, &mesh, &fabric));

  clothc_cloth_parameters parameters;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_PARAMETERS, &parameters, sizeof parameters));
  parameters.solver_frequency = 900;
  parameters.damping[0] = parameters.damping[1] = parameters.damping[2] = 0.3f;
  parameters.drag_coefficient = 0.012f;
  parameters.lift_coefficient = 0.025f;
  parameters.fluid_density = 1.2f;
  parameters.statistics = CLOTHC_STATISTIC_STRETCH;
  const clothc_collider_set_id colliders = add_colliders(solver);
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  cloth_desc.fabric = fabric;
  cloth_desc.parameters = &parameters;
  cloth_desc.collider_sets = &colliders;
  cloth_desc.collider_set_count = 1;
  clothc_cloth_id cloth;
  check(clothc_cloth_add(solver, &cloth_desc, &cloth));

  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  for (int frame = 1; frame <= frame_count; frame++) {
    blow(parameters.wind_velocity, frame * (double)update.dt);
    check(clothc_cloth_set_parameters(solver, cloth, &parameters));
    check(clothc_solver_update(solver, &update, NULL));
  }

  clothc_cloth_status status;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_STATUS, &status, sizeof status));
  check(clothc_cloth_get_status(solver, cloth, &status));
  uint64_t hash;
  check(clothc_solver_state_hash(solver, &hash));
  printf("stretch %.3f %%\n", 100 * (double)status.largest_stretch);
  printf("state hash %016llx\n", (unsigned long long)hash);
  check(clothc_device_destroy(device)); /* and everything that was made from it */
  return 0;
}
