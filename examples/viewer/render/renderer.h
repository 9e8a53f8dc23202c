// renderer.h - records the drawing of a frame: a shadow map, depths and normals, ambient occlusion, the lit scene, and a
// last pass that writes the target and lets others draw over it.
// Invariant: the commands leave the buffers of the draw list as they are, and need no barrier from the caller: what an
// earlier submission wrote to them is visible, as is what the host wrote before the submission.
#pragma once

#include <functional>
#include <memory>

#include "render/draw_list.h"
#include "render/frames.h"

namespace clothc_renderer {

struct RendererOptions {
  // Of the image that is drawn to: a swapchain's, or VK_FORMAT_R8G8B8A8_UNORM. Of sRGB formats and others alike.
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;

  // The layout in which the target is left.
  VkImageLayout final_layout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;

  // Per pixel; reduced to what the device has.
  uint32_t samples = 4;

  // Pixels at the side of the shadow map.
  uint32_t shadow_size = 2048;
};

// An image to draw to. It owns a framebuffer, not the image. All targets of a renderer must be destroyed before it.
class Target {
 public:
  Target() = default;
  Target(Target&& other) noexcept;
  Target& operator=(Target&& other) noexcept;
  ~Target();
  VkExtent2D extent() const { return extent_; }

 private:
  friend class Renderer;
  const Graphics* graphics_ = nullptr;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  VkExtent2D extent_ = {};
};

class Renderer {
 public:
  explicit Renderer(const Graphics& graphics, const RendererOptions& options = {});
  ~Renderer();

  // view: of an image with COLOR_ATTACHMENT usage and the format of the options.
  Target make_target(VkImageView view, VkExtent2D extent) const;

  // Draws inside the last render pass, over the picture: one sample per pixel, in the target's format.
  using Overlay = std::function<void(VkCommandBuffer)>;

  // Records everything that the list asks for. If the target has another size than the last one, it waits for the
  // device and makes its images anew.
  void record(Frame& frame, const Camera& camera, const DrawList& list, const Target& target,
              const Overlay& overlay = {});

  // The render pass that overlays are drawn in, subpass 0, for the pipelines of Dear ImGui.
  VkRenderPass overlay_pass() const;

  // Samples per pixel that are used.
  uint32_t samples() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_renderer
