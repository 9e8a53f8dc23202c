// plane.glsl - the constants of a plane, as PlanePush of pipelines.h has them.

layout(push_constant, std430) uniform Plane {
  // dot(normal, p) + offset is the height of p above the plane. w: offset
  vec4 plane;
}
push;

// Returns the direction from the eye to the plane through a pixel, with a component of 1 along the view axis, times the
// distance of the plane.
vec3 to_plane(vec2 pixel) {
  const vec3 ray = ray_at(pixel);
  const float height = dot(push.plane.xyz, view.eye.xyz) + push.plane.w;
  return ray * (height / max(-dot(push.plane.xyz, ray), 1e-9));
}
