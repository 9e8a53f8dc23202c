// vertex_point.vert - a disc at a vertex of a buffer.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/line_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/vertex.glsl"
#include "render/shaders/line.glsl"
#include "render/shaders/point.glsl"
#include "render/shaders/line_buffers.glsl"

layout(location = 0) out vec4 colour;
layout(location = 1) out vec2 corner;

void main() {
  uint vertex = gl_VertexIndex / 6;
  if (lines.first_index != NO_INDEX) vertex = indices.values[lines.first_index + vertex];
  corner = disc_corner();
  gl_Position = disc_position(clip_position(world_position(vertex), lines.lead), corner, lines.width);
  colour = lines.colour;
}
