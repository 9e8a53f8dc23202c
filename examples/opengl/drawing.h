/* drawing.h - draws the cloth in a window, or in a picture that is written to a file. */
#ifndef DRAWING_H
#define DRAWING_H

#include <stdbool.h>

#include "sharing.h"

enum { PICTURE_WIDTH = 640, PICTURE_HEIGHT = 400 };

typedef struct Drawing {
  GLuint program, vertex_array, indices;
  /* What is drawn to: 0 is the window, others are PICTURE_WIDTH x PICTURE_HEIGHT pixels. */
  GLuint framebuffer, renderbuffers[2];
} Drawing;

void make_drawing(Drawing* drawing, bool is_picture);
void destroy_drawing(Drawing* drawing);

/* Draws the vertices on a surface of so many pixels. */
void draw_cloth(const Drawing* drawing, const SharedBuffer* vertices, int width, int height);

/* Writes what was drawn last to a PNG file. Returns false if it cannot be written. */
bool write_picture(const Drawing* drawing, const char* path);

#endif
