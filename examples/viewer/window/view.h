// view.h - the part of the window that no panel covers, and the camera that has its target in the middle of it.
#pragma once

#include <imgui.h>

#include "render/camera.h"

namespace clothc_viewer {

class View {
 public:
  // Pixels of the window, and of the part that is free.
  void set_area(ImVec2 window, ImVec2 low, ImVec2 high);

  // Width by height of the window.
  float aspect() const { return window_.x / window_.y; }
  ImVec2 low() const { return low_; }
  ImVec2 high() const { return high_; }
  ImVec2 free_size() const { return {high_.x - low_.x, high_.y - low_.y}; }
  ImVec2 window() const { return window_; }

  // The camera for a picture of the whole window. It is moved sideways, so that the orbit's target is in the middle of
  // the free part.
  clothc_renderer::Camera camera(const clothc_renderer::Orbit& orbit) const;

  // The orbit that shows in the free part all of what a camera shows in a picture of this aspect.
  clothc_renderer::Orbit orbit_of(const clothc_renderer::Camera& camera, float aspect) const;

  // The ray through a pixel.
  clothc_renderer::Ray ray(const clothc_renderer::Orbit& orbit, ImVec2 pixel) const;

  // The pixel of a point in the world; none if it is behind the eye.
  bool project(const clothc_renderer::Orbit& orbit, glm::vec3 point, ImVec2& pixel) const;

  // How far a point at the target's distance moves in m per pixel.
  float metres_per_pixel(const clothc_renderer::Orbit& orbit) const;

 private:
  ImVec2 window_ = {1, 1}, low_ = {0, 0}, high_ = {1, 1};
};

}  // namespace clothc_viewer
