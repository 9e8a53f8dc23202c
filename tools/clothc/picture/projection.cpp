// projection.cpp - computes the camera's and the light's projections, and the camera that fits a box.
#include "picture/projection.h"

#include <algorithm>

#include "picture/render.h"

namespace clothc_tool {
namespace {

constexpr float RADIANS = 0.017453293f;
constexpr float AZIMUTH = 24 * RADIANS, ELEVATION = 12 * RADIANS;

// Part of the image that the box may fill.
constexpr float FILLED = 0.88f;

}  // namespace

Axes axes_along(Vector3 forward) {
  Axes axes;
  axes.forward = normalised(forward);
  const Vector3 above = std::fabs(axes.forward.y) < 0.999f ? Vector3{0, 1, 0} : Vector3{0, 0, -1};
  axes.right = normalised(cross(axes.forward, above));
  axes.up = cross(axes.right, axes.forward);
  return axes;
}

PerspectiveProjection::PerspectiveProjection(const SceneCamera& camera, uint32_t width, uint32_t height)
    : eye_(camera.eye),
      axes_(axes_along(camera.target - camera.eye)),
      scale_(static_cast<float>(height) / 2 / std::tan(camera.field_of_view * RADIANS / 2)),
      centre_x_(static_cast<float>(width) / 2),
      centre_y_(static_cast<float>(height) / 2) {}

Vector3 PerspectiveProjection::project(Vector3 p) const {
  const Vector3 offset = p - eye_;
  const float z = dot(offset, axes_.forward);
  return {centre_x_ + scale_ * dot(offset, axes_.right) / z, centre_y_ - scale_ * dot(offset, axes_.up) / z, z};
}

Vector3 PerspectiveProjection::ray(float x, float y) const {
  return axes_.forward + axes_.right * ((x - centre_x_) / scale_) + axes_.up * ((centre_y_ - y) / scale_);
}

ParallelProjection::ParallelProjection(Vector3 direction, Vector3 centre, float radius, uint32_t size)
    : axes_(axes_along(direction)),
      centre_(centre),
      scale_(static_cast<float>(size) / 2 / radius),
      half_(static_cast<float>(size) / 2) {}

Vector3 ParallelProjection::project(Vector3 p) const {
  const Vector3 offset = p - centre_;
  return {half_ + scale_ * dot(offset, axes_.right), half_ - scale_ * dot(offset, axes_.up),
          dot(offset, axes_.forward)};
}

SceneCamera camera_for(const Box& box, float aspect) {
  SceneCamera camera;
  camera.target = box.centre();
  const Vector3 towards_eye = {std::sin(AZIMUTH) * std::cos(ELEVATION), std::sin(ELEVATION),
                               std::cos(AZIMUTH) * std::cos(ELEVATION)};
  const Axes axes = axes_along(-towards_eye);
  const float half_height = FILLED * std::tan(camera.field_of_view * RADIANS / 2), half_width = half_height * aspect;
  float distance = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3 p = Vector3{corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                              corner & 4 ? box.high.z : box.low.z} -
                      camera.target;
    const float width = std::fabs(dot(p, axes.right)) / half_width, height = std::fabs(dot(p, axes.up)) / half_height;
    distance = std::max(distance, std::max(width, height) - dot(p, axes.forward));
  }
  camera.eye = camera.target + towards_eye * std::max(distance, 1e-3f);
  return camera;
}

}  // namespace clothc_tool
