// plane_surface.frag - keeps the normal of the ground.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/view.glsl"
#include "render/shaders/plane.glsl"
#include "render/shaders/surface.glsl"

layout(location = 0) out vec4 surface;

void main() { surface = packed_surface(push.plane.xyz, SURFACE_GROUND); }
