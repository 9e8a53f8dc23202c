/* scheduler.c - runs the library's work in the program's own threads, and counts the memory that
 * it takes. A submit callback puts tasks into a queue, which a few threads empty; the allocator's
 * callbacks keep a sum of bytes. */
#include <clothc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_COUNT = 3, SIDE = 64, VERTEX_COUNT = SIDE * SIDE };
enum { QUAD_COUNT = (SIDE - 1) * (SIDE - 1) };

/* Ends the program with the library's message if a call did not succeed. */
static void check(clothc_result result) {
  if (result == CLOTHC_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", clothc_result_name(result), clothc_last_error_message());
  exit(EXIT_FAILURE);
}

/* A task of the library that waits for a thread. */
struct job {
  clothc_task task;
  void* argument;
  struct job* next;
};

struct scheduler {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct job* first;
  struct job** end; /* where the next job is attached */
  unsigned job_count;
  int stopping;
};

/* The submit callback: any thread may call it, tasks of the library too. It only queues the task,
 * for it must not run it before it returns. */
static void CLOTHC_CALL submit(clothc_task task, void* argument, void* user) {
  struct scheduler* scheduler = user;
  struct job* job = malloc(sizeof *job);
  if (job == NULL) abort(); /* a task that never runs would be waited for in vain */
  job->task = task;
  job->argument = argument;
  job->next = NULL;
  pthread_mutex_lock(&scheduler->lock);
  *scheduler->end = job;
  scheduler->end = &job->next;
  scheduler->job_count++;
  pthread_cond_signal(&scheduler->changed);
  pthread_mutex_unlock(&scheduler->lock);
}

/* What each thread does: takes the oldest job and runs it, until the scheduler stops. */
static void* run_jobs(void* user) {
  struct scheduler* scheduler = user;
  pthread_mutex_lock(&scheduler->lock);
  for (;;) {
    while (scheduler->first == NULL && !scheduler->stopping) {
      pthread_cond_wait(&scheduler->changed, &scheduler->lock);
    }
    struct job* job = scheduler->first;
    if (job == NULL) break;
    scheduler->first = job->next;
    if (scheduler->first == NULL) scheduler->end = &scheduler->first;
    pthread_mutex_unlock(&scheduler->lock);
    job->task(job->argument);
    free(job);
    pthread_mutex_lock(&scheduler->lock);
  }
  pthread_mutex_unlock(&scheduler->lock);
  return NULL;
}

struct memory {
  pthread_mutex_t lock;
  size_t byte_count, largest_byte_count;
};

/* Stands in front of every block that the library gets. */
struct block {
  void* start; /* what malloc returned */
  size_t size;
};

static void add_bytes(struct memory* memory, size_t added, size_t removed) {
  pthread_mutex_lock(&memory->lock);
  memory->byte_count += added - removed;
  if (memory->byte_count > memory->largest_byte_count) {
    memory->largest_byte_count = memory->byte_count;
  }
  pthread_mutex_unlock(&memory->lock);
}

/* The allocate callback. Returning NULL is allowed: the call in question fails with
 * CLOTHC_ERROR_OUT_OF_MEMORY and changes nothing. */
static void* CLOTHC_CALL allocate(size_t size, size_t alignment, void* user) {
  const size_t extra = sizeof(struct block) + alignment;
  char* start = size < SIZE_MAX - extra ? malloc(size + extra) : NULL;
  if (start == NULL) return NULL;
  char* pointer = start + sizeof(struct block);
  pointer += (alignment - (uintptr_t)pointer % alignment) % alignment;
  struct block* block = (struct block*)pointer - 1;
  block->start = start;
  block->size = size;
  add_bytes(user, size, 0);
  return pointer;
}

static void CLOTHC_CALL release(void* pointer, void* user) {
  const struct block* block = (const struct block*)pointer - 1;
  add_bytes(user, 0, block->size);
  free(block->start);
}

/* Adds a sheet that hangs by its first row. */
static void add_sheet(clothc_device device, clothc_solver solver) {
  static float positions[VERTEX_COUNT][3], inverse_masses[VERTEX_COUNT];
  static uint32_t quads[QUAD_COUNT][4];
  for (uint32_t vertex = 0; vertex < VERTEX_COUNT; vertex++) {
    positions[vertex][0] = 0.02f * (float)(vertex % SIDE);
    positions[vertex][2] = 0.02f * (float)(vertex / SIDE);
    inverse_masses[vertex] = vertex < SIDE ? 0.0f : 1.0f;
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
  mesh.quad_count = QUAD_COUNT;
  mesh.quads = quads;
  clothc_cloth_desc cloth_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_CLOTH_DESC, &cloth_desc, sizeof cloth_desc));
  check(clothc_fabric_cook(device, &mesh, &cloth_desc.fabric));
  clothc_cloth_id cloth;
  check(clothc_cloth_add(solver, &cloth_desc, &cloth));
}

int main(void) {
  static struct scheduler scheduler = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                       .changed = PTHREAD_COND_INITIALIZER,
                                       .end = &scheduler.first};
  static struct memory memory = {.lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t threads[THREAD_COUNT];
  for (int index = 0; index < THREAD_COUNT; index++) {
    if (pthread_create(&threads[index], NULL, run_jobs, &scheduler) != 0) return EXIT_FAILURE;
  }

  clothc_device_desc device_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_DEVICE_DESC, &device_desc, sizeof device_desc));
  device_desc.backend = CLOTHC_BACKEND_CPU; /* a GPU's work does not run in tasks */
  device_desc.worker_count = THREAD_COUNT;  /* tasks that may run at the same time */
  device_desc.submit = submit;
  device_desc.submit_user = &scheduler;
  device_desc.allocate = allocate;
  device_desc.free = release;
  device_desc.allocator_user = &memory;
  clothc_device device;
  check(clothc_device_create(&device_desc, &device));
  clothc_solver_desc solver_desc;
  check(clothc_struct_init(CLOTHC_STRUCT_SOLVER_DESC, &solver_desc, sizeof solver_desc));
  clothc_solver solver;
  check(clothc_solver_create(device, &solver_desc, &solver));
  add_sheet(device, solver);

  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  for (int frame = 0; frame < 60; frame++) {
    uint64_t value;
    check(clothc_solver_update(solver, &update, &value)); /* returns at once */
    /* The program's own work of the frame goes here, beside the cloth's. */
    check(clothc_solver_wait(solver, value, CLOTHC_WAIT_FOREVER)); /* never within a task */
  }

  /* Destroying the device waits for its tasks, so the threads end after it. */
  check(clothc_device_destroy(device));
  pthread_mutex_lock(&scheduler.lock);
  scheduler.stopping = 1;
  pthread_cond_broadcast(&scheduler.changed);
  pthread_mutex_unlock(&scheduler.lock);
  for (int index = 0; index < THREAD_COUNT; index++) pthread_join(threads[index], NULL);

  printf("60 updates of %d particles ran as %u tasks in %d threads\n", VERTEX_COUNT,
         scheduler.job_count, THREAD_COUNT);
  printf("the library's arrays took %zu bytes at most, and %zu are left\n",
         memory.largest_byte_count, memory.byte_count);
  return memory.byte_count == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
