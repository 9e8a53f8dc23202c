// swapchain.h - the images that the window shows in turn, and the order in which they are drawn to and shown.
// Invariant: between acquire() and present() there is one image, which nobody else reads or writes.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/frames.h"
#include "render/renderer.h"
#include "window/glfw_window.h"

namespace clothc_viewer {

using OwnedSemaphore = clothc_renderer::Owned<VkSemaphore, &clothc_renderer::VulkanFunctions::DestroySemaphore>;
using OwnedSwapchain = clothc_renderer::Owned<VkSwapchainKHR, &clothc_renderer::VulkanFunctions::DestroySwapchainKHR>;

// The window's surface. Destroyed after its swapchain.
class Surface {
 public:
  Surface(const clothc_renderer::Graphics& graphics, VkSurfaceKHR surface) : graphics_(graphics), surface_(surface) {}
  ~Surface();
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;

  operator VkSurfaceKHR() const { return surface_; }

  VkSurfaceCapabilitiesKHR capabilities() const;

  // The format to show pictures in: one whose bytes are sRGB colours, as Dear ImGui wants.
  VkSurfaceFormatKHR format() const;

 private:
  const clothc_renderer::Graphics& graphics_;
  VkSurfaceKHR surface_;
};

class Swapchain {
 public:
  // The layout in which the renderer leaves the images.
  static constexpr VkImageLayout FINAL_LAYOUT = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;

  // All of these must outlive it.
  Swapchain(const clothc_renderer::Graphics& graphics, const Surface& surface,
            const clothc_renderer::Renderer& renderer);

  // Waits for what is drawn.
  ~Swapchain();

  struct Image {
    VkImage image = VK_NULL_HANDLE;
    const clothc_renderer::Target* target = nullptr;

    // For Frames::submit().
    VkSemaphore is_free = VK_NULL_HANDLE, is_drawn = VK_NULL_HANDLE;
  };

  // Waits for the next image of a window of this size, which is not empty. Makes the images anew if the size has
  // changed. Returns none if the window changes its size or is minimised at this moment.
  std::optional<Image> acquire(PixelSize size);

  // Shows the image that acquire() returned, after what was submitted.
  void present();

  // Whether images can be copied, as screenshots do.
  bool can_copy() const { return can_copy_; }
  VkFormat format() const { return format_.format; }
  VkExtent2D extent() const { return extent_; }

 private:
  // Returns false if there is nothing to show images in.
  bool make_images(PixelSize size);

  const clothc_renderer::Graphics& graphics_;
  const Surface& surface_;
  const clothc_renderer::Renderer& renderer_;
  VkSurfaceFormatKHR format_;
  VkExtent2D extent_ = {};
  bool can_copy_ = false;

  // The size of the window for which the images were made; empty = they must be made anew.
  PixelSize size_;

  struct Shown {
    VkImage image = VK_NULL_HANDLE;
    clothc_renderer::OwnedImageView view;
    clothc_renderer::Target target;
    OwnedSemaphore is_drawn;
  };
  OwnedSwapchain swapchain_;
  std::vector<Shown> images_;

  // One more than frames in flight, so that the next one is not waited for any more.
  std::array<OwnedSemaphore, clothc_renderer::Frames::IN_FLIGHT + 1> is_free_;
  size_t next_ = 0;
  uint32_t current_ = 0;
};

}  // namespace clothc_viewer
