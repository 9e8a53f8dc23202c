// camera.h - a camera in a right-handed world whose y axis points up, its matrices, and the ray through a pixel.
#pragma once

#include <glm/glm.hpp>

namespace clothc_renderer {

struct Ray {
  glm::vec3 origin, direction;
};

struct Box {
  glm::vec3 low = glm::vec3(INFINITY), high = glm::vec3(-INFINITY);

  bool is_empty() const { return !(low.x <= high.x); }
  void add(glm::vec3 p) { low = glm::min(low, p), high = glm::max(high, p); }
  void add(const Box& box) { low = glm::min(low, box.low), high = glm::max(high, box.high); }
  glm::vec3 centre() const { return 0.5f * (low + high); }
  glm::vec3 size() const { return high - low; }
};

struct Camera {
  glm::vec3 eye = {0, 1, 4}, target = {0, 1, 0};

  // From top to bottom.
  float field_of_view_degrees = 35;

  // World to view. It looks along -z.
  glm::mat4 view() const;

  // View to clip space with depths from 0 to 1.
  glm::mat4 projection(float aspect) const;

  // Size of what the camera looks at, by its distance.
  float view_size() const;

  // The ray through a point of the picture; x and y are 0 .. 1 from its top left corner.
  Ray ray(glm::vec2 point, float aspect) const;

  // Where a point of the world is in the picture: x and y as above, and z the distance along the view axis.
  glm::vec3 project(glm::vec3 point, float aspect) const;
};

// Orbits a target, as mouse and keys ask for.
struct Orbit {
  glm::vec3 target = {0, 1, 0};
  float distance = 4, azimuth_degrees = 24, elevation_degrees = 12;
  float field_of_view_degrees = 35;

  static Orbit of(const Camera& camera);
  Camera camera() const;

  // Turn by degrees; move by parts of the picture's height; come closer by a factor.
  void turn(float azimuth, float elevation);
  void move(glm::vec2 parts);
  void zoom(float factor);
};

}  // namespace clothc_renderer
