// geometry.h - double-precision vectors over the float positions of particles. They use only + - * / and sqrt, which
// IEEE 754 rounds correctly on every machine, so that cooking gives the same bits everywhere.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

// A triangle whose height is below this fraction of its longest edge is treated as flat: it is a line that rounding has
// bent, and has no usable normal.
constexpr double flatness = 1.0 / (1 << 23);

struct Vector {
  double x, y, z;
};

inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(double s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(Vector a) { return std::sqrt(dot(a, a)); }
inline Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// positions: [particles][4] x y z in m. The fourth component is not read.
inline Vector position_of(const std::vector<float>& positions, uint32_t particle) {
  const float* p = &positions[size_t{particle} * 4];
  return {double{p[0]}, double{p[1]}, double{p[2]}};
}

inline double distance(const std::vector<float>& positions, uint32_t a, uint32_t b) {
  return length(position_of(positions, a) - position_of(positions, b));
}

inline double triangle_area(const std::vector<float>& positions, uint32_t a, uint32_t b, uint32_t c) {
  const Vector origin = position_of(positions, a);
  return 0.5 * length(cross(position_of(positions, b) - origin, position_of(positions, c) - origin));
}

}  // namespace clothc::cook
