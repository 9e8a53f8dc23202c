// options.h - the command line of clothc_viewer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cloth/viewer.h"
#include "window/window.h"

namespace CLI {
class App;
}

namespace clothc_viewer {

struct Options {
  // A scene, a mesh file or a capture; empty = the window opens the first scene of its list.
  std::string scene;

  // Where the picture of the last frame goes; empty = there is none.
  std::string png;

  // Part of the name of the Vulkan device that draws.
  std::string gpu;

  DeviceOptions device;

  // Names of what is shown besides.
  std::vector<std::string> show;

  uint32_t phase = 0;

  // Of the picture or the window; 0 = 960 x 540, or what WindowOptions says.
  uint32_t width = 0, height = 0;

  // 0 = as many as the scene or the capture has
  uint32_t frame_count = 0;

  // Whether to draw every frame, and to print how long that takes.
  bool times = false;

  bool validates = false;

  // See WindowOptions.
  std::string scenes, script;
  float scale = 0;

  // Whether a picture or times are asked for, without a window.
  bool is_offscreen() const { return !png.empty() || times; }

  Shown shown() const;
  clothc_renderer::GraphicsOptions graphics() const;
  WindowOptions window() const;
};

void add_options(CLI::App& application, Options& options);

}  // namespace clothc_viewer
