// debug_lines.h - the lines of debug drawings, and the vectors with which tests measure them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "support/calls.h"

namespace clothc_test {

using Vector = std::array<double, 3>;

inline Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const Vector& a) { return std::sqrt(dot(a, a)); }
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vector vector_at(const float* values) { return {double{values[0]}, double{values[1]}, double{values[2]}}; }
// quaternion: x y z w, of length 1.
inline Vector turned(const Vector& v, const float* quaternion) {
  const Vector q = vector_at(quaternion);
  return v + 2.0 * (double{quaternion[3]} * cross(q, v) + cross(q, cross(q, v)));
}

// The bytes of a colour.
using Colour = std::array<uint8_t, 4>;
inline Colour colour_of(uint32_t value) {
  Colour colour;
  std::memcpy(colour.data(), &value, sizeof(value));
  return colour;
}

// The colours of constraints.
constexpr Colour at_rest = {208, 208, 208, 255}, stretched = {255, 0, 0, 255}, compressed = {0, 64, 255, 255};
constexpr Colour slack = {64, 64, 64, 255}, taut = {255, 208, 0, 255};

// The colour at part t of the way from one to another one.
inline Colour between(const Colour& a, const Colour& b, double t) {
  Colour colour;
  for (size_t k = 0; k < 4; ++k) colour[k] = static_cast<uint8_t>(std::floor(a[k] + (b[k] - a[k]) * t + 0.5));
  return colour;
}

inline Vector from(const clothc_debug_line& line) { return vector_at(line.first); }
inline Vector to(const clothc_debug_line& line) { return vector_at(line.second); }
inline double length(const clothc_debug_line& line) { return length(to(line) - from(line)); }

inline clothc_debug_desc debug_desc(uint32_t flags, float size = 0) {
  clothc_debug_desc desc = initialised<clothc_debug_desc>();
  desc.flags = flags;
  desc.size = size;
  return desc;
}

inline std::vector<clothc_debug_line> debug_lines(clothc_solver solver, const clothc_debug_desc& desc) {
  uint32_t count = 0;
  require(clothc_solver_get_debug_lines(solver, &desc, nullptr, &count));
  std::vector<clothc_debug_line> lines(count);
  if (count > 0) require(clothc_solver_get_debug_lines(solver, &desc, lines.data(), &count));
  return lines;
}

inline bool are_same(const std::vector<clothc_debug_line>& a, const std::vector<clothc_debug_line>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

}  // namespace clothc_test
