// memory.h - buffers and images with memory of their own.
// Invariant: each destroys what it owns. Whoever destroys one knows that no submission uses it any more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "render/graphics.h"

namespace clothc_renderer {

// A part of a buffer.
struct BufferRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0, size = 0;
};

class DeviceBuffer {
 public:
  DeviceBuffer() = default;

  // Memory of the device, with the usages VERTEX, INDEX, STORAGE, TRANSFER_SRC and TRANSFER_DST, which is what clothc
  // needs to write to it.
  static DeviceBuffer on_device(const Graphics& graphics, VkDeviceSize size);

  // The same usages and UNIFORM, in memory that stays mapped and is coherent.
  static DeviceBuffer mapped(const Graphics& graphics, VkDeviceSize size);

  // Memory of the device with these contents. It waits for the copy, so it is for what never changes.
  static DeviceBuffer with_contents(const Graphics& graphics, const void* data, VkDeviceSize size);

  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();

  VkBuffer buffer() const { return buffer_; }
  VkDeviceSize size() const { return size_; }
  // Null unless the memory is mapped.
  std::byte* data() const { return data_; }
  BufferRange range() const { return {buffer_, 0, size_}; }

 private:
  DeviceBuffer(const Graphics& graphics, VkDeviceSize size, VkBufferUsageFlags usage,
               bool is_mapped);

  const Graphics* graphics_ = nullptr;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkDeviceSize size_ = 0;
  std::byte* data_ = nullptr;
};

struct ImageOptions {
  VkExtent2D extent = {};
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageUsageFlags usage = 0;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
};

// An image of two dimensions and a view of all of it.
class DeviceImage {
 public:
  DeviceImage() = default;
  DeviceImage(const Graphics& graphics, const ImageOptions& options);
  DeviceImage(DeviceImage&& other) noexcept;
  DeviceImage& operator=(DeviceImage&& other) noexcept;
  ~DeviceImage();

  VkImage image() const { return image_; }
  VkImageView view() const { return view_; }
  const ImageOptions& options() const { return options_; }

 private:
  const Graphics* graphics_ = nullptr;
  ImageOptions options_;
  VkImage image_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
};

}  // namespace clothc_renderer
