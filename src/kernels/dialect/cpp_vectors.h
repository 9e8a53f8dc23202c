// cpp_vectors.h - vectors with three and four components for the dialect as C++. The includer has defined real in the
// current namespace, and included
// platform/compiler.h.

#define INLINE CLOTHC_INLINE

struct real3 {
  real x, y, z;
};
struct real4 {
  real x, y, z, w;
};

INLINE real3 operator+(real3 a, real3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
INLINE real3 operator-(real3 a, real3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
INLINE real3 operator*(real3 a, real s) { return {a.x * s, a.y * s, a.z * s}; }
INLINE real3 make3(real x, real y, real z) { return {x, y, z}; }
INLINE real4 make4(real3 v, real w) { return {v.x, v.y, v.z, w}; }
INLINE real3 xyz_of(real4 v) { return {v.x, v.y, v.z}; }
