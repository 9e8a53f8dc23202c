// memory.h - buffers and images with memory of their own.
// Invariant: whoever destroys one knows that no submission uses it any more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "render/owned.h"

namespace clothc_renderer {

// What every device accepts as the offset of uniforms and storage.
constexpr VkDeviceSize ALIGNMENT = 256;

// A part of a buffer.
struct BufferRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size = 0;
};

// A buffer for vertices, indices and data of shaders. It has the usages that clothc needs to write to it.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;

  // Memory of the device.
  static DeviceBuffer on_device(const Graphics& graphics, VkDeviceSize size);

  // Memory that stays mapped and is coherent. Shaders can also read it as uniforms.
  static DeviceBuffer mapped(const Graphics& graphics, VkDeviceSize size);

  // Memory that stays mapped, for what the device writes and the host reads.
  static DeviceBuffer read_by_host(const Graphics& graphics, VkDeviceSize size);

  // Memory of the device with contents that never change. It waits for their copy.
  static DeviceBuffer with_contents(const Graphics& graphics, const void* data, VkDeviceSize size);

  VkBuffer buffer() const { return buffer_; }
  VkDeviceSize size() const { return size_; }
  BufferRange range() const { return {buffer_, 0, size_}; }

  // Null unless the memory is mapped.
  std::byte* data() const { return data_; }

 private:
  // properties: of the memory. It is mapped if the host can see it. preferred: properties that are better, but not needed.
  DeviceBuffer(const Graphics& graphics, VkDeviceSize size, VkMemoryPropertyFlags properties,
               VkMemoryPropertyFlags preferred = 0);

  // Destroyed behind the buffer.
  OwnedMemory memory_;
  OwnedBuffer buffer_;
  VkDeviceSize size_ = 0;
  std::byte* data_ = nullptr;
};

struct ImageOptions {
  VkExtent2D extent = {};
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageUsageFlags usage = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

// An image of two dimensions in memory of the device, and a view of all of it.
class DeviceImage {
 public:
  DeviceImage() = default;
  DeviceImage(const Graphics& graphics, const ImageOptions& options);

  VkImage image() const { return image_; }
  VkImageView view() const { return view_; }
  VkExtent2D extent() const { return extent_; }

 private:
  OwnedMemory memory_;
  OwnedImage image_;
  OwnedImageView view_;
  VkExtent2D extent_ = {};
};

}  // namespace clothc_renderer
