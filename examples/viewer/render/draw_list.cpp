// draw_list.cpp - see draw_list.h.
#include "render/draw_list.h"

#include <algorithm>
#include <cmath>

namespace clothc_renderer {

uint32_t packed_colour(glm::vec4 colour) {
  uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i) {
    const float part = std::min(1.0f, std::max(0.0f, colour[i]));
    bytes |= static_cast<uint32_t>(std::lround(255 * part)) << 8 * i;
  }
  return bytes;
}

Light Light::of(const Camera& camera) {
  const glm::vec3 right = camera.right(), forward = camera.forward();
  return {glm::normalize(-0.75f * right + glm::vec3(0, 0.95f, 0) - 0.45f * forward),
          glm::normalize(0.9f * right + glm::vec3(0, 0.2f, 0) - 0.4f * forward)};
}

}  // namespace clothc_renderer
