// sky.frag - the sky, or the background.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/view.glsl"
#include "render/shaders/lighting.glsl"

layout(location = 0) out vec4 colour;

void main() { colour = vec4(sky(normalize(ray_at(gl_FragCoord.xy))), 1); }
