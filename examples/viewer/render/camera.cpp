// camera.cpp - see camera.h.
#include "render/camera.h"

#include <algorithm>
#include <glm/gtc/constants.hpp>

namespace clothc_renderer {
namespace {

constexpr float MOST_ELEVATION = 89;

}  // namespace

glm::vec3 Camera::forward() const { return glm::normalize(target - eye); }

glm::vec3 Camera::right() const {
  const glm::vec3 axis = forward();
  const glm::vec3 above = std::fabs(axis.y) < 0.999f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, -1);
  return glm::normalize(glm::cross(axis, above));
}

float Camera::view_size() const { return std::max(0.8f * glm::length(target - eye), 1e-3f); }

float Camera::half_height() const { return std::tan(glm::radians(field_of_view_degrees) / 2); }

glm::mat4 Camera::to_clip(float aspect) const {
  const float height = half_height(), width = height * aspect;
  const glm::vec3 x = right() / width, y = -up() / height, w = forward();
  return {{x.x, y.x, 0, w.x},
          {x.y, y.y, 0, w.y},
          {x.z, y.z, 0, w.z},
          {-glm::dot(x, eye), -glm::dot(y, eye), near(), -glm::dot(w, eye)}};
}

Ray Camera::ray(glm::vec2 point, float aspect) const {
  const glm::vec2 at = 2.0f * point - 1.0f;
  const float height = half_height();
  return {eye, glm::normalize(forward() + right() * (at.x * height * aspect) - up() * (at.y * height))};
}

glm::vec3 Camera::project(glm::vec3 point, float aspect) const {
  const glm::vec4 clip = to_clip(aspect) * glm::vec4(point, 1);
  return {0.5f + 0.5f * clip.x / clip.w, 0.5f + 0.5f * clip.y / clip.w, clip.w};
}

Orbit Orbit::of(const Camera& camera) {
  const glm::vec3 offset = camera.eye - camera.target;
  Orbit orbit;
  orbit.target = camera.target;
  orbit.distance = std::max(glm::length(offset), 1e-3f);
  orbit.azimuth_degrees = glm::degrees(std::atan2(offset.x, offset.z));
  orbit.elevation_degrees = glm::degrees(std::asin(glm::clamp(offset.y / orbit.distance, -1.0f, 1.0f)));
  orbit.elevation_degrees = glm::clamp(orbit.elevation_degrees, -MOST_ELEVATION, MOST_ELEVATION);
  orbit.field_of_view_degrees = camera.field_of_view_degrees;
  return orbit;
}

Camera Orbit::camera() const {
  const float azimuth = glm::radians(azimuth_degrees), elevation = glm::radians(elevation_degrees);
  const glm::vec3 towards_eye = {std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                                 std::cos(azimuth) * std::cos(elevation)};
  return {target + distance * towards_eye, target, field_of_view_degrees};
}

void Orbit::turn(float azimuth, float elevation) {
  azimuth_degrees = std::remainder(azimuth_degrees + azimuth, 360.0f);
  elevation_degrees = glm::clamp(elevation_degrees + elevation, -MOST_ELEVATION, MOST_ELEVATION);
}

void Orbit::move(glm::vec2 parts) {
  const Camera now = camera();
  const float height = 2 * distance * now.half_height();
  target += (now.right() * parts.x - now.up() * parts.y) * height;
}

void Orbit::zoom(float factor) { distance = glm::clamp(distance * factor, 1e-3f, 1e6f); }

}  // namespace clothc_renderer
