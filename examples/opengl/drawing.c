/* drawing.c - a camera that looks along -z from (0, 0, 2.6), with the light beside it. */
#include "drawing.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cloth.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

static const char vertex_shader[] =
    "#version 450 core\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 0) uniform float aspect;\n"
    "layout(location = 1) uniform int columns;\n"
    "out vec3 surface_normal;\n"
    "out float column;\n"
    "const float distance = 2.6, focal_length = 2.0, near = 0.1, far = 10.0;\n"
    "void main() {\n"
    "  vec3 view = position - vec3(0.0, 0.0, distance);\n"
    "  gl_Position = vec4(focal_length / aspect * view.x, focal_length * view.y,\n"
    "                     (view.z * (far + near) + 2.0 * far * near) / (near - far), -view.z);\n"
    "  surface_normal = normal;\n"
    "  column = float(gl_VertexID % columns) / float(columns - 1);\n"
    "}\n";

static const char fragment_shader[] =
    "#version 450 core\n"
    "in vec3 surface_normal;\n"
    "in float column;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "  vec3 cloth = fract(column * 4.0) < 0.5 ? vec3(0.75, 0.13, 0.1) : vec3(0.9, 0.86, 0.78);\n"
    "  float light = abs(dot(normalize(surface_normal), normalize(vec3(0.4, 0.5, 1.0))));\n"
    "  colour = vec4(cloth * (0.25 + 0.75 * light), 1.0);\n"
    "}\n";

static GLuint compile(GLenum type, const char* source) {
  const GLuint shader = glCreateShader(type);
  GLint compiled = 0;
  glShaderSource(shader, 1, &source, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (!compiled) {
    char log[1024];
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    fprintf(stderr, "OpenGL does not compile a shader: %s\n", log);
    exit(EXIT_FAILURE);
  }
  return shader;
}

static GLuint make_program(void) {
  const GLuint program = glCreateProgram();
  const GLuint shaders[2] = {compile(GL_VERTEX_SHADER, vertex_shader),
                             compile(GL_FRAGMENT_SHADER, fragment_shader)};
  for (int i = 0; i < 2; i++) {
    glAttachShader(program, shaders[i]);
    glDeleteShader(shaders[i]);
  }
  glLinkProgram(program);
  return program;
}

/* Two triangles for each quad. */
static GLuint make_indices(void) {
  static uint32_t indices[QUAD_COUNT][6];
  static const int corners[6] = {0, 1, 2, 0, 2, 3};
  for (int quad = 0; quad < QUAD_COUNT; quad++)
    for (int i = 0; i < 6; i++) indices[quad][i] = quads[quad][corners[i]];
  GLuint buffer = 0;
  glCreateBuffers(1, &buffer);
  glNamedBufferStorage(buffer, sizeof indices, indices, 0);
  return buffer;
}

static GLuint make_vertex_array(GLuint indices) {
  static const GLuint offsets[2] = {offsetof(Vertex, position), offsetof(Vertex, normal)};
  GLuint array = 0;
  glCreateVertexArrays(1, &array);
  glVertexArrayElementBuffer(array, indices);
  for (GLuint attribute = 0; attribute < 2; attribute++) {
    glEnableVertexArrayAttrib(array, attribute);
    glVertexArrayAttribFormat(array, attribute, 3, GL_FLOAT, GL_FALSE, offsets[attribute]);
    glVertexArrayAttribBinding(array, attribute, 0);
  }
  return array;
}

void make_drawing(Drawing* drawing, bool is_picture) {
  drawing->program = make_program();
  drawing->indices = make_indices();
  drawing->vertex_array = make_vertex_array(drawing->indices);
  drawing->framebuffer = 0;
  if (!is_picture) return;
  static const GLenum formats[2] = {GL_RGB8, GL_DEPTH_COMPONENT24};
  static const GLenum attachments[2] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
  glCreateFramebuffers(1, &drawing->framebuffer);
  glCreateRenderbuffers(2, drawing->renderbuffers);
  for (int i = 0; i < 2; i++) {
    glNamedRenderbufferStorage(drawing->renderbuffers[i], formats[i], PICTURE_WIDTH,
                               PICTURE_HEIGHT);
    glNamedFramebufferRenderbuffer(drawing->framebuffer, attachments[i], GL_RENDERBUFFER,
                                   drawing->renderbuffers[i]);
  }
}

void destroy_drawing(Drawing* drawing) {
  if (drawing->framebuffer != 0) {
    glDeleteFramebuffers(1, &drawing->framebuffer);
    glDeleteRenderbuffers(2, drawing->renderbuffers);
  }
  glDeleteVertexArrays(1, &drawing->vertex_array);
  glDeleteBuffers(1, &drawing->indices);
  glDeleteProgram(drawing->program);
}

void draw_cloth(const Drawing* drawing, const SharedBuffer* vertices, int width, int height) {
  glBindFramebuffer(GL_FRAMEBUFFER, drawing->framebuffer);
  glViewport(0, 0, width, height);
  glClearColor(0.125f, 0.25f, 0.375f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  glUseProgram(drawing->program);
  glUniform1f(0, (float)width / (float)height);
  glUniform1i(1, COLUMNS);
  glVertexArrayVertexBuffer(drawing->vertex_array, 0, vertices->buffer, vertices->offset,
                            sizeof(Vertex));
  glBindVertexArray(drawing->vertex_array);
  glDrawElements(GL_TRIANGLES, 6 * QUAD_COUNT, GL_UNSIGNED_INT, NULL);
}

bool write_picture(const Drawing* drawing, const char* path) {
  static uint8_t pixels[PICTURE_HEIGHT][PICTURE_WIDTH][3];
  glBindFramebuffer(GL_FRAMEBUFFER, drawing->framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, PICTURE_WIDTH, PICTURE_HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, pixels);
  /* OpenGL's first row is the lowest. */
  stbi_flip_vertically_on_write(1);
  return stbi_write_png(path, PICTURE_WIDTH, PICTURE_HEIGHT, 3, pixels, PICTURE_WIDTH * 3) != 0;
}
