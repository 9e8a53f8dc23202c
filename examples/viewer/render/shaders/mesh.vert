// mesh.vert - a vertex of a mesh, for depths and for light.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/mesh_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/vertex.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;

// Both passes compute the same bits, so that the second one can compare its depths with those of the first.
invariant gl_Position;

void main() {
  world_position = (mesh.transform * vec4(position, 1)).xyz;
  world_normal = mat3(mesh.transform) * normal;
  gl_Position = clip_position(world_position, mesh.front.w);
}
