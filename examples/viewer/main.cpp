// main.cpp - the command line of clothc_viewer: opens the window, or draws a picture of the last frame without one, and can
// tell how long frames take.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "cli/errors.h"
#include "cloth/viewer.h"
#include "picture/vulkan/conversion.h"
#include "render/offscreen.h"
#include "window/window.h"

namespace clothc_viewer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int EXIT_CODE_MESSAGES = 1, EXIT_CODE_BAD_INPUT = 2;

struct Options {
  std::string scene, png, gpu;
  DeviceOptions device;
  std::vector<std::string> show;
  uint32_t phase = 0;

  // 0 = 960 x 540 for a picture, 1280 x 800 for the window
  uint32_t width = 0, height = 0;

  // 0 = as many as the scene or capture has
  uint32_t frame_count = 0;

  bool times = false, validates = false;

  // Of the window.
  std::string scenes = CLOTHC_VIEWER_SCENES, script;
  float scale = 0;
};

// Milliseconds of each frame.
struct Times {
  std::vector<double> simulate, simulate_on_device, draw, draw_on_device;
  uint64_t host_copied_bytes = 0;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

Shown shown_by(const Options& options) {
  const auto shows = [&](const char* name) {
    return std::find(options.show.begin(), options.show.end(), name) != options.show.end();
  };
  Shown shown;
  shown.wireframe = shows("wireframe");
  shown.strain = shows("strain");
  shown.normals = shows("normals");
  shown.contacts = shows("contacts");
  shown.colliders = shows("colliders");
  shown.phase = options.phase;
  return shown;
}

clothc_renderer::GraphicsOptions graphics_options(const Options& options) {
  clothc_renderer::GraphicsOptions graphics;
  graphics.device_name = options.gpu;
  graphics.validates = options.validates;
  graphics.wanted_extensions = extensions_for_clothc;
  return graphics;
}

void print_times(Viewer& viewer, const clothc_renderer::Graphics& graphics, const Times& times) {
  const auto info = clothc::initialised<clothc_device_info>();
  clothc_device_info device = info;
  clothc::check(clothc_device_get_info(viewer.source().device(), &device));
  const auto on_device = [](const std::vector<double>& values) {
    char text[48] = "";
    if (!values.empty()) std::snprintf(text, sizeof text, ", %.2f ms of it on the device", median(values));
    return std::string(text);
  };
  std::printf("%s: %zu frames, medians\n", viewer.source().name().c_str(), times.draw.size());
  std::printf("  simulate %.2f ms%s, %s%s\n", median(times.simulate), on_device(times.simulate_on_device).c_str(),
              device.name, viewer.is_adopted() ? ", the renderer's own" : "");
  std::printf("  draw     %.2f ms%s, %s\n", median(times.draw), on_device(times.draw_on_device).c_str(),
              graphics.properties().deviceName);
  std::printf("  particle data copied by the host: %llu bytes per frame\n",
              static_cast<unsigned long long>(times.draw.empty() ? 0 : times.host_copied_bytes / times.draw.size()));
}

// Makes every step, and draws every frame if times are asked for. Returns the last picture.
clothc_renderer::Picture run(Viewer& viewer, const Options& options, const clothc_renderer::Graphics& graphics) {
  const uint32_t width = options.width ? options.width : 960, height = options.height ? options.height : 540;
  clothc_renderer::Offscreen offscreen(graphics, width, height);
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  const uint32_t frame_count = options.frame_count ? options.frame_count : viewer.source().frame_count();
  const auto draw = [&](const clothc_renderer::Camera& camera) {
    return offscreen.draw(camera, [&](auto& frame, auto& list) { viewer.add(frame, list); });
  };
  const clothc_renderer::Camera camera = viewer.source().camera(aspect);
  Times times;
  viewer.set_timers(options.times);
  while (viewer.source().frame() < frame_count) {
    auto begin = Clock::now();
    if (!viewer.step()) break;
    if (!options.times) continue;
    clothc::check(clothc_solver_wait(viewer.source().solver(), UINT64_MAX, CLOTHC_WAIT_FOREVER));
    times.simulate.push_back(milliseconds_since(begin));
    if (const auto timers = viewer.timers())
      times.simulate_on_device.push_back(static_cast<double>(timers->total_ns) / 1e6);
    begin = Clock::now();
    draw(camera);
    times.draw.push_back(milliseconds_since(begin));
    if (const auto milliseconds = offscreen.milliseconds()) times.draw_on_device.push_back(*milliseconds);
    times.host_copied_bytes += viewer.host_copied_bytes();
  }
  if (options.times) print_times(viewer, graphics, times);
  return draw(viewer.source().camera(aspect));
}

WindowOptions window_options(const Options& options) {
  WindowOptions window;
  window.path = options.scene;
  window.scenes = options.scenes;
  window.device = options.device;
  window.gpu = options.gpu;
  window.shown = shown_by(options);
  if (options.width) window.width = options.width;
  if (options.height) window.height = options.height;
  window.scale = options.scale;
  window.script = options.script;
  window.validates = options.validates;
  return window;
}

int run(const Options& options) {
  if (options.png.empty() && !options.times) return run_window(window_options(options));
  if (options.scene.empty()) throw clothc_tool::InputError("--png and --times want a SCENE; name one of scenes/");
  const clothc_renderer::Graphics graphics(graphics_options(options));
  {
    Viewer viewer(graphics, options.device);
    viewer.open(options.scene);
    viewer.shown = shown_by(options);
    const clothc_renderer::Picture picture = run(viewer, options, graphics);
    if (!options.png.empty()) clothc_tool::write_png(options.png, clothc_tool::to_image(picture));
  }
  return graphics.validation_message_count() == 0 ? 0 : EXIT_CODE_MESSAGES;
}

void add_options(CLI::App& application, Options& options) {
  application.add_option("SCENE", options.scene, "A scene of scenes/, a mesh file, or a capture (.capture); default: the first scene");
  application.add_option("--png", options.png, "Draw the last frame into this file, without a window");
  application.add_option("--frames", options.frame_count, "Frames to simulate; default: the scene's, or the capture's")
      ->check(CLI::Range(1, 1000000));
  application.add_option("--width", options.width, "Of the picture (960) or the window (1280)")
      ->check(CLI::Range(16, 8192));
  application.add_option("--height", options.height, "Of the picture (540) or the window (800)")
      ->check(CLI::Range(16, 8192));
  application.add_option("--show", options.show, "What to draw besides, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"wireframe", "strain", "normals", "contacts", "colliders"}));
  application.add_option("--phase", options.phase, "Of the strain: the number of a phase of pairs");
  application.add_option("--gpu", options.gpu, "Part of the name of the Vulkan device that draws");
  application.add_flag("--times", options.times, "Draw every frame and print how long simulating and drawing take");
  application.add_flag("--validate", options.validates,
                       "Draw under the validation layer, and fail if it says anything");
  application.add_option("--scenes", options.scenes, "Folder whose scenes and captures the window lists")
      ->capture_default_str();
  application.add_option("--scale", options.scale, "Of the window's texts; default: as the screen says")
      ->check(CLI::Range(0.5, 4.0));
  application.add_option("--script", options.script, "Commands that take the place of the user of the window; - = stdin");
  clothc_tool::add_device_options(application, options.device);
}

}  // namespace
}  // namespace clothc_viewer

int main(int argument_count, char** arguments) {
  CLI::App application("Shows cloths in a window, straight from the buffers that clothc writes to, or draws them to a file.");
  clothc_viewer::Options options;
  clothc_viewer::add_options(application, options);
  CLI11_PARSE(application, argument_count, arguments);
  try {
    return clothc_viewer::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "clothc_viewer: %s\n", error.what());
    return clothc_viewer::EXIT_CODE_BAD_INPUT;
  }
}
