// screenshot.cpp - see screenshot.h.
#include "window/screenshot.h"

#include "picture/image.h"

namespace clothc_viewer {
namespace {

// Changes the layout of an image, with everything before it and everything behind it.
void change_layout(const clothc_renderer::VulkanFunctions& vk, VkCommandBuffer commands, VkImage image,
                   VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 0, nullptr, 0, nullptr, 1,
                        &barrier);
}

}  // namespace

Screenshot::Screenshot(const clothc_renderer::Graphics& graphics, const Swapchain& swapchain,
                       const Swapchain::Image& image, VkCommandBuffer commands)
    : extent_(swapchain.extent()),
      format_(swapchain.format()),
      pixels_(clothc_renderer::DeviceBuffer::read_by_host(graphics, VkDeviceSize{4} * extent_.width * extent_.height)) {
  const clothc_renderer::VulkanFunctions& vk = graphics.functions();
  constexpr VkImageLayout copied = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  change_layout(vk, commands, image.image, Swapchain::FINAL_LAYOUT, copied);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {extent_.width, extent_.height, 1};
  vk.CmdCopyImageToBuffer(commands, image.image, copied, pixels_.buffer(), 1, &region);
  change_layout(vk, commands, image.image, copied, Swapchain::FINAL_LAYOUT);
}

void Screenshot::write(const std::string& path) const {
  clothc_tool::Image image(extent_.width, extent_.height);
  const bool is_bgr = format_ == VK_FORMAT_B8G8R8A8_UNORM || format_ == VK_FORMAT_B8G8R8A8_SRGB;
  const auto* from = reinterpret_cast<const uint8_t*>(pixels_.data());
  for (size_t i = 0; i < image.pixels.size(); i += 3, from += 4) {
    for (size_t k = 0; k < 3; ++k) image.pixels[i + k] = from[is_bgr ? 2 - k : k];
  }
  clothc_tool::write_png(path, image);
}

}  // namespace clothc_viewer
