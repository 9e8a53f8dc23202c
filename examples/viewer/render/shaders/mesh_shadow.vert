// mesh_shadow.vert - a vertex of a mesh in the shadow map.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/mesh_push.glsl"
#include "render/shaders/view.glsl"

layout(location = 0) in vec3 position;

void main() {
  const vec3 at = (extent.to_shadow * (mesh.transform * vec4(position, 1))).xyz;
  gl_Position = vec4(2 * at.xy - 1, at.z / extent.shadow_depth, 1);
}
