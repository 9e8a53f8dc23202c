// light.comp - places the shadow map around the box that extent.comp has found.
#version 450
#extension GL_GOOGLE_include_directive : require
#define EXTENT_ACCESS
#include "render/shaders/view.glsl"
#include "render/shaders/extent.glsl"

layout(local_size_x = 1) in;

void main() {
  vec3 low, high;
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = unordered(extent.low[axis]);
    high[axis] = unordered(extent.high[axis]);
  }
  const bool is_empty = extent.low[0] == LAST;
  if (is_empty) low = high = vec3(0);

  // Radius and centre are rounded to steps, so that shadows of resting things do not shimmer from frame to frame.
  const float smallest = max(0.5 * length(high - low), 1e-3);
  const float radius = exp2(ceil(4 * log2(smallest) + 0.5) / 4), step = radius / 16;
  const vec3 centre = step * round(0.5 * (low + high) / step);

  const vec3 forward = -view.towards_sun.xyz;
  const vec3 above = abs(forward.y) < 0.999 ? vec3(0, 1, 0) : vec3(0, 0, -1);
  const vec3 right = normalize(cross(forward, above)), up = cross(right, forward);
  const float scale = 0.5 / radius;
  const mat3 turned = transpose(mat3(right * scale, -up * scale, forward));
  const vec3 moved = vec3(0.5, 0.5, radius) - turned * centre;
  extent.to_shadow = mat4(vec4(turned[0], 0), vec4(turned[1], 0), vec4(turned[2], 0), vec4(moved, 1));
  extent.shadow_pixel = 2 * radius / view.shadow_size;
  extent.shadow_depth = 2 * radius;
  const float near = is_empty ? -1 : 0.5 * length(high - low) + 2 * view.towards_sun.w;
  extent.centre = vec4(0.5 * (low + high), near);
}
