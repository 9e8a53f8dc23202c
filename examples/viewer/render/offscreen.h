// offscreen.h - pictures that are drawn without a window and read back as bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "render/renderer.h"

namespace clothc_renderer {

struct Picture {
  uint32_t width = 0, height = 0;

  // [height][width][4] R G B A, the top row first, sRGB.
  std::vector<uint8_t> pixels;
};

class Offscreen {
 public:
  // format: of four bytes per pixel, with R first.
  Offscreen(const Graphics& graphics, uint32_t width, uint32_t height, VkFormat format = VK_FORMAT_R8G8B8A8_UNORM);

  // Draws a frame, waits for it, and returns the picture. fill: adds to the list what the frame shows; data that it puts
  // into the frame lives as long as it is drawn.
  Picture draw(const Camera& camera, const std::function<void(Frame&, DrawList&)>& fill,
               const Renderer::Overlay& overlay = {});

  // How long the device took for the last picture, if it can tell.
  std::optional<double> milliseconds() const { return frames_.milliseconds(); }

 private:
  void record_copy(VkCommandBuffer commands) const;

  const Graphics& graphics_;
  Renderer renderer_;
  DeviceImage image_;
  Target target_;
  DeviceBuffer pixels_;

  // Destroyed first, because it waits.
  Frames frames_;
};

}  // namespace clothc_renderer
