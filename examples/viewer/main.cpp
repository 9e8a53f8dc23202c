// main.cpp - clothc_viewer: the device, the viewer on it, and what the command line asks for.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/errors.h"
#include "offscreen_run.h"

namespace clothc_viewer {
namespace {

// The validation layer has said something; the input was wrong.
constexpr int EXIT_CODE_MESSAGES = 1, EXIT_CODE_BAD_INPUT = 2;

int run(const Options& options) {
  if (!options.is_offscreen()) return run_window(options.window());
  if (options.scene.empty()) throw clothc_tool::InputError("--png and --times want a SCENE; name a file of scenes/");
  const clothc_renderer::Graphics graphics(options.graphics());
  {
    Viewer viewer(graphics, options.device);
    viewer.open(options.scene);
    viewer.shown = options.shown();
    run_offscreen(viewer, graphics, options);
  }
  return graphics.validation_message_count() == 0 ? 0 : EXIT_CODE_MESSAGES;
}

int run_command_line(int argument_count, char** arguments) {
  CLI::App application(
      "Shows cloths in a window, or draws them to files, straight from the buffers that clothc writes to.");
  Options options;
  add_options(application, options);
  try {
    application.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return application.exit(error) == 0 ? 0 : EXIT_CODE_BAD_INPUT;
  }
  return run(options);
}

}  // namespace
}  // namespace clothc_viewer

int main(int argument_count, char** arguments) {
  try {
    return clothc_viewer::run_command_line(argument_count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "clothc_viewer: %s\n", error.what());
    return clothc_viewer::EXIT_CODE_BAD_INPUT;
  }
}
