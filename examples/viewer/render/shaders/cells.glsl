// cells.glsl - what a cell of 2 x 2 pixels knows of one of them: the bits of its distance (0 = nothing), its packed surface,
// and the visible parts of sun and sky in 16 bits each.

// Neighbours are on the same surface if they are of the same kind, their distances differ by less than this part, and the
// cosine of the angle between their normals is at least SAME_NORMAL.
const float SAME_DISTANCE = 0.012, SAME_NORMAL = 0.8;

uvec4 packed_cell(float distance, vec4 surface, vec2 seen) {
  return uvec4(floatBitsToUint(distance), packUnorm4x8(surface), packUnorm2x16(seen), 0);
}

float distance_of_cell(uvec4 cell) { return uintBitsToFloat(cell.x); }
vec4 surface_of_cell(uvec4 cell) { return unpackUnorm4x8(cell.y); }
vec2 seen_by_cell(uvec4 cell) { return unpackUnorm2x16(cell.z); }

bool is_same_surface(uvec4 cell, float distance, vec3 normal, int kind) {
  const vec4 other = surface_of_cell(cell);
  if (cell.x == 0 || kind_of(other) != kind || dot(normal_of(other), normal) < SAME_NORMAL) return false;
  return kind == SURFACE_GROUND || abs(distance_of_cell(cell) - distance) < SAME_DISTANCE * distance;
}
