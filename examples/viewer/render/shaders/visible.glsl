// visible.glsl - the mean of the visibility of the cells around a pixel that show the same surface.

layout(set = 1, binding = 0) uniform usampler2D cells;

// Neighbours are on the same surface if their distances differ by less than this part, and the cosine of the angle
// between their normals is at least SAME_NORMAL.
const float SAME_DISTANCE = 0.012, SAME_NORMAL = 0.8;

bool same_surface(vec4 surface, float distance, vec3 normal, uvec4 cell) {
  const vec4 other = unpackUnorm4x8(cell.y);
  if (cell.x == 0 || kind_of(other) != kind_of(surface) || dot(normal_of(other), normal) < SAME_NORMAL) return false;
  return kind_of(surface) == SURFACE_GROUND || abs(uintBitsToFloat(cell.x) - distance) < SAME_DISTANCE * distance;
}

// Returns the visible parts of sun and sky. The weights of the cells fall to 0 at a distance of 4 pixels and give all
// patterns of taps the same total.
vec2 visible(vec3 normal, int kind, float distance) {
  const ivec2 pixel = ivec2(gl_FragCoord.xy), size = textureSize(cells, 0);
  const vec4 surface = packed_surface(normal, kind);
  vec2 sum = vec2(0), nearest = vec2(1);
  float weights = 0, least = 1e30;
  for (int dy = -1; dy <= 2; ++dy) {
    for (int dx = -1; dx <= 2; ++dx) {
      const ivec2 index = pixel / 2 + ivec2(dx, dy);
      if (any(lessThan(index, ivec2(0))) || any(greaterThanEqual(index, size))) continue;
      const uvec4 cell = texelFetch(cells, index, 0);
      const vec2 seen = unpackUnorm2x16(cell.z);
      const float apart = abs(uintBitsToFloat(cell.x) - distance);
      if (cell.x != 0 && apart < least) {
        least = apart;
        nearest = seen;
      }
      if (!same_surface(surface, distance, normal, cell)) continue;
      const ivec2 away = abs(2 * ivec2(dx, dy) - pixel % 2);
      const float weight = float((4 - away.x) * (4 - away.y));
      sum += weight * seen;
      weights += weight;
    }
  }
  // What no cell shows takes what is nearest in depth.
  return weights > 0 ? sum / weights : nearest;
}
