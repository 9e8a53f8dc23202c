// final.frag - the lit picture as sRGB.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/tone.glsl"

layout(set = 1, binding = 0) uniform sampler2D picture;
layout(constant_id = 0) const bool target_encodes = false;
layout(location = 0) out vec4 colour;

void main() {
  const vec3 linear = compressed(max(vec3(0), texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb));
  colour = vec4(target_encodes ? linear : encoded(linear), 1);
}
