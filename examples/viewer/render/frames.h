// frames.h - the frames in flight: each has a command buffer, memory for what the host gives it, and time stamps. While
// the device draws one frame the host records the next.
// Invariant: what begin() returns is used by no submission any more.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "render/memory.h"

namespace clothc_renderer {

// A frame that is being recorded.
class Frame {
 public:
  Frame(const Graphics& graphics);
  ~Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  VkCommandBuffer commands() const { return commands_; }

  // Copies data into memory that the device reads in this frame.
  BufferRange put(const void* data, VkDeviceSize size);
  template <class T>
  BufferRange put(const std::vector<T>& values) {
    return put(values.data(), values.size() * sizeof(T));
  }

  // Memory of this frame that the caller fills.
  BufferRange reserve(VkDeviceSize size, std::byte*& data);

  // A descriptor set that lives as long as the frame.
  VkDescriptorSet allocate_set(VkDescriptorSetLayout layout);

 private:
  friend class Frames;
  void begin();
  void write_time(uint32_t index);

  const Graphics& graphics_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::vector<DeviceBuffer> blocks_;
  size_t block_ = 0;
  VkDeviceSize used_ = 0;
  std::vector<VkDescriptorPool> descriptor_pools_;
  size_t descriptor_pool_ = 0;
  bool is_submitted_ = false;
};

class Frames {
 public:
  static constexpr size_t IN_FLIGHT = 2;

  explicit Frames(const Graphics& graphics);

  // Waits for the frame before the last one and begins to record into its place.
  Frame& begin();

  // Ends and submits the frame that begin() returned. wait_for and signal are binary semaphores, for a swapchain.
  void submit(VkSemaphore wait_for = VK_NULL_HANDLE, VkSemaphore signal = VK_NULL_HANDLE);

  // Waits for all frames.
  void wait();

  // Milliseconds that the device took for the last frame that has ended; none if it has no time stamps.
  std::optional<double> draw_milliseconds() const { return draw_milliseconds_; }

 private:
  void read_times(const Frame& frame);

  const Graphics& graphics_;
  std::array<std::unique_ptr<Frame>, IN_FLIGHT> frames_;
  size_t current_ = 0;
  std::optional<double> draw_milliseconds_;
};

}  // namespace clothc_renderer
