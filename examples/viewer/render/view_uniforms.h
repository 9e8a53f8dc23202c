// view_uniforms.h - what shaders know of the frame, as shaders/view.glsl declares it.
#pragma once

#include "render/draw_list.h"

namespace clothc_renderer {

struct ViewUniforms {
  glm::mat4 to_clip;
  glm::vec4 eye, right, up, forward, target, towards_sun, towards_fill, background;
  glm::vec2 extent;
  float shadow_size, cloth_lead;
  glm::vec4 shadow_taps[16], sky_taps[16];
};

// What shaders/light.comp computes. Its first 32 bytes are set before.
struct ExtentBits {
  uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0, 0, 0};
  uint32_t padding[2] = {0, 0};
};
constexpr size_t EXTENT_SIZE = 128;

ViewUniforms view_uniforms(const Camera& camera, const DrawList& list, VkExtent2D extent, uint32_t shadow_size);

}  // namespace clothc_renderer
