// window.h - the viewer's window: what it is opened with, and the function that shows it until it is closed.
#pragma once

#include <string>

#include "cloth/adoption.h"
#include "cloth/drawing.h"

namespace clothc_viewer {

struct WindowOptions {
  // Scene, mesh file or capture that is opened first; empty = the first one of the list.
  std::string path;

  // Folder whose scenes and captures are listed.
  std::string scenes;

  DeviceOptions device;

  // The window adds what it needs itself.
  clothc_renderer::GraphicsOptions graphics;

  Shown shown;

  // Screen coordinates, as GLFW has them.
  uint32_t width = 1280, height = 800;

  // How much larger than usual texts are drawn; 0 = as the screen says.
  float scale = 0;

  // File of commands that takes the place of the user, see script.h; "-" = standard input, empty = none.
  std::string script;
};

// Opens the window and returns an exit code when it is closed: 1 if the validation layer had something to say or a
// command of the script failed, and otherwise 0. Throws clothc_renderer::GraphicsError if there is no display or no
// device that can draw to it, and clothc_tool::InputError if the script cannot be read.
int run_window(const WindowOptions& options);

}  // namespace clothc_viewer
