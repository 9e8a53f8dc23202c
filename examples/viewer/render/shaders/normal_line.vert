// normal_line.vert - a line from a vertex along its normal. The vertex is the same for all corners of the line.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/line_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/vertex.glsl"
#include "render/shaders/line.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 colour;

void main() {
  const vec3 from = (lines.transform * vec4(position, 1)).xyz;
  const vec3 direction = mat3(lines.transform) * normal;
  const float size = length(direction);
  const vec3 to = from + (size > 0 ? direction * (lines.size / size) : vec3(0));
  float unused;
  gl_Position = line_corner(clip_position(from, lines.lead), clip_position(to, lines.lead), lines.width, unused);
  colour = lines.colour;
}
