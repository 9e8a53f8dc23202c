// absent.cpp - takes the place of the window where its libraries are not here.
#include "cli/errors.h"
#include "window/window.h"

namespace clothc_viewer {

int run_window(const WindowOptions&) {
  throw clothc_tool::InputError(
      "this build has no window; install libglfw3-dev and libimgui-dev and build again, or use --png FILE for a "
      "picture, or --times");
}

}  // namespace clothc_viewer
