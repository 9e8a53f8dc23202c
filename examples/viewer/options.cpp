// options.cpp - see options.h.
#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace clothc_viewer {

Shown Options::shown() const {
  const auto shows = [this](const char* name) { return std::find(show.begin(), show.end(), name) != show.end(); };
  Shown shown;
  shown.wireframe = shows("wireframe");
  shown.strain = shows("strain");
  shown.normals = shows("normals");
  shown.contacts = shows("contacts");
  shown.colliders = shows("colliders");
  shown.phase = phase;
  return shown;
}

clothc_renderer::GraphicsOptions Options::graphics() const {
  clothc_renderer::GraphicsOptions graphics;
  graphics.device_name = gpu;
  graphics.validates = validates;
  graphics.wanted_extensions = extensions_for_clothc;
  return graphics;
}

WindowOptions Options::window() const {
  WindowOptions window;
  window.path = scene;
  window.scenes = scenes;
  window.device = device;
  window.graphics = graphics();
  window.shown = shown();
  if (width > 0) window.width = width;
  if (height > 0) window.height = height;
  window.scale = scale;
  window.script = script;
  return window;
}

void add_options(CLI::App& application, Options& options) {
  application.add_option("SCENE", options.scene, "A scene of scenes/, a mesh file, or a capture (.capture)");
  application.add_option("--png", options.png, "Draw the last frame into this file, without a window");
  application.add_option("--frames", options.frame_count, "Frames to simulate; default: the scene's, or the capture's")
      ->check(CLI::Range(1, 1000000));
  application.add_option("--width", options.width, "Of the picture (default 960) or the window (1280)")
      ->check(CLI::Range(16, 8192));
  application.add_option("--height", options.height, "Of the picture (default 540) or the window (800)")
      ->check(CLI::Range(16, 8192));
  application.add_option("--show", options.show, "What to draw besides, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"wireframe", "strain", "normals", "contacts", "colliders"}));
  application.add_option("--phase", options.phase,
                         "Of the strain: the number of a phase; 0 is the first one along the edges of the mesh");
  application.add_option("--gpu", options.gpu, "Part of the name of the Vulkan device that draws");
  application.add_flag("--times", options.times, "Draw every frame and print how long simulating and drawing take");
  application.add_flag("--validate", options.validates,
                       "Draw under the validation layer, and fail if it says anything");
  options.scenes = CLOTHC_VIEWER_SCENES;
  application.add_option("--scenes", options.scenes, "Folder whose scenes and captures the window lists")
      ->capture_default_str();
  application.add_option("--scale", options.scale, "Of the window's texts; default: as the screen says")
      ->check(CLI::Range(0.5, 4.0));
  application.add_option("--script", options.script,
                         "Commands that take the place of the window's user (window/script.h); - = standard input");
  clothc_tool::add_device_options(application, options.device);
}

}  // namespace clothc_viewer
