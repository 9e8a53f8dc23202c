// projection.h - the camera's perspective projection and the light's parallel projection. Both map a world point to (x,
// y) in pixels and a depth that grows away from the viewer.
#pragma once

#include "scene/scene.h"
#include "mesh/vector3.h"

namespace clothc_tool {

// Three orthogonal unit vectors; forward is the direction of view.
struct Axes {
  Vector3 right, up, forward;
};
Axes axes_along(Vector3 forward);

class PerspectiveProjection {
 public:
  PerspectiveProjection(const SceneCamera& camera, uint32_t width, uint32_t height);

  // Returns x and y in pixels and, as z, the distance along the view axis. Valid only for points with z > 0.
  Vector3 project(Vector3 p) const;

  // Returns the direction from the eye to the point (x, y) of the image, in pixels, scaled to a component of 1 along
  // the view axis.
  Vector3 ray(float x, float y) const;

  Vector3 eye() const { return eye_; }
  const Axes& axes() const { return axes_; }

  // Pixels per unit of length at distance 1.
  float pixels_per_unit() const { return scale_; }

 private:
  Vector3 eye_;
  Axes axes_;
  float scale_, centre_x_, centre_y_;
};

// Estimates the size of what a camera looks at from its distance alone, so that it is the same in all frames of a
// scene.
inline float view_size(const SceneCamera& camera) {
  return std::fmax(0.8f * length(camera.target - camera.eye), 1e-3f);
}

class ParallelProjection {
 public:
  // Looks along the direction at a sphere, which fills the image of size x size pixels.
  ParallelProjection(Vector3 direction, Vector3 centre, float radius, uint32_t size);

  Vector3 project(Vector3 p) const;
  Vector3 direction(Vector3 d) const { return {dot(d, axes_.right), -dot(d, axes_.up), dot(d, axes_.forward)}; }
  float unit_per_pixel() const { return 1 / scale_; }

 private:
  Axes axes_;
  Vector3 centre_;
  float scale_, half_;
};

}  // namespace clothc_tool
