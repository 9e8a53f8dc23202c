// surface.glsl - the kinds of surface, and how a surface is kept in an image: its normal in 10 bits per component, and
// its kind in 2 bits. Neighbours with another kind are not on the same surface.

const int SURFACE_SOLID = 0, SURFACE_GROUND = 1, SURFACE_CLOTH_FRONT = 2, SURFACE_CLOTH_BACK = 3;

vec4 packed_surface(vec3 normal, int kind) { return vec4(0.5 + 0.5 * normal, kind / 3.0); }

vec3 normal_of(vec4 surface) { return normalize(2 * surface.xyz - 1); }
int kind_of(vec4 surface) { return int(3 * surface.w + 0.5); }

bool is_cloth(int kind) { return kind >= SURFACE_CLOTH_FRONT; }

// Returns how far a surface is along the view axis.
float surface_distance(float depth, int kind) {
  return is_cloth(kind) ? distance_of_led(depth, view.cloth_lead) : distance_of(depth);
}

// Returns the kind of a fragment of a mesh, and turns its normal to the viewer.
int facing_surface(int kind, inout vec3 normal) {
  normal = normalize(normal);
  if (kind == SURFACE_SOLID || gl_FrontFacing) return kind;
  normal = -normal;
  return SURFACE_CLOTH_BACK;
}
