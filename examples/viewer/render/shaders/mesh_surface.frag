// mesh_surface.frag - keeps the normal and kind of the surface that a pixel sees.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/mesh_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/surface.glsl"

layout(location = 1) in vec3 world_normal;
layout(location = 0) out vec4 surface;

void main() {
  vec3 normal = world_normal;
  const int kind = facing_surface(int(mesh.back.w), normal);
  surface = packed_surface(normal, kind);
}
