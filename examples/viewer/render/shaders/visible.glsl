// visible.glsl - how much of sun and sky a fragment sees, by the smoothed cells around it that show the same surface.

layout(set = 1, binding = 0) uniform usampler2D cells;

// Weight of cells that show another surface, in proportion to how near in depth it is. It counts only where no cell shows
// the same surface, as at thin edges.
const float OTHER_SURFACE = 1e-5;

// Returns the visible parts of sun and sky.
vec2 visible(vec3 normal, int kind, float distance) {
  const ivec2 pixel = ivec2(gl_FragCoord.xy), first = pixel / 2, last = textureSize(cells, 0) - 1;

  // Between the pixels of the cells the weights are linear.
  const vec2 beside = 0.5 * vec2(pixel % 2);
  vec2 sum = vec2(0);
  float weights = 0;
  for (int i = 0; i < 4; ++i) {
    const ivec2 step = ivec2(i & 1, i >> 1);
    const uvec4 cell = texelFetch(cells, min(first + step, last), 0);
    const vec2 near = mix(1 - beside, beside, step);
    const float apart = abs(distance_of_cell(cell) - distance) / distance;
    const float weight = is_same_surface(cell, distance, normal, kind) ? near.x * near.y : 0;
    const float least = cell.x == 0 ? 0 : OTHER_SURFACE / (0.01 + apart);
    sum += (weight + least) * seen_by_cell(cell);
    weights += weight + least;
  }
  return weights > 0 ? sum / weights : vec2(1);
}
