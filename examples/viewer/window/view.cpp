// view.cpp - see view.h.
#include "window/view.h"

#include <algorithm>

namespace clothc_viewer {

using clothc_renderer::Camera;
using clothc_renderer::Orbit;

void View::set_area(ImVec2 window, ImVec2 low, ImVec2 high) {
  window_ = {std::max(window.x, 1.0f), std::max(window.y, 1.0f)};
  low_ = low;
  high_ = {std::max(high.x, low.x + 1), std::max(high.y, low.y + 1)};
}

float View::metres_per_pixel(const Orbit& orbit) const {
  return 2 * orbit.distance * orbit.camera().half_height() / window_.y;
}

Camera View::camera(const Orbit& orbit) const {
  Camera camera = orbit.camera();
  const ImVec2 middle = {(low_.x + high_.x) / 2 - window_.x / 2, (low_.y + high_.y) / 2 - window_.y / 2};
  const glm::vec3 shift = (camera.up() * middle.y - camera.right() * middle.x) * metres_per_pixel(orbit);
  camera.eye += shift;
  camera.target += shift;
  return camera;
}

Orbit View::orbit_of(const Camera& camera, float aspect) const {
  Orbit orbit = Orbit::of(camera);
  const float height = std::min(free_size().y, free_size().x / aspect);
  orbit.distance *= window_.y / height;
  return orbit;
}

clothc_renderer::Ray View::ray(const Orbit& orbit, ImVec2 pixel) const {
  return camera(orbit).ray({pixel.x / window_.x, pixel.y / window_.y}, aspect());
}

bool View::project(const Orbit& orbit, glm::vec3 point, ImVec2& pixel) const {
  const Camera camera = this->camera(orbit);
  const glm::vec3 at = camera.project(point, aspect());
  if (at.z <= camera.near()) return false;
  pixel = {at.x * window_.x, at.y * window_.y};
  return true;
}

}  // namespace clothc_viewer
