// renderer.h - records the drawing of a frame: the shadow map, depths and surfaces, how much of sun and sky they see, the
// lit picture, and a last pass that writes the target and lets others draw over it.
// Invariant: the commands only read the buffers of the draw list, and need no barrier from the caller: what earlier
// submissions to the queue wrote to them is visible, and so is what the host writes before the submission.
#pragma once

#include <functional>
#include <memory>

#include "render/draw_list.h"
#include "render/frames.h"

namespace clothc_renderer {

struct RendererOptions {
  // Of the images that are drawn to. The picture is the same in formats that encode sRGB and in others; the others suit
  // overlays better whose colours are sRGB, as those of Dear ImGui.
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

  // The layout in which the images are left.
  VkImageLayout final_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;

  // Pixels at the side of the shadow map.
  uint32_t shadow_size = 2048;
};

// An image to draw to. It owns the framebuffer, not the image.
struct Target {
  OwnedFramebuffer framebuffer;
  VkExtent2D extent = {};
};

struct RenderState;

class Renderer {
 public:
  explicit Renderer(const Graphics& graphics, const RendererOptions& options = {});
  ~Renderer();

  // view: of an image with the usage COLOR_ATTACHMENT and the format of the options.
  Target make_target(VkImageView view, VkExtent2D extent) const;

  // Draws inside the last render pass over the picture, with one sample per pixel.
  using Overlay = std::function<void(VkCommandBuffer)>;

  // Records what the list asks for. If the target has another extent than the last one, it waits for the device and makes
  // its images anew.
  void record(Frame& frame, const Camera& camera, const DrawList& list, const Target& target,
              const Overlay& overlay = {});

  // The render pass in which overlays are drawn, for the pipelines of Dear ImGui. They are in its subpass 0.
  VkRenderPass overlay_pass() const;

 private:
  std::unique_ptr<RenderState> state_;
};

}  // namespace clothc_renderer
