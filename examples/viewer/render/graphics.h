// graphics.h - the Vulkan device that everything is drawn with: loader, instance, physical device, device, and one queue
// that has graphics and compute. Other users of the device, such as clothc, say which extensions they need before it is
// created.
// Invariant: a Graphics that exists is complete: its functions are loaded, and the feature timelineSemaphore is enabled.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/functions.h"

namespace clothc_renderer {

// There is no Vulkan, no suitable device, or a call failed. what() says which and why.
class GraphicsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Graphics;

struct GraphicsOptions {
  std::string application_name = "clothc_viewer";

  // For a window: what glfwGetRequiredInstanceExtensions returns, and VK_KHR_swapchain. A device that lacks one is not
  // taken.
  std::vector<std::string> instance_extensions, device_extensions;

  // Tells whether a queue family of a physical device can present to the window. Empty = there is no window.
  std::function<bool(VkInstance, VkPhysicalDevice, uint32_t queue_family)> can_present;

  // Asked when instance and physical device exist. Returns the device extensions that another user of the device wants;
  // those that the device lacks are left out. Throws GraphicsError to refuse the physical device.
  std::function<std::vector<std::string>(const Graphics&)> wanted_extensions;

  // Part of the name of the device to take; empty = any.
  std::string device_name;

  // Takes no device that is a program on the processor, such as lavapipe.
  bool hardware_only = false;

  // Enables the Khronos validation layer with synchronization validation. Its messages go to stderr and are counted.
  bool validates = false;
};

class Graphics {
 public:
  // Takes the first discrete GPU that will do, or else another device. Throws GraphicsError.
  explicit Graphics(const GraphicsOptions& options = {});
  ~Graphics();
  Graphics(const Graphics&) = delete;
  Graphics& operator=(const Graphics&) = delete;

  // apiVersion of the instance.
  static constexpr uint32_t API_VERSION = VK_API_VERSION_1_2;

  VkInstance instance() const { return instance_; }
  VkPhysicalDevice physical_device() const { return physical_device_; }
  VkDevice device() const { return device_; }
  VkQueue queue() const { return queue_; }
  uint32_t queue_family() const { return queue_family_; }
  const VulkanFunctions& functions() const { return functions_; }
  const VkPhysicalDeviceProperties& properties() const { return properties_; }

  // The device extensions that are enabled.
  const std::vector<std::string>& extensions() const { return extensions_; }

  // Whether the device is more than a program on the processor.
  bool is_hardware() const { return properties_.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU; }

  // Held during each use of the queue, because clothc submits to it from threads of its own.
  std::mutex& queue_mutex() const { return queue_mutex_; }
  void submit(const VkSubmitInfo& info, VkFence fence = VK_NULL_HANDLE) const;
  void wait_idle() const;

  // Number of messages of the validation layer so far.
  uint32_t validation_message_count() const { return validation_message_count_; }

 private:
  void create_instance(const GraphicsOptions& options);
  void create_messenger();
  void choose_physical_device(const GraphicsOptions& options);
  void take_physical_device(const GraphicsOptions& options, VkPhysicalDevice device);
  void create_device();
  void destroy();
  bool has_device_extension(const std::string& name) const;

  VulkanFunctions functions_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queue_family_ = 0;
  VkPhysicalDeviceProperties properties_{};
  std::vector<std::string> extensions_;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::atomic<uint32_t> validation_message_count_{0};
  mutable std::mutex queue_mutex_;
};

// Throws GraphicsError that names the call unless the result is VK_SUCCESS.
void check(VkResult result, const char* call);

}  // namespace clothc_renderer
