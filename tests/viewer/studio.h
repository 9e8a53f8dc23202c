// studio.h - what the tests of examples/viewer share: a Vulkan device, small pictures, and their pixels. Tests are skipped
// where no Vulkan device can draw.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "cloth/adoption.h"
#include "render/offscreen.h"

namespace viewer_test {

using Pixel = std::array<int, 3>;

// A picture whose pixels are looked at.
class Shot {
 public:
  Shot(clothc_renderer::Picture picture, const clothc_renderer::Camera& camera)
      : picture_(std::move(picture)), camera_(camera) {}

  int width() const { return static_cast<int>(picture_.width); }
  int height() const { return static_cast<int>(picture_.height); }
  const std::vector<uint8_t>& bytes() const { return picture_.pixels; }
  Pixel at(int x, int y) const {
    const uint8_t* const bytes = &picture_.pixels[(size_t(y) * picture_.width + size_t(x)) * 4];
    return {bytes[0], bytes[1], bytes[2]};
  }

  // Where a pinhole camera sees a point of the world, in pixels, from its eye, target, field of view and the axis y alone.
  glm::vec2 place_of(glm::vec3 point) const {
    const glm::vec3 forward = glm::normalize(camera_.target - camera_.eye);
    const glm::vec3 right = glm::normalize(glm::cross(forward, glm::vec3(0, 1, 0))), up = glm::cross(right, forward);
    const glm::vec3 offset = point - camera_.eye;
    const float scale = static_cast<float>(height()) / 2 / std::tan(glm::radians(camera_.field_of_view_degrees) / 2) /
                        glm::dot(offset, forward);
    return {static_cast<float>(width()) / 2 + scale * glm::dot(offset, right),
            static_cast<float>(height()) / 2 - scale * glm::dot(offset, up)};
  }
  Pixel at(glm::vec3 point) const {
    const glm::vec2 place = place_of(point);
    return at(static_cast<int>(place.x), static_cast<int>(place.y));
  }

 private:
  clothc_renderer::Picture picture_;
  clothc_renderer::Camera camera_;
};

inline int brightness(const Pixel& pixel) { return (pixel[0] + pixel[1] + pixel[2]) / 3; }

inline bool is_near(const Pixel& a, const Pixel& b, int most) {
  return std::abs(a[0] - b[0]) <= most && std::abs(a[1] - b[1]) <= most && std::abs(a[2] - b[2]) <= most;
}

// A background that no cloth of these tests has a part of.
constexpr glm::vec3 GREEN = {0, 1, 0};

class Studio : public testing::Test {
 protected:
  static constexpr uint32_t WIDTH = 160, HEIGHT = 120;

  // Made for the first test, and kept for all.
  static clothc_renderer::Graphics* shared_graphics() {
    static std::string missing;
    static const std::unique_ptr<clothc_renderer::Graphics> graphics = make(missing);
    if (!graphics) std::puts(missing.c_str());
    return graphics.get();
  }
  static std::unique_ptr<clothc_renderer::Graphics> make(std::string& missing) {
    clothc_renderer::GraphicsOptions options;
    options.wanted_extensions = clothc_viewer::extensions_for_clothc;
    try {
      return std::make_unique<clothc_renderer::Graphics>(options);
    } catch (const clothc_renderer::GraphicsError& error) {
      missing = error.what();
      return nullptr;
    }
  }

  void SetUp() override {
    if (!shared_graphics()) GTEST_SKIP() << "no Vulkan device can draw here";
    offscreen_ = std::make_unique<clothc_renderer::Offscreen>(graphics(), WIDTH, HEIGHT);
  }

  const clothc_renderer::Graphics& graphics() const { return *shared_graphics(); }

  Shot shoot(const std::function<void(clothc_renderer::Frame&, clothc_renderer::DrawList&)>& fill) {
    return {offscreen_->draw(camera_, fill), camera_};
  }

  clothc_renderer::Camera camera_ = {{0, 0, 5}, {0, 0, 0}, 40};
  std::unique_ptr<clothc_renderer::Offscreen> offscreen_;
};

}  // namespace viewer_test
