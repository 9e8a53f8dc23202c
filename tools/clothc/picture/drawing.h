// drawing.h - what draws pictures: this processor, or a Vulkan device.
#pragma once

#include <memory>
#include <string>

#include "picture/render.h"

namespace clothc_tool {

enum class RendererChoice { automatic, vulkan, processor };

// Returns the choice that the command line calls auto, vulkan or processor. Throws InputError for another name.
RendererChoice renderer_of(const std::string& name);

class PictureRenderer {
 public:
  virtual ~PictureRenderer() = default;
  virtual Image render(const RenderScene& scene) = 0;

  // "the processor", or "Vulkan on" and the name of the device.
  virtual const std::string& name() const = 0;
};

// automatic: a GPU with Vulkan if there is one, or else the processor. Throws InputError for vulkan if there is no device.
std::unique_ptr<PictureRenderer> make_picture_renderer(RendererChoice choice, const RenderSettings& settings);

// Draw with Vulkan: on any device, or null unless there is a GPU. Throws InputError if there is no device, or if this
// build has no such renderer.
std::unique_ptr<PictureRenderer> make_vulkan_renderer(const RenderSettings& settings);
std::unique_ptr<PictureRenderer> find_gpu_renderer(const RenderSettings& settings);

}  // namespace clothc_tool
