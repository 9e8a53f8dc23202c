// host_line.vert - a line whose ends and colours the host gives.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/line_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/line.glsl"

layout(location = 0) in vec3 from;
layout(location = 1) in vec4 from_colour;
layout(location = 2) in vec3 to;
layout(location = 3) in vec4 to_colour;
layout(location = 0) out vec4 colour;

void main() {
  float at_b;
  gl_Position = line_corner(view.to_clip * vec4(from, 1), view.to_clip * vec4(to, 1), lines.width, at_b);
  colour = mix(from_colour, to_colour, at_b);
}
