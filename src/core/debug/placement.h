// placement.h - where something is drawn: a rotation, a scale and a translation, in double precision. As
// cook/geometry.h it uses only what IEEE 754 rounds correctly, so that lines have the same bits on every machine.
#pragma once

#include <cmath>

#include "cook/geometry.h"
#include "core/cloth/frame.h"

namespace clothc {

using cook::Vector;

inline Vector vector_at(const float* values) { return {double{values[0]}, double{values[1]}, double{values[2]}}; }

class Placement {
 public:
  // translation: x y z; rotation: a quaternion x y z w whose length is about 1.
  Placement(const float* translation, const float* rotation, double scale = 1)
      : translation_(vector_at(translation)), scale_(scale) {
    const Vector axis = vector_at(rotation);
    const double w = double{rotation[3]};
    const double inverse = 1 / std::sqrt(dot(axis, axis) + w * w);
    axis_ = inverse * axis;
    w_ = inverse * w;
  }
  explicit Placement(const Pose& pose) : Placement(pose.translation, pose.rotation) {}

  // s v + 2 w (q x s v) + 2 q x (q x s v) + translation, for the quaternion (q, w) and the scale s.
  Vector operator()(Vector v) const {
    const Vector scaled = scale_ * v;
    const Vector half_way = cross(axis_, scaled);
    return scaled + 2 * (w_ * half_way + cross(axis_, half_way)) + translation_;
  }

 private:
  Vector translation_;
  double scale_;
  Vector axis_;
  double w_;
};

}  // namespace clothc
