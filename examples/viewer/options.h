// options.h - the command line of clothc_viewer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cloth/viewer.h"

namespace CLI {
class App;
}

namespace clothc_viewer {

struct Options {
  // A scene, a mesh file or a capture.
  std::string scene;

  // Where the picture of the last frame goes; empty = there is none.
  std::string png;

  // Part of the name of the Vulkan device that draws.
  std::string gpu;

  DeviceOptions device;

  // Names of what is shown besides.
  std::vector<std::string> show;

  uint32_t phase = 0, width = 960, height = 540;

  // 0 = as many as the scene or the capture has
  uint32_t frame_count = 0;

  // Whether to draw every frame, and to print how long that takes.
  bool times = false;

  bool validates = false;

  Shown shown() const;
  clothc_renderer::GraphicsOptions graphics() const;
};

void add_options(CLI::App& application, Options& options);

}  // namespace clothc_viewer
