// host_point.vert - a disc whose place and colour the host gives.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/line_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/vertex.glsl"
#include "render/shaders/line.glsl"
#include "render/shaders/point.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 point_colour;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec2 corner;

void main() {
  corner = disc_corner();
  gl_Position = disc_position(view.to_clip * vec4(position, 1), corner, lines.width);
  colour = point_colour;
}
