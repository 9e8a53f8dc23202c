/* frame.c - the frame whose time the same program of each language measures (bench/bindings/run): update a cloth of
 * 1,000 particles, get its positions, map them, read one, unmap them. Prints the median of the frames in nanoseconds.
 * Usage: frame [FRAMES [DT]]. With a DT of 0 the cloth does not move, and the frame is almost only calls. */
#define _POSIX_C_SOURCE 199309L
#include <clothc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COLUMNS = 40, ROWS = 25, VERTEX_COUNT = COLUMNS * ROWS, QUAD_COUNT = (COLUMNS - 1) * (ROWS - 1), WARM_UP = 200 };

static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare(const void* a, const void* b) {
  const int64_t first = *(const int64_t*)a, second = *(const int64_t*)b;
  return (first > second) - (first < second);
}

static clothc_fabric cook(clothc_device device) {
  static float positions[VERTEX_COUNT][3], inverse_masses[VERTEX_COUNT];
  static uint32_t quads[QUAD_COUNT][4];
  for (uint32_t vertex = 0; vertex < VERTEX_COUNT; vertex++) {
    positions[vertex][0] = 0.05f * (float)(vertex % COLUMNS);
    positions[vertex][2] = 0.05f * (float)(vertex / COLUMNS);
    inverse_masses[vertex] = vertex < COLUMNS ? 0.0f : 1.0f;
  }
  for (uint32_t quad = 0; quad < QUAD_COUNT; quad++) {
    const uint32_t first = quad / (COLUMNS - 1) * COLUMNS + quad % (COLUMNS - 1);
    quads[quad][0] = first;
    quads[quad][1] = first + 1;
    quads[quad][2] = first + 1 + COLUMNS;
    quads[quad][3] = first + COLUMNS;
  }
  clothc_mesh_desc mesh;
  check(clothc_struct_init(CLOTHC_STRUCT_MESH_DESC, &mesh, sizeof mesh));
  mesh.vertex_count = VERTEX_COUNT;
  mesh.positions = positions[0];
  mesh.inverse_masses = inverse_masses;
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  clothc_fabric fabric;
  check(clothc_fabric_cook(device, &mesh, &fabric));
  return fabric;
}

int main(int argument_count, char** arguments) {
  const int frame_count = argument_count > 1 ? atoi(arguments[1]) : 2000;

  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  device_desc.backend = CLOTHC_BACKEND_CPU;
  device_desc.worker_count = 1;
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  cloth_desc.fabric = cook(device);
  clothc_cloth_id cloth;
  check(clothc_cloth_add(solver, &cloth_desc, &cloth));
  clothc_buffer_desc buffer_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_BUFFER_DESC, &buffer_desc, sizeof buffer_desc));
  buffer_desc.count = VERTEX_COUNT;
  clothc_buffer buffer;
  check(clothc_buffer_create(device, &buffer_desc, &buffer));
  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  if (argument_count > 2) update.dt = (float)atof(arguments[2]);

  int64_t* times = malloc(sizeof *times * (size_t)(WARM_UP + frame_count));
  float height = 0;
  for (int frame = 0; frame < WARM_UP + frame_count; frame++) {
    const int64_t begin = nanoseconds();
    check(clothc_solver_update(solver, &update, NULL));
    check(clothc_solver_get(solver, CLOTHC_CHANNEL_POSITION, buffer, NULL, NULL, 0, 0));
    void* mapped;
    check(clothc_buffer_map(buffer, CLOTHC_MAP_READ, &mapped));
    const float(*positions)[4] = (const float(*)[4])mapped;
    height += positions[VERTEX_COUNT - 1][1];
    check(clothc_buffer_unmap(buffer));
    times[frame] = nanoseconds() - begin;
  }
  qsort(times + WARM_UP, (size_t)frame_count, sizeof *times, compare);
  printf("median_ns %lld\n", (long long)times[WARM_UP + frame_count / 2]);
  free(times);
  check(clothc_device_destroy(device));
  /* The sum of the heights keeps the read. It is finite. */
  return height - height == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
