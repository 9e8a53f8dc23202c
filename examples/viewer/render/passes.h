// passes.h - the render passes of a frame, and the images that they draw to.
// Invariant: each pass leaves its images so that the next ones can read them in fragment shaders.
#pragma once

#include "render/memory.h"

namespace clothc_renderer {

// Each pixel has four samples, which every device of Vulkan has.
constexpr VkSampleCountFlagBits SAMPLES = VK_SAMPLE_COUNT_4_BIT;

constexpr VkFormat DEPTH_FORMAT = VK_FORMAT_D32_SFLOAT;

// Of light, before it is compressed to what a screen shows.
constexpr VkFormat LIT_FORMAT = VK_FORMAT_R16G16B16A16_SFLOAT;

// Normal and kind of a surface, see shaders/surface.glsl.
constexpr VkFormat SURFACE_FORMAT = VK_FORMAT_A2B10G10R10_UNORM_PACK32;

// Cells of shaders/cells.glsl.
constexpr VkFormat CELL_FORMAT = VK_FORMAT_R32G32B32A32_SFLOAT;

struct Passes {
  Passes(const Graphics& graphics, VkFormat target_format, VkImageLayout target_layout);

  // Depths as the sun sees them; depths and surfaces as the camera sees them; cells; light; and
  // the target.
  OwnedRenderPass shadow, surface, cells, lit, final;
};

// The images of one size, and the framebuffers with them.
struct PassImages {
  PassImages(const Graphics& graphics, const Passes& passes, VkExtent2D extent);

  VkExtent2D extent;

  // One for each 2 x 2 pixels.
  VkExtent2D cell_extent;

  DeviceImage depths, surfaces, cells, lit_samples, lit;
  OwnedFramebuffer surface_framebuffer, cells_framebuffer, lit_framebuffer;
};

// The shadow map, whose size never changes.
struct ShadowImage {
  ShadowImage(const Graphics& graphics, const Passes& passes, uint32_t size);

  VkExtent2D extent;
  DeviceImage depths;
  OwnedFramebuffer framebuffer;
};

OwnedFramebuffer make_framebuffer(const Graphics& graphics, VkRenderPass pass, const std::vector<VkImageView>& views,
                                  VkExtent2D extent);

}  // namespace clothc_renderer
