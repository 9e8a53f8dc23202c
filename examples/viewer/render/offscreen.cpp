// offscreen.cpp - see offscreen.h.
#include "render/offscreen.h"

#include <cstring>

namespace clothc_renderer {

Offscreen::Offscreen(const Graphics& graphics, uint32_t width, uint32_t height, VkFormat format)
    : graphics_(graphics),
      renderer_(graphics, {format, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL}),
      image_(graphics,
             {{width, height}, format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT}),
      target_(renderer_.make_target(image_.view(), {width, height})),
      pixels_(DeviceBuffer::read_by_host(graphics, VkDeviceSize{4} * width * height)),
      frames_(graphics) {}

Picture Offscreen::draw(const Camera& camera, const std::function<void(Frame&, DrawList&)>& fill,
                        const Renderer::Overlay& overlay) {
  Frame& frame = frames_.begin();
  DrawList list;
  list.light = Light::of(camera);
  fill(frame, list);
  renderer_.record(frame, camera, list, target_, overlay);
  record_copy(frame.commands());
  frames_.submit();
  frames_.wait();
  Picture picture = {target_.extent.width, target_.extent.height, {}};
  picture.pixels.resize(pixels_.size());
  std::memcpy(picture.pixels.data(), pixels_.data(), picture.pixels.size());
  return picture;
}

void Offscreen::record_copy(VkCommandBuffer commands) const {
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {target_.extent.width, target_.extent.height, 1};
  graphics_.functions().CmdCopyImageToBuffer(commands, image_.image(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                             pixels_.buffer(), 1, &region);
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  graphics_.functions().CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                           &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace clothc_renderer
