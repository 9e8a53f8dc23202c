/* cloth.h - the cloth of the example, as any program makes one: a sheet that hangs from two corners
 * in the wind, and the calls that move it. */
#ifndef CLOTH_H
#define CLOTH_H

#include <clothc.h>

enum {
  COLUMNS = 65,
  ROWS = 43,
  VERTEX_COUNT = COLUMNS * ROWS,
  QUAD_COUNT = (COLUMNS - 1) * (ROWS - 1)
};

/* What updates write of each vertex, and what OpenGL draws. */
typedef struct Vertex {
  float position[3], normal[3];
} Vertex;

typedef struct Cloth {
  clothc_solver solver;
  clothc_cloth_id id;
} Cloth;

/* The sheet's quads, which are also what is drawn. */
extern uint32_t quads[QUAD_COUNT][4];

/* Ends the program with the library's message if a call did not succeed. */
void check(clothc_result result);

/* Hangs a sheet of 2 m x 1.3 m around the origin, in the plane z = 0, by its upper corners. */
Cloth make_cloth(clothc_device device);

/* Makes the following updates write positions and normals to a buffer of vertices. */
void bind_vertices(Cloth cloth, clothc_buffer vertices);

#endif
