// point.vert - a disc at a vertex, which is the same for all corners of the disc's square.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/line_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/vertex.glsl"
#include "render/shaders/line.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 point_colour;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec2 corner;

// Points that the host gives have colours of their own.
layout(constant_id = 0) const bool has_colours = false;

void main() {
  corner = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1))[gl_VertexIndex % 6];
  gl_Position = clip_position((lines.transform * vec4(position, 1)).xyz, lines.lead);
  gl_Position.xy += corner * lines.width / view.extent * gl_Position.w;
  gl_Position.z *= LINE_LEAD;
  colour = has_colours ? point_colour : lines.colour;
}
