// point.frag - a disc with a smooth edge.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/tone.glsl"

layout(location = 0) in vec4 colour;
layout(location = 1) in vec2 corner;
layout(location = 0) out vec4 result;

void main() {
  const float distance = length(corner), edge = fwidth(distance);
  result = vec4(uncompressed(decoded(colour.rgb)), colour.a * clamp((1 - distance) / edge, 0, 1));
}
