// offscreen.h - a picture that is drawn without a window and read back as bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "render/renderer.h"

namespace clothc_renderer {

struct Picture {
  uint32_t width = 0, height = 0;

  // [height][width][4] R G B A, top row first, sRGB.
  std::vector<uint8_t> pixels;
};

class Offscreen {
 public:
  Offscreen(const Graphics& graphics, uint32_t width, uint32_t height,
            const RendererOptions& options = {});

  // Draws, waits, and returns the picture. put: fills the list with what the frame's memory holds.
  using Fill = std::function<void(Frame&, DrawList&)>;
  Picture draw(const Camera& camera, const Fill& fill);

  const Frames& frames() const { return frames_; }

 private:
  const Graphics& graphics_;
  Frames frames_;
  Renderer renderer_;
  DeviceImage image_;
  Target target_;
  DeviceBuffer pixels_;
};

}  // namespace clothc_renderer
