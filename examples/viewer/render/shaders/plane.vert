// plane.vert - a plane up to the horizon: four triangles from the point below the eye to points at infinity.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/view.glsl"
#include "render/shaders/plane.glsl"

invariant gl_Position;

void main() {
  const vec3 normal = push.plane.xyz;
  const vec3 u = normalize(abs(normal.y) < 0.9 ? cross(normal, vec3(0, 1, 0)) : cross(normal, vec3(0, 0, 1)));
  const vec3 v = cross(u, normal);
  const int corner = gl_VertexIndex % 3, side = gl_VertexIndex / 3 + corner - 1;
  const vec3 directions[4] = vec3[](u, v, -u, -v);
  const float height = dot(normal, view.eye.xyz) + push.plane.w;
  const vec4 point = corner == 0 ? vec4(view.eye.xyz - normal * height, 1) : vec4(directions[side % 4], 0);
  gl_Position = view.to_clip * point;
  // A plane is seen from above only.
  if (height <= 0) gl_Position = vec4(0, 0, 0, 1);
}
