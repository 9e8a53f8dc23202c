// draw_list.h - what a frame shows: meshes in buffers that are given, pairs of their vertices, and
// lines, points and planes given by the host. It is plain data and owns nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "render/camera.h"
#include "render/memory.h"

namespace clothc_renderer {

// Vertices in a buffer with the usages VERTEX and STORAGE. Position and normal are three floats
// each.
struct Vertices {
  BufferRange range;
  uint32_t count = 0;

  // Bytes, multiples of 4.
  uint32_t stride = 24, position_offset = 0, normal_offset = 12;

  // To the world: a rigid motion and one factor of scale.
  glm::mat4 transform = glm::mat4(1);
};

// A cloth shows both of its sides, lets some sunlight through, and has a sheen. A solid is closed
// and has a highlight.
enum class Material { cloth, solid };

// Triangles, counter-clockwise seen from the front.
struct MeshDraw {
  Vertices vertices;

  // uint32 [index_count]
  BufferRange indices;
  uint32_t index_count = 0;

  Material material = Material::cloth;

  // Linear, 0 .. 1. Solids have only a front.
  glm::vec3 front_colour = {0.75f, 0.2f, 0.18f};
  glm::vec3 back_colour = {0.55f, 0.2f, 0.18f};
};

// Lines between vertices of a buffer: edges of triangles, or constraints coloured by their strain.
struct PairDraw {
  Vertices vertices;

  // uint32 [pair_count][2]
  BufferRange pairs;
  uint32_t pair_count = 0;

  // float [pair_count]; without a buffer all pairs have the colour below.
  BufferRange rest_lengths;

  // Factor on the rest lengths.
  float rest_scale = 1;

  // The rest lengths are greatest lengths: shorter pairs count as at rest.
  bool only_longer = false;

  // The strain whose colour is full: blue for pairs that are shorter than at rest, red for longer
  // ones, grey for those at rest.
  float full_strain = 0.05f;

  // sRGB and opacity, 0 .. 1. With rest lengths only the opacity counts.
  glm::vec4 colour = {0, 0, 0, 0.6f};

  // Pixels.
  float width = 1;
};

// A line from each vertex along its normal.
struct NormalDraw {
  Vertices vertices;

  // m
  float length = 0.02f;

  // sRGB and opacity.
  glm::vec4 colour = {0.1f, 0.4f, 0.9f, 1};

  // Pixels.
  float width = 1;
};

// Discs at vertices, for particles that have no triangles.
struct PointDraw {
  Vertices vertices;

  // uint32 [point_count] vertices; without a buffer the first point_count ones.
  BufferRange points;
  uint32_t point_count = 0;

  // sRGB and opacity.
  glm::vec4 colour = {0.8f, 0.3f, 0.1f, 1};

  // Diameter in pixels.
  float size = 5;
};

// A point or an end of a line that the host gives.
struct ColouredPoint {
  glm::vec3 position;

  // R G B A, a byte each from the lowest on, sRGB.
  uint32_t colour = 0xffffffff;
};

// Returns the bytes of an sRGB colour and its opacity, 0 .. 1.
uint32_t packed_colour(glm::vec4 colour);

// The ground: what lies where dot(normal, p) + offset < 0. It is seen from above only.
struct PlaneDraw {
  glm::vec3 normal = {0, 1, 0};
  float offset = 0;
};

// Directions to the sun, which throws shadows, and to a weak light that shapes what is in shadow.
struct Light {
  glm::vec3 towards_sun = {-0.58f, 0.73f, 0.35f}, towards_fill = {0.9f, 0.2f, 0.4f};

  // The sun is at the left of the camera, the other light at its right.
  static Light of(const Camera& camera);
};

struct DrawList {
  std::vector<MeshDraw> meshes;
  std::vector<PairDraw> pairs;
  std::vector<NormalDraw> normals;
  std::vector<PointDraw> points;
  std::vector<PlaneDraw> planes;

  // [2 n]: a line between each two. And discs.
  std::vector<ColouredPoint> lines, discs;

  // Pixels.
  float line_width = 1.5f, disc_size = 6;

  Light light;

  // Linear, 0 .. 1, in place of the sky.
  std::optional<glm::vec3> background;

  // Cloth is drawn nearer by this distance in m, because its straight edges cut through round
  // solids.
  float cloth_lead = 0;
};

}  // namespace clothc_renderer
