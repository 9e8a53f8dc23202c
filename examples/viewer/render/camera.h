// camera.h - a camera in a right-handed world whose y axis points up, its matrix, and the ray through a point of the
// picture.
#pragma once

#include <cmath>
#include <glm/glm.hpp>

namespace clothc_renderer {

struct Ray {
  glm::vec3 origin;

  // Of length 1.
  glm::vec3 direction;
};

struct Box {
  glm::vec3 low = glm::vec3(INFINITY), high = glm::vec3(-INFINITY);

  bool is_empty() const { return !(low.x <= high.x); }
  void add(glm::vec3 p) { low = glm::min(low, p), high = glm::max(high, p); }
  glm::vec3 centre() const { return 0.5f * (low + high); }
  glm::vec3 size() const { return high - low; }
};

struct Camera {
  glm::vec3 eye = {0, 1, 4}, target = {0, 1, 0};

  // From top to bottom.
  float field_of_view_degrees = 35;

  // Unit vectors.
  glm::vec3 forward() const;
  glm::vec3 right() const;
  glm::vec3 up() const { return glm::cross(right(), forward()); }

  // Size of what the camera looks at in m, estimated from its distance.
  float view_size() const;

  // What is nearer is not drawn, m.
  float near() const { return 0.01f * view_size(); }

  // Half the picture's height at the distance 1.
  float half_height() const;

  // World to clip space: y points down, and the depth is near() divided by the distance along the view axis.
  glm::mat4 to_clip(float aspect) const;

  // The ray through a point of the picture. x and y are 0 .. 1 from its top left corner; aspect is its width divided by
  // its height.
  Ray ray(glm::vec2 point, float aspect) const;

  // Where a point of the world is in the picture: x and y as above, and z the distance along the view axis.
  glm::vec3 project(glm::vec3 point, float aspect) const;
};

// A camera that goes around its target, as mouse and keys ask for.
struct Orbit {
  glm::vec3 target = {0, 1, 0};

  // m
  float distance = 4;

  // The azimuth is 0 where the camera looks along -z, and the elevation is above the horizon, -89 .. 89.
  float azimuth_degrees = 24, elevation_degrees = 12;

  float field_of_view_degrees = 35;

  static Orbit of(const Camera& camera);
  Camera camera() const;

  void turn(float azimuth_degrees, float elevation_degrees);

  // Moves eye and target along the picture. parts: of the picture's height, to the right and down.
  void move(glm::vec2 parts);

  // Multiplies the distance.
  void zoom(float factor);
};

}  // namespace clothc_renderer
