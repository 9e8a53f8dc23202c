// plane_lit.frag - the ground: tiles, which show where it is, and which fade to the sky in the distance.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/view.glsl"
#include "render/shaders/plane.glsl"
#include "render/shaders/surface.glsl"
#include "render/shaders/cells.glsl"
#include "render/shaders/visible.glsl"
#include "render/shaders/lighting.glsl"

layout(location = 0) out vec4 colour;

const vec3 GROUND_COLOUR = vec3(0.310, 0.315, 0.320);
const float TILE_CONTRAST = 0.07;

// Distance at which the ground begins to fade, and how fast it fades, relative to the size of what the camera looks at.
const float CLEAR = 1, HAZE = 3.5;

// Integral of a square wave that alternates between +1 and -1 after a length of 1.
float integral(float x) { return abs(x - 2 * floor(x / 2) - 1); }

// Mean of that wave over [from, from + width].
float mean_wave(float from, float width) { return (integral(from) - integral(from + width)) / width; }

// A product of two square waves, each averaged over the area of a pixel, so that small distant tiles become an even grey.
// Source: Quilez 2017, "Filtering the checkerboard pattern".
float tiles(vec3 normal, vec3 p, vec2 pixel) {
  const vec3 above = abs(normal.y) < 0.999 ? vec3(0, 1, 0) : vec3(0, 0, -1);
  const vec3 right = normalize(cross(normal, above)), up = cross(right, normal);
  const vec3 beside = view.eye.xyz + to_plane(pixel + vec2(1, 0)) - p, below = view.eye.xyz + to_plane(pixel + vec2(0, 1)) - p;
  const float tile = view.towards_fill.w;
  const vec2 at = vec2(dot(p, right), dot(p, up)) / tile;
  const vec2 width = max(vec2(1e-3), max(abs(vec2(dot(beside, right), dot(beside, up))),
                                         abs(vec2(dot(below, right), dot(below, up)))) / tile);
  return mean_wave(at.x - width.x / 2, width.x) * mean_wave(at.y - width.y / 2, width.y);
}

void main() {
  const vec3 normal = push.plane.xyz, offset = to_plane(gl_FragCoord.xy), p = view.eye.xyz + offset;
  const vec3 direction = normalize(offset);
  const float away = max(0, length(p - view.target.xyz) / view.target.w - CLEAR) / HAZE;
  const float clear = exp(-away * away);
  colour = vec4(sky(direction), 1);
  if (clear < 0.002) return;
  const vec2 seen = visible(normal, SURFACE_GROUND, distance_of(gl_FragCoord.z));
  const vec3 ground = GROUND_COLOUR * (1 + 0.5 * TILE_CONTRAST * tiles(normal, p, gl_FragCoord.xy));
  colour.rgb = mix(colour.rgb, ground * light(normal, false, seen, direction), clear);
}
