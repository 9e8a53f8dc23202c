/* vertices.c - chooses between sharing and copying, and keeps updates and draws of a set apart. */
#include "vertices.h"

#include <stdio.h>
#include <string.h>

static VertexSet* set_of(Vertices* vertices, uint64_t frame) { return &vertices->sets[frame % 2]; }

/* --------------------------------------------------------------------------- sharing or copying */

/* What OpenGL reads. */
static const size_t vertices_size = VERTEX_COUNT * sizeof(Vertex);

/* Makes a buffer of the kind, or a HOST one if the device lacks the kind; then it tells why. */
static clothc_buffer make_buffer(Vertices* vertices, clothc_buffer_kind kind) {
  clothc_buffer_desc desc;
  check(clothc_struct_init(CLOTHC_STRUCT_BUFFER_DESC, &desc, sizeof desc));
  desc.kind = kind;
  desc.format = CLOTHC_FORMAT_RECORD;
  desc.stride = sizeof(Vertex);
  desc.count = VERTEX_COUNT + SPARE_SIZE / sizeof(Vertex);
  desc.flags = CLOTHC_BUFFER_HOST_IF_UNSUPPORTED;
  clothc_buffer buffer;
  check(clothc_buffer_create(vertices->device, &desc, &buffer));
  clothc_buffer_info info;
  check(clothc_struct_init(CLOTHC_STRUCT_BUFFER_INFO, &info, sizeof info));
  check(clothc_buffer_get_info(buffer, &info));
  if (info.kind != info.requested_kind) strcpy(vertices->reason, info.reason);
  return buffer;
}

/* Makes a set that OpenGL shares. Returns false if that is not possible; then reason says why. */
static bool make_shared_set(Vertices* vertices, VertexSet* set) {
  set->buffer = make_buffer(vertices, CLOTHC_BUFFER_EXPORTABLE);
  if (vertices->reason[0] == '\0') {
    const char* failure = share_buffer(set->buffer, vertices_size, &set->gl);
    if (failure == NULL) return true;
    strcpy(vertices->reason, failure);
  }
  check(clothc_buffer_destroy(set->buffer));
  return false;
}

static void make_copied_set(Vertices* vertices, VertexSet* set) {
  set->buffer = make_buffer(vertices, CLOTHC_BUFFER_HOST);
  set->gl.memory = 0;
  set->gl.offset = 0;
  glCreateBuffers(1, &set->gl.buffer);
  glNamedBufferStorage(set->gl.buffer, (GLsizeiptr)vertices_size, NULL, GL_DYNAMIC_STORAGE_BIT);
}

static void destroy_set(const Vertices* vertices, VertexSet* set) {
  check(clothc_buffer_destroy(set->buffer));
  if (set->drawn != NULL) glDeleteSync(set->drawn);
  if (vertices->are_shared) {
    destroy_shared_buffer(&set->gl);
  } else {
    glDeleteBuffers(1, &set->gl.buffer);
  }
}

static void make_timelines(Vertices* vertices) {
  vertices->host_reason = reason_against_timelines(vertices->device);
  if (vertices->host_reason != NULL) return;
  check(clothc_fence_create(vertices->device, 0, &vertices->simulated));
  check(clothc_fence_create(vertices->device, 0, &vertices->drawn));
  vertices->gl_simulated = share_timeline(vertices->simulated);
  vertices->gl_drawn = share_timeline(vertices->drawn);
  vertices->have_timelines = vertices->gl_simulated != 0 && vertices->gl_drawn != 0;
  if (!vertices->have_timelines) vertices->host_reason = "OpenGL does not import timelines";
}

void make_vertices(Vertices* vertices, clothc_device device, Cloth cloth, const char* reason) {
  memset(vertices, 0, sizeof *vertices);
  vertices->device = device;
  vertices->cloth = cloth;
  if (reason != NULL) strcpy(vertices->reason, reason);
  VertexSet* sets = vertices->sets;
  if (reason == NULL && make_shared_set(vertices, &sets[0])) {
    vertices->are_shared = make_shared_set(vertices, &sets[1]);
    if (!vertices->are_shared) {
      destroy_shared_buffer(&sets[0].gl);
      check(clothc_buffer_destroy(sets[0].buffer));
    }
  }
  if (vertices->are_shared) {
    make_timelines(vertices);
  } else {
    make_copied_set(vertices, &sets[0]);
    make_copied_set(vertices, &sets[1]);
  }
}

void destroy_vertices(Vertices* vertices) {
  glFinish();
  destroy_set(vertices, &vertices->sets[0]);
  destroy_set(vertices, &vertices->sets[1]);
  if (vertices->simulated == NULL) return;
  glDeleteSemaphoresEXT(1, &vertices->gl_simulated);
  glDeleteSemaphoresEXT(1, &vertices->gl_drawn);
  check(clothc_fence_destroy(vertices->simulated));
  check(clothc_fence_destroy(vertices->drawn));
}

void print_way(const Vertices* vertices) {
  if (!vertices->are_shared) {
    printf("vertices: copied, %zu bytes per frame: %s\n", vertices_size, vertices->reason);
  } else if (vertices->have_timelines) {
    printf(
        "vertices: shared, 0 bytes per frame; updates and draws wait for each other on the "
        "device\n");
  } else {
    printf("vertices: shared, 0 bytes per frame; the host waits for each update: %s\n",
           vertices->host_reason);
  }
}

/* ------------------------------------------------------------------------------- frame by frame */

void simulate_frame(Vertices* vertices, uint64_t frame) {
  VertexSet* set = set_of(vertices, frame);
  clothc_update update;
  check(clothc_struct_init(CLOTHC_STRUCT_UPDATE, &update, sizeof update));
  if (vertices->have_timelines) {
    update.wait_fence = vertices->drawn;
    update.wait_value = frame > 2 ? frame - 2 : 0;
    update.signal_fence = vertices->simulated;
    update.signal_value = frame;
  } else if (set->drawn != NULL) {
    /* The frame before the last one, which OpenGL has usually drawn long since. */
    glClientWaitSync(set->drawn, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED);
    glDeleteSync(set->drawn);
    set->drawn = NULL;
  }
  bind_vertices(vertices->cloth, set->buffer);
  check(clothc_solver_update(vertices->cloth.solver, &update, &set->ready));
}

const SharedBuffer* begin_drawing(Vertices* vertices, uint64_t frame) {
  VertexSet* set = set_of(vertices, frame);
  if (!vertices->are_shared) {
    void* mapped;
    check(clothc_buffer_map(set->buffer, CLOTHC_MAP_READ, &mapped));
    glNamedBufferSubData(set->gl.buffer, 0, (GLsizeiptr)vertices_size, mapped);
    check(clothc_buffer_unmap(set->buffer));
  } else if (vertices->have_timelines) {
    await_timeline(vertices->gl_simulated, frame, set->gl.buffer);
  } else {
    check(clothc_solver_wait(vertices->cloth.solver, set->ready, CLOTHC_WAIT_FOREVER));
  }
  return &set->gl;
}

void end_drawing(Vertices* vertices, uint64_t frame) {
  VertexSet* set = set_of(vertices, frame);
  if (vertices->have_timelines) {
    raise_timeline(vertices->gl_drawn, frame, set->gl.buffer);
  } else if (vertices->are_shared) {
    set->drawn = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
}
