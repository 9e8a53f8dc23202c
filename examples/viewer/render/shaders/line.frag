// line.frag - lines keep their colour whatever the light.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/tone.glsl"

layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 result;

void main() { result = vec4(uncompressed(decoded(colour.rgb)), colour.a); }
