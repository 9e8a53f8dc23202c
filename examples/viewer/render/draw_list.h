// draw_list.h - what a frame shows: meshes in buffers that are given, pairs of their vertices, and lines, points and
// planes given by the host. It is plain data and owns nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "render/camera.h"
#include "render/memory.h"

namespace clothc_renderer {

// Vertices in a buffer with the usages VERTEX and STORAGE: position and normal are three floats each.
struct Vertices {
  BufferRange range;
  uint32_t count = 0;

  // Bytes, multiples of 4.
  uint32_t stride = 24, position_offset = 0, normal_offset = 12;
};

enum class Material : uint32_t { cloth, solid };

// Triangles, counter-clockwise seen from the front. A cloth shows both sides, a solid only its front.
struct MeshDraw {
  Vertices vertices;

  // uint32 [index_count]
  BufferRange indices;
  uint32_t index_count = 0;

  Material material = Material::cloth;

  // Linear, 0 .. 1.
  glm::vec3 front_colour = {0.75f, 0.2f, 0.18f}, back_colour = {0.5f, 0.2f, 0.18f};

  glm::mat4 transform = glm::mat4(1);
};

// Lines between vertices of a buffer: edges of triangles, or constraints coloured by their strain.
struct PairDraw {
  Vertices vertices;

  // uint32 [pair_count][2]
  BufferRange pairs;
  uint32_t pair_count = 0;

  // float [pair_count]; no buffer = the colour is used.
  BufferRange rest_lengths;

  // Strain at which the colour is full: blue for shorter, red for longer than at rest, grey between.
  float full_strain = 0.05f;

  // sRGB and opacity, 0 .. 1.
  glm::vec4 colour = {0, 0, 0, 0.6f};

  // Pixels.
  float width = 1;
};

// A line from each vertex along its normal.
struct NormalDraw {
  Vertices vertices;

  // m
  float length = 0.02f;

  glm::vec4 colour = {0.1f, 0.5f, 0.9f, 1};
  float width = 1;
};

// colour: R, G, B, A bytes, sRGB.
struct ColouredPoint {
  glm::vec3 position;
  uint32_t colour = 0xffffffff;
};

// Bytes of a colour as ColouredPoint has them, from sRGB, 0 .. 1.
uint32_t packed_colour(glm::vec4 colour);

// The ground: what lies where dot(normal, p) + offset < 0.
struct PlaneDraw {
  glm::vec3 normal = {0, 1, 0};
  float offset = 0;
};

struct DrawList {
  std::vector<MeshDraw> meshes;
  std::vector<PairDraw> pairs;
  std::vector<NormalDraw> normals;
  std::vector<PlaneDraw> planes;

  // [2 n]: a line between each two.
  std::vector<ColouredPoint> lines;
  std::vector<ColouredPoint> points;

  // Pixels.
  float line_width = 1.5f, point_size = 6;

  // What can throw and receive shadows; the ground beyond is lit. Empty = no shadows.
  Box bounds;
};

}  // namespace clothc_renderer
