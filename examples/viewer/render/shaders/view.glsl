// view.glsl - what all shaders know of the frame: camera, lights, and the extent of what throws shadows.

layout(set = 0, binding = 0, std140) uniform View {
  // World to clip space. Depth is `near / distance`, so that what is nearer has the larger depth.
  mat4 to_clip;

  // w: near
  vec4 eye;

  // Axes of the camera. w of right and up: half the picture's width and height at distance 1.
  vec4 right, up, forward;

  // w: size of what the camera looks at, m
  vec4 target;

  // w of towards_sun: radius of ambient occlusion, m; w of towards_fill: side of the ground's tiles, m
  vec4 towards_sun, towards_fill;

  // w: 1 if there is a background in place of the sky
  vec4 background;

  // Pixels of the picture, pixels at the side of the shadow map, and by how much cloth is drawn nearer, m.
  vec2 extent;
  float shadow_size;
  float cloth_lead;

  // Discs of points around a shadow's edge, in xy, and points of a hemisphere for ambient occlusion.
  vec4 shadow_taps[16];
  vec4 sky_taps[16];
}
view;

// What light.comp computes from the vertices of all meshes. All but the shaders that compute it only read it.
#ifndef EXTENT_ACCESS
#define EXTENT_ACCESS readonly
#endif
layout(set = 0, binding = 1, std430) EXTENT_ACCESS buffer Extent {
  // Bits of floats in an order in which they can be compared as integers; see extent.glsl.
  uint low[3], high[3];
  uint padding[2];

  // World to shadow map: x and y 0 .. 1, and z the distance from the sun's side in m.
  mat4 to_shadow;

  // Centre of the box. w: the distance from it beyond which there is no ambient occlusion.
  vec4 centre;

  // Metres per pixel of the shadow map, and metres through its depth.
  float shadow_pixel, shadow_depth;
}
extent;

// Returns the direction from the eye to a point of the picture in pixels, with a component of 1 along the view axis.
vec3 ray_at(vec2 pixel) {
  const vec2 at = 2 * pixel / view.extent - 1;
  return view.forward.xyz + view.right.xyz * (at.x * view.right.w) - view.up.xyz * (at.y * view.up.w);
}

// Returns the distance along the view axis of a depth.
float distance_of(float depth) { return view.eye.w / depth; }

// Cloth is drawn nearer than it is by `lead` and, so that it is seen where it lies on the ground, by this part of its
// distance.
const float GROUND_LEAD = 0.002;

float led_depth(float depth, float lead) {
  const float distance = distance_of(depth);
  return lead > 0 && distance > 2 * lead ? (1 + GROUND_LEAD) * view.eye.w / (distance - lead) : depth;
}

// Returns the distance at which cloth is whose depth is that.
float distance_of_led(float depth, float lead) {
  const float distance = distance_of(depth);
  return lead > 0 && distance > lead ? (1 + GROUND_LEAD) * distance + lead : distance;
}
