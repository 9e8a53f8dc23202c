// drawing.cpp - see drawing.h.
#include "picture/drawing.h"

#include "cli/errors.h"

namespace clothc_tool {
namespace {

class ProcessorRenderer : public PictureRenderer {
 public:
  explicit ProcessorRenderer(const RenderSettings& settings) : renderer_(settings) {}
  Image render(const RenderScene& scene) override { return renderer_.render(scene); }
  const std::string& name() const override { return name_; }

 private:
  Renderer renderer_;
  std::string name_ = "the processor";
};

}  // namespace

RendererChoice renderer_of(const std::string& name) {
  if (name == "auto") return RendererChoice::automatic;
  if (name == "vulkan") return RendererChoice::vulkan;
  if (name == "processor") return RendererChoice::processor;
  throw InputError("renderer '" + name + "' is not known; use one of auto, vulkan, processor");
}

std::unique_ptr<PictureRenderer> make_picture_renderer(RendererChoice choice, const RenderSettings& settings) {
  if (choice == RendererChoice::vulkan) return make_vulkan_renderer(settings);
  if (choice == RendererChoice::automatic) {
    if (auto renderer = find_gpu_renderer(settings)) return renderer;
  }
  return std::make_unique<ProcessorRenderer>(settings);
}

}  // namespace clothc_tool
