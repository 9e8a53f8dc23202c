// tube.cpp - generates the vertices and quads of a tube.
#include "scene/meshes/tube.h"

#include <cmath>

#include "scene/frames/pose.h"
#include "scene/frames/wave.h"

namespace clothc_tool {
namespace {

// Returns a unit vector at a right angle to axis, derived from z, or from x if z is too close to the axis.
Vector3 across(Vector3 axis) {
  const Vector3 away = std::fabs(axis.z) < 0.7f ? Vector3{0, 0, 1} : Vector3{1, 0, 0};
  return normalised(away - axis * dot(axis, away));
}

}  // namespace

// Columns are in the order that makes the triangles' normals point outwards.
Mesh make_tube(const Tube& tube) {
  Mesh mesh;
  const Vector3 front = across(tube.axis), side = cross(tube.axis, front);
  for (uint32_t row = 0; row < tube.rows; ++row) {
    const float v = static_cast<float>(row) / static_cast<float>(tube.rows - 1);
    const float mean_radius = tube.first_radius + (tube.last_radius - tube.first_radius) * v;
    for (uint32_t column = 0; column < tube.columns; ++column) {
      const double turn = static_cast<double>(column) / tube.columns;
      const SineAndCosine angle = sine_and_cosine(360 * turn);
      const float radius = mean_radius + tube.fold_depth * v * wave(static_cast<double>(tube.fold_count) * turn);
      mesh.positions.push_back(tube.origin + tube.axis * (v * tube.length) +
                               front * (radius * static_cast<float>(angle.cosine)) +
                               side * (radius * static_cast<float>(angle.sine)));
    }
  }
  for (uint32_t row = 0; row + 1 < tube.rows; ++row) {
    for (uint32_t column = 0; column < tube.columns; ++column) {
      const uint32_t here = row * tube.columns, next = (column + 1) % tube.columns;
      for (uint32_t vertex : {here + column, here + next, here + tube.columns + next, here + tube.columns + column}) {
        mesh.quads.push_back(vertex);
      }
    }
  }
  return mesh;
}

}  // namespace clothc_tool
