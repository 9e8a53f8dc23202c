// visible.glsl - how much of sun and sky a fragment sees: the mean over the cells around it that show the same surface.

layout(set = 1, binding = 0) uniform sampler2D cells;

// Weight of cells that show another surface, in proportion to how near in depth it is. It counts only where no cell shows
// the same surface, as at thin edges.
const float OTHER_SURFACE = 1e-4;

// Returns the visible parts of sun and sky. The weights of the cells fall to 0 at a distance of 4 pixels and give all
// patterns of taps the same total.
vec2 visible(vec3 normal, int kind, float distance) {
  const ivec2 pixel = ivec2(gl_FragCoord.xy), first = pixel / 2, last = textureSize(cells, 0) - 1;
  const vec2 beside = vec2(pixel % 2);
  const vec3 key = cell_key(normal, kind, distance);
  const float apart = most_apart(kind, distance);
  vec2 sum = vec2(0);
  float weights = 1e-20;
  for (int dy = -1; dy <= 2; ++dy) {
    for (int dx = -1; dx <= 2; ++dx) {
      const vec4 cell = texelFetch(cells, clamp(first + ivec2(dx, dy), ivec2(0), last), 0);
      const vec2 near = 4 - abs(2 * vec2(dx, dy) - beside);
      const float other = cell.z > 0 ? OTHER_SURFACE * distance / (distance + 100 * abs(cell.z - distance)) : 0;
      const float weight = near.x * near.y * (is_same_surface(key, cell.xyz, apart) ? 1 : other);
      sum += weight * unpacked_seen(cell.w);
      weights += weight;
    }
  }
  return sum / weights;
}
