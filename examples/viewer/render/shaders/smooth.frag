// smooth.frag - the mean of the visibility of the cells around a cell that show the same surface. Each of the four patterns
// of taps has a quarter of the weight.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "render/shaders/surface.glsl"
#include "render/shaders/cells.glsl"

layout(set = 1, binding = 0) uniform usampler2D cells;
layout(location = 0) out uvec4 result;

void main() {
  const ivec2 index = ivec2(gl_FragCoord.xy), size = textureSize(cells, 0);
  const uvec4 own = texelFetch(cells, index, 0);
  result = own;
  if (own.x == 0) return;
  const vec4 surface = surface_of_cell(own);
  const vec3 normal = normal_of(surface);
  const float distance = distance_of_cell(own);
  const int kind = kind_of(surface);
  vec2 sum = vec2(0);
  float weights = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const uvec4 cell = texelFetch(cells, clamp(index + ivec2(dx, dy), ivec2(0), size - 1), 0);
      if (!is_same_surface(cell, distance, normal, kind)) continue;
      const float weight = float((2 - abs(dx)) * (2 - abs(dy)));
      sum += weight * seen_by_cell(cell);
      weights += weight;
    }
  }
  result.z = packUnorm2x16(sum / weights);
}
