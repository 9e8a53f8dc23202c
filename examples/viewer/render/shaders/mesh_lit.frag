// mesh_lit.frag - the colour of a mesh.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/mesh_push.glsl"
#include "render/shaders/view.glsl"
#include "render/shaders/surface.glsl"
#include "render/shaders/cells.glsl"
#include "render/shaders/visible.glsl"
#include "render/shaders/lighting.glsl"

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 0) out vec4 colour;

void main() {
  vec3 normal = world_normal;
  const int kind = facing_surface(int(mesh.back.w), normal);
  const vec2 seen = visible(normal, kind, surface_distance(gl_FragCoord.z, kind));
  const vec3 direction = normalize(world_position - view.eye.xyz);
  const vec3 lit = light(normal, is_cloth(kind), seen, direction);
  colour = vec4((kind == SURFACE_CLOTH_BACK ? mesh.back.rgb : mesh.front.rgb) * lit, 1);
  if (kind == SURFACE_SOLID) colour.rgb += highlight(normal, seen.x, direction);
}
