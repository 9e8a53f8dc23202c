// visibility.frag - how much of the sun and of the sky one pixel of each cell of 2 x 2 sees. Neighbouring cells use
// other points; visible.glsl takes the mean over cells that show the same surface.
// Sources: Reeves, Salesin and Cook 1987, "Rendering antialiased shadows with depth maps"; Fernando 2005,
// "Percentage-closer soft shadows"; Isidoro 2006, "Shadow mapping: GPU-based tips and techniques" (the plane's slope);
// Mittring 2007, "Finding next gen: CryEngine 2" (ambient occlusion).
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/view.glsl"
#include "render/shaders/surface.glsl"
#include "render/shaders/cells.glsl"

layout(set = 1, binding = 0) uniform sampler2D shadow_map;
layout(set = 1, binding = 1) uniform sampler2DMS depths;
layout(set = 1, binding = 2) uniform sampler2DMS surfaces;

layout(location = 0) out vec4 cell;

const int TAP_COUNT = 16;

// Radius of the sun divided by its distance.
const float SUN_SIZE = 0.03;

// Radius of the discs of taps, distance of the tested point from its surface, and distance by which an occluder must be
// nearer to the sun, all in pixels of the shadow map.
const float SMALLEST_DISC = 1.3, LARGEST_DISC = 18, OFFSET = 1.5, BIAS = 1.5;

// Largest slope of a surface.
const float STEEPEST = 3;

const float OCCLUSION_STRENGTH = 1.5;

// Where sample 0 of four is in its pixel.
const vec2 SAMPLE = vec2(0.375, 0.125);

// Turns by quarters of a circle.
vec2 turned(vec2 v, int quarters) {
  if (quarters == 0) return v;
  if (quarters == 1) return vec2(-v.y, v.x);
  return quarters == 2 ? -v : vec2(v.y, -v.x);
}

// Distance from the sun's side of what throws a shadow at a point of the map.
float occluder(vec2 pixel) {
  if (any(lessThan(pixel, vec2(0))) || any(greaterThanEqual(pixel, vec2(view.shadow_size)))) return 1e30;
  const float depth = texelFetch(shadow_map, ivec2(pixel), 0).r;
  return depth < 1 ? depth * extent.shadow_depth : 1e30;
}

float sun_at(vec3 p, vec3 normal, int pattern) {
  const float pixel = extent.shadow_pixel, bias = BIAS * pixel;
  vec3 at = (extent.to_shadow * vec4(p + normal * (OFFSET * pixel), 1)).xyz;
  at.xy *= view.shadow_size;
  if (any(lessThan(at.xy, vec2(-LARGEST_DISC))) || any(greaterThan(at.xy, vec2(view.shadow_size + LARGEST_DISC)))) return 1;

  // The surface's own distance changes over the disc by its slope.
  vec3 facing = mat3(extent.to_shadow) * normal;
  facing.xy *= extent.shadow_depth;
  const vec2 slope = clamp(-facing.xy / min(facing.z, -1e-3), -STEEPEST, STEEPEST) * pixel;
  float gap = 0;
  int count = 0;
  for (int i = 0; i < TAP_COUNT; ++i) {
    const vec2 tap = turned(view.shadow_taps[i].xy, pattern) * LARGEST_DISC;
    const float own = at.z + dot(tap, slope), depth = occluder(at.xy + tap);
    if (depth >= own - bias) continue;
    gap += own - depth;
    ++count;
  }
  if (count == 0) return 1;
  const float radius = clamp(SUN_SIZE * gap / count / pixel, SMALLEST_DISC, LARGEST_DISC);
  int lit = 0;
  for (int i = 0; i < TAP_COUNT; ++i) {
    const vec2 tap = turned(view.shadow_taps[i].xy, pattern) * radius;
    if (occluder(at.xy + tap) >= at.z + dot(tap, slope) - bias) ++lit;
  }
  return float(lit) / TAP_COUNT;
}

// How much a point is hidden behind something. It falls with the distance to that, so that what is far in front throws
// no halo. lead: by how much its surface is drawn nearer.
float hidden(vec3 point, float distance, float lead) {
  const vec4 clip = view.to_clip * vec4(point, 1);
  if (clip.w <= view.eye.w) return 0;
  const vec2 pixel = (0.5 + 0.5 * clip.xy / clip.w) * view.extent;
  if (any(lessThan(pixel, vec2(0))) || any(greaterThanEqual(pixel, view.extent))) return 0;
  const float depth = texelFetch(depths, ivec2(pixel), 0).r;
  if (depth <= 0) return 0;
  const float before = clip.w - lead - distance_of(depth);
  if (before < 0.03 * distance) return 0;
  return max(0, 1 - before / (2 * distance + 0.5 * view.towards_sun.w));
}

float sky_at(vec3 p, vec3 normal, float lead, int pattern) {
  const vec3 above = abs(normal.y) < 0.999 ? vec3(0, 1, 0) : vec3(0, 0, -1);
  const vec3 right = normalize(cross(normal, above)), up = cross(right, normal);
  float sum = 0;
  for (int i = 0; i < TAP_COUNT; ++i) {
    // The points of a pattern are all nearer or farther than those of another one.
    const float step = view.sky_taps[i].w + pattern / (4.0 * TAP_COUNT);
    const float distance = view.towards_sun.w * (0.06 + 0.94 * step * step);
    const vec3 offset = vec3(turned(view.sky_taps[i].xy, pattern), view.sky_taps[i].z) * distance;
    sum += hidden(p + right * offset.x + up * offset.y + normal * offset.z, distance, lead);
  }
  return 1 - min(1, OCCLUSION_STRENGTH * sum / TAP_COUNT);
}

void main() {
  const ivec2 cell_index = ivec2(gl_FragCoord.xy), pixel = 2 * cell_index;
  const float depth = texelFetch(depths, pixel, 0).r;
  if (depth <= 0) {
    cell = vec4(0);
    return;
  }
  const vec4 surface = texelFetch(surfaces, pixel, 0);
  const vec3 normal = normal_of(surface);
  const int kind = kind_of(surface);
  const float distance = surface_distance(depth, kind);
  const vec3 p = view.eye.xyz + ray_at(pixel + SAMPLE) * distance;
  const int pattern = cell_index.x % 2 + cell_index.y % 2 * 2;
  const float sun = sun_at(p, dot(normal, view.towards_sun.xyz) >= 0 ? normal : -normal, pattern);
  const float sky = length(p - extent.centre.xyz) < extent.centre.w ? sky_at(p, normal, distance - distance_of(depth), pattern) : 1;
  cell = vec4(cell_key(normal, kind, distance), packed_seen(vec2(sun, sky)));
}
