// cells.glsl - what a cell of 2 x 2 pixels knows of one of them, in a form that is quick to compare: the normal's components
// to the right and up, with KIND_STEP times the kind of surface added to the first; the distance, 0 = there is nothing; and
// the visible parts of sun and sky, as a whole number of SUN_STEPS and a fraction.

const float KIND_STEP = 4, SUN_STEPS = 1024;

// Neighbours are on the same surface if the components of their normals differ by less than the root of MOST_TURN, and
// their distances by less than this part.
const float MOST_TURN = 0.3, SAME_DISTANCE = 0.012;

// The part of a cell that is compared.
vec3 cell_key(vec3 normal, int kind, float distance) {
  return vec3(dot(normal, view.right.xyz) + KIND_STEP * kind, dot(normal, view.up.xyz), distance);
}

// The ground is the same surface at all distances.
float most_apart(int kind, float distance) { return kind == SURFACE_GROUND ? 1e30 : SAME_DISTANCE * distance; }

bool is_same_surface(vec3 key, vec3 other, float most_apart) {
  const vec3 away = other - key;
  return dot(away.xy, away.xy) < MOST_TURN && abs(away.z) < most_apart;
}

float packed_seen(vec2 seen) { return floor(seen.x * SUN_STEPS) + 0.999 * clamp(seen.y, 0, 1); }

vec2 unpacked_seen(float packed) {
  const float sun = floor(packed);
  return vec2(sun / SUN_STEPS, (packed - sun) / 0.999);
}
