// absent.cpp - stands for renderer.cpp in builds without the renderer of examples/viewer.
#include "cli/errors.h"
#include "picture/drawing.h"

namespace clothc_tool {

std::unique_ptr<PictureRenderer> make_vulkan_renderer(const RenderSettings&) {
  throw InputError(
      "this build cannot draw with Vulkan; build it with libvulkan-dev, libglm-dev and glslang-tools, or "
      "use --renderer processor");
}

std::unique_ptr<PictureRenderer> find_gpu_renderer(const RenderSettings&) { return nullptr; }

}  // namespace clothc_tool
