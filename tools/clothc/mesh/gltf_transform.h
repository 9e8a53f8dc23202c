// gltf_transform.h - the affine transform of a glTF node, in double precision.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "mesh/vector3.h"

namespace clothc_tool {

// A 4 x 4 matrix whose last row is 0 0 0 1, stored by columns.
struct GltfTransform {
  std::array<double, 16> m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

  Vector3 operator()(Vector3 p) const {
    const auto row = [&](size_t i) {
      return static_cast<float>(m[i] * double{p.x} + m[4 + i] * double{p.y} + m[8 + i] * double{p.z} + m[12 + i]);
    };
    return {row(0), row(1), row(2)};
  }

  GltfTransform operator*(const GltfTransform& inner) const {
    GltfTransform product;
    for (size_t column = 0; column < 4; ++column) {
      for (size_t row = 0; row < 4; ++row) {
        double sum = 0;
        for (size_t k = 0; k < 4; ++k) sum += m[4 * k + row] * inner.m[4 * column + k];
        product.m[4 * column + row] = sum;
      }
    }
    return product;
  }

  bool mirrors() const {
    return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) +
               m[8] * (m[1] * m[6] - m[5] * m[2]) <
           0;
  }
};

// Returns a node's transform: its matrix if it has one, otherwise the product of its translation, rotation (a
// quaternion x y z w) and scale. Each of these is empty if the node does not have it.
inline GltfTransform gltf_transform(const std::vector<double>& matrix, const std::vector<double>& translation,
                                    const std::vector<double>& rotation, const std::vector<double>& scale) {
  GltfTransform result;
  if (matrix.size() == 16) {
    for (size_t i = 0; i < 16; ++i) result.m[i] = matrix[i];
    return result;
  }
  if (rotation.size() == 4) {
    const double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
    result.m = {1 - 2 * (y * y + z * z),
                2 * (x * y + z * w),
                2 * (x * z - y * w),
                0,
                2 * (x * y - z * w),
                1 - 2 * (x * x + z * z),
                2 * (y * z + x * w),
                0,
                2 * (x * z + y * w),
                2 * (y * z - x * w),
                1 - 2 * (x * x + y * y),
                0,
                0,
                0,
                0,
                1};
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    for (size_t row = 0; row < 3 && scale.size() == 3; ++row) result.m[4 * axis + row] *= scale[axis];
    if (translation.size() == 3) result.m[12 + axis] = translation[axis];
  }
  return result;
}

}  // namespace clothc_tool
