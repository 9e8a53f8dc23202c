/* vertices.h - the vertices that updates write and OpenGL draws: in memory that both share, or
 * copied through the host. There are two sets: one is drawn while the other is simulated. */
#ifndef VERTICES_H
#define VERTICES_H

#include "cloth.h"
#include "sharing.h"

typedef struct VertexSet {
  clothc_buffer buffer;
  /* What OpenGL draws. */
  SharedBuffer gl;
  /* The value of the solver's timeline at which the set is ready. */
  uint64_t ready;
  /* Reached when the set has been drawn. */
  GLsync drawn;
} VertexSet;

typedef struct Vertices {
  clothc_device device;
  Cloth cloth;
  VertexSet sets[2];
  /* Whether OpenGL reads the memory that updates write. If not, reason says why. */
  bool are_shared;
  char reason[256];
  /* Whether updates and draws wait for each other on the device, by fences of clothc and semaphores
   * of OpenGL with the same timelines, which count frames. If not, host_reason says why. */
  bool have_timelines;
  const char* host_reason;
  clothc_fence simulated, drawn;
  GLuint gl_simulated, gl_drawn;
} Vertices;

/* Makes the two sets. reason: why they must be copied, or NULL to share them if possible. */
void make_vertices(Vertices* vertices, clothc_device device, Cloth cloth, const char* reason);
void destroy_vertices(Vertices* vertices);

/* Prints how the vertices reach OpenGL, and what that costs in each frame. */
void print_way(const Vertices* vertices);

/* Queues the update that makes a frame. Frames are numbered from 1. */
void simulate_frame(Vertices* vertices, uint64_t frame);

/* Makes the vertices of a frame ready for draws. end_drawing follows the draws. */
const SharedBuffer* begin_drawing(Vertices* vertices, uint64_t frame);
void end_drawing(Vertices* vertices, uint64_t frame);

#endif
