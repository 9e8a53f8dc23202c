// frames.h - the frames in flight: each has a command buffer, memory for what the host gives it, descriptor sets, and time
// stamps. While the device draws one frame, the host records the next.
// Invariant: no submission uses what begin() returns.
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
  explicit Frame(const Graphics& graphics);

  VkCommandBuffer commands() const { return commands_; }

  // Copies data into memory that the device reads in this frame.
  BufferRange put(const void* data, VkDeviceSize size);
  template <class T>
  BufferRange put(const std::vector<T>& values) {
    return put(values.data(), values.size() * sizeof(T));
  }

  // Returns memory of this frame, which the caller fills before the frame is submitted.
  BufferRange reserve(VkDeviceSize size, std::byte** data);

  // Returns a descriptor set that lives as long as the frame.
  VkDescriptorSet allocate_set(VkDescriptorSetLayout layout);

 private:
  friend class Frames;
  void begin();
  void submit(VkSemaphore wait_for, VkSemaphore signal);
  void wait();
  std::optional<double> milliseconds() const;
  VkDescriptorPool make_descriptor_pool();

  const Graphics& graphics_;
  OwnedCommandPool pool_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  OwnedFence fence_;
  OwnedQueryPool queries_;

  // Blocks of mapped memory, of which the first block_ are full and the next one is used up to used_.
  std::vector<DeviceBuffer> blocks_;
  size_t block_ = 0;
  VkDeviceSize used_ = 0;

  // The same of descriptor pools.
  std::vector<OwnedDescriptorPool> descriptor_pools_;
  size_t descriptor_pool_ = 0;

  bool is_submitted_ = false;
};

class Frames {
 public:
  static constexpr size_t IN_FLIGHT = 2;

  explicit Frames(const Graphics& graphics);

  // Waits for all frames.
  ~Frames();

  // Waits for the frame before the last one, and begins to record into its place.
  Frame& begin();

  // Ends and submits the frame that begin() returned. wait_for and signal are binary semaphores of a swapchain.
  void submit(VkSemaphore wait_for = VK_NULL_HANDLE, VkSemaphore signal = VK_NULL_HANDLE);

  // Waits for all frames.
  void wait();

  // How long the device took for the last frame that begin() or wait() has found to have ended; none if the device has no
  // time stamps.
  std::optional<double> milliseconds() const { return milliseconds_; }

 private:
  void wait(Frame& frame);

  std::array<std::unique_ptr<Frame>, IN_FLIGHT> frames_;
  size_t current_ = 0;
  std::optional<double> milliseconds_;
};

}  // namespace clothc_renderer
