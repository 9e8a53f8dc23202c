// vector3.h - the tool's three-component vector and axis-aligned box, for scene geometry and rendering.
#pragma once

#include <cmath>

namespace clothc_tool {

struct Vector3 {
  float x = 0, y = 0, z = 0;
};

inline Vector3 operator+(Vector3 a, Vector3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector3 operator-(Vector3 a, Vector3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector3 operator-(Vector3 a) { return {-a.x, -a.y, -a.z}; }
inline Vector3 operator*(Vector3 a, Vector3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vector3 operator*(Vector3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vector3 operator*(float s, Vector3 a) { return a * s; }
inline Vector3& operator+=(Vector3& a, Vector3 b) { return a = a + b; }
inline float dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector3 cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(Vector3 a) { return std::sqrt(dot(a, a)); }
inline Vector3 interpolate(Vector3 a, Vector3 b, float t) { return a + (b - a) * t; }
inline Vector3 minimum(Vector3 a, Vector3 b) { return {std::fmin(a.x, b.x), std::fmin(a.y, b.y), std::fmin(a.z, b.z)}; }
inline Vector3 maximum(Vector3 a, Vector3 b) { return {std::fmax(a.x, b.x), std::fmax(a.y, b.y), std::fmax(a.z, b.z)}; }

// Returns the unit vector in the direction of a, or a itself if it is zero.
inline Vector3 normalised(Vector3 a) {
  const float size = length(a);
  return size > 0 ? a * (1 / size) : a;
}

// An axis-aligned box, which is empty until a point or box is added.
struct Box {
  Vector3 low = {INFINITY, INFINITY, INFINITY};
  Vector3 high = {-INFINITY, -INFINITY, -INFINITY};

  void add(Vector3 p) {
    low = minimum(low, p);
    high = maximum(high, p);
  }
  void add(const Box& box) {
    low = minimum(low, box.low);
    high = maximum(high, box.high);
  }
  bool is_empty() const { return !(low.x <= high.x); }
  Vector3 centre() const { return (low + high) * 0.5f; }
  Vector3 size() const { return is_empty() ? Vector3{} : high - low; }
};

}  // namespace clothc_tool
