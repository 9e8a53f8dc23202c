// renderer.cpp - see renderer.h. recording.h has the passes.
#include "render/renderer.h"

#include "render/recording.h"

namespace clothc_renderer {
namespace {

// Shaders read single texels.
OwnedSampler make_sampler(const Graphics& graphics) {
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler sampler = VK_NULL_HANDLE;
  check(graphics.functions().CreateSampler(graphics.device(), &info, nullptr, &sampler), "vkCreateSampler");
  return {graphics, sampler};
}

}  // namespace

RenderState::RenderState(const Graphics& used_graphics, const RendererOptions& options)
    : graphics(used_graphics),
      passes(graphics, options.format, options.final_layout),
      pipelines(graphics, passes, options.format),
      shadow(graphics, passes, options.shadow_size),
      sampler(make_sampler(graphics)),
      extent(DeviceBuffer::on_device(graphics, EXTENT_SIZE)) {}

Renderer::Renderer(const Graphics& graphics, const RendererOptions& options)
    : state_(std::make_unique<RenderState>(graphics, options)) {}

Renderer::~Renderer() = default;

Target Renderer::make_target(VkImageView view, VkExtent2D extent) const {
  return {make_framebuffer(state_->graphics, state_->passes.final, {view}, extent), extent};
}

void Renderer::record(Frame& frame, const Camera& camera, const DrawList& list, const Target& target,
                      const Overlay& overlay) {
  RenderState& state = *state_;
  const VkExtent2D extent = target.extent;
  if (!state.images || state.images->extent.width != extent.width || state.images->extent.height != extent.height) {
    state.graphics.wait_idle();
    state.images = std::make_unique<PassImages>(state.graphics, state.passes, extent);
  }
  const ViewUniforms view = view_uniforms(camera, list, extent, state.shadow.extent.width);
  Recording recording(state, frame, list, view);
  recording.wait_for_earlier();
  recording.place_light();
  recording.draw_shadows();
  recording.draw_surfaces();
  recording.draw_visibility();
  recording.draw_lit();
  recording.begin_final(target.framebuffer);
  if (overlay) overlay(frame.commands());
  recording.end_pass();
}

VkRenderPass Renderer::overlay_pass() const { return state_->passes.final; }

}  // namespace clothc_renderer
