// pair_line.vert - a line between two vertices, read by their indices, with a colour for its strain.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/line_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/vertex.glsl"
#include "render/shaders/line.glsl"
#include "render/shaders/line_buffers.glsl"

layout(set = 1, binding = 2, std430) readonly buffer RestLengths { float values[]; } rest_lengths;
layout(location = 0) out vec4 colour;

const vec3 SHORTER = vec3(0.10, 0.30, 0.95), AT_REST = vec3(0.80, 0.80, 0.80), LONGER = vec3(0.95, 0.12, 0.08);

void main() {
  const uint pair = gl_VertexIndex / 6, at = lines.first_index + 2 * pair;
  const vec3 a = world_position(indices.values[at]), b = world_position(indices.values[at + 1]);
  float unused;
  gl_Position = line_corner(clip_position(a, lines.lead), clip_position(b, lines.lead), lines.width, unused);
  colour = lines.colour;
  if (lines.rest_scale == 0) return;
  const float rest = rest_lengths.values[lines.first_rest_length + pair] * lines.rest_scale;
  float strain = rest > 0 ? clamp((length(b - a) / rest - 1) / abs(lines.size), -1, 1) : 0;
  // A negative size marks greatest lengths.
  if (lines.size < 0) strain = max(strain, 0);
  colour.rgb = strain > 0 ? mix(AT_REST, LONGER, strain) : mix(AT_REST, SHORTER, -strain);
}
