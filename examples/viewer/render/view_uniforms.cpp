// view_uniforms.cpp - see view_uniforms.h.
#include "render/view_uniforms.h"

#include <cmath>
#include <glm/gtc/constants.hpp>

namespace clothc_renderer {
namespace {

constexpr int TAP_COUNT = 16;

// Radius of ambient occlusion, relative to the size of what the camera looks at.
constexpr float OCCLUSION_RADIUS = 0.09f;

constexpr float GOLDEN_ANGLE = 2.3999632f, GOLDEN_RATIO = 0.618034f;

// Points of a disc of radius 1 with even density: a spiral. Source: Vogel 1979, "A better way to construct the sunflower
// head".
glm::vec4 shadow_tap(int i) {
  const float distance = std::sqrt((static_cast<float>(i) + 0.5f) / TAP_COUNT);
  const float angle = GOLDEN_ANGLE * static_cast<float>(i);
  return {distance * std::cos(angle), distance * std::sin(angle), 0, 0};
}

// Directions of a hemisphere at all heights, and in w how far their points are, 0 .. 1.
glm::vec4 sky_tap(int i) {
  const float height = (static_cast<float>(i) + 0.5f) / TAP_COUNT, flat = std::sqrt(1 - height * height);
  const float angle = glm::two_pi<float>() * GOLDEN_RATIO * static_cast<float>(i);
  return {flat * std::cos(angle), flat * std::sin(angle), height, static_cast<float>(i * 5 % TAP_COUNT) / TAP_COUNT};
}

}  // namespace

ViewUniforms view_uniforms(const Camera& camera, const DrawList& list, VkExtent2D extent, uint32_t shadow_size) {
  const float aspect = static_cast<float>(extent.width) / static_cast<float>(extent.height);
  const float height = camera.half_height(), size = camera.view_size();
  const float tile = std::pow(10.0f, std::floor(std::log10(size))) / 4;
  ViewUniforms view{};
  view.to_clip = camera.to_clip(aspect);
  view.eye = glm::vec4(camera.eye, camera.near());
  view.right = glm::vec4(camera.right(), height * aspect);
  view.up = glm::vec4(camera.up(), height);
  view.forward = glm::vec4(camera.forward(), 0);
  view.target = glm::vec4(camera.target, size);
  view.towards_sun = glm::vec4(glm::normalize(list.light.towards_sun), OCCLUSION_RADIUS * size);
  view.towards_fill = glm::vec4(glm::normalize(list.light.towards_fill), tile);
  if (list.background) view.background = glm::vec4(*list.background, 1);
  view.extent = {extent.width, extent.height};
  view.shadow_size = static_cast<float>(shadow_size);
  view.cloth_lead = list.cloth_lead;
  for (int i = 0; i < TAP_COUNT; ++i) {
    view.shadow_taps[i] = shadow_tap(i);
    view.sky_taps[i] = sky_tap(i);
  }
  return view;
}

}  // namespace clothc_renderer
