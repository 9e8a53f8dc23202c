// swapchain.cpp - see swapchain.h.
#include "window/swapchain.h"

#include <algorithm>

namespace clothc_viewer {
namespace {

using clothc_renderer::check;
using clothc_renderer::Graphics;
using clothc_renderer::GraphicsError;
using clothc_renderer::VulkanFunctions;

OwnedSemaphore make_semaphore(const Graphics& graphics) {
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(graphics.functions().CreateSemaphore(graphics.device(), &info, nullptr, &semaphore), "vkCreateSemaphore");
  return {graphics, semaphore};
}

clothc_renderer::OwnedImageView make_view(const Graphics& graphics, VkImage image, VkFormat format) {
  VkImageViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  info.image = image;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = format;
  info.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkImageView view = VK_NULL_HANDLE;
  check(graphics.functions().CreateImageView(graphics.device(), &info, nullptr, &view), "vkCreateImageView");
  return {graphics, view};
}

// A surface may leave the size to the swapchain.
VkExtent2D extent_for(const VkSurfaceCapabilitiesKHR& capabilities, PixelSize size) {
  if (capabilities.currentExtent.width != UINT32_MAX) return capabilities.currentExtent;
  const VkExtent2D least = capabilities.minImageExtent, most = capabilities.maxImageExtent;
  return {std::clamp(size.width, least.width, most.width), std::clamp(size.height, least.height, most.height)};
}

VkCompositeAlphaFlagBitsKHR opacity_for(const VkSurfaceCapabilitiesKHR& capabilities) {
  const VkCompositeAlphaFlagsKHR supported = capabilities.supportedCompositeAlpha;
  if (supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  return supported & VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR ? VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR
                                                        : VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR;
}

}  // namespace

Surface::~Surface() { graphics_.functions().DestroySurfaceKHR(graphics_.instance(), surface_, nullptr); }

VkSurfaceCapabilitiesKHR Surface::capabilities() const {
  VkSurfaceCapabilitiesKHR capabilities;
  check(graphics_.functions().GetPhysicalDeviceSurfaceCapabilitiesKHR(graphics_.physical_device(), surface_,
                                                                      &capabilities),
        "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
  return capabilities;
}

VkSurfaceFormatKHR Surface::format() const {
  const VulkanFunctions& vk = graphics_.functions();
  uint32_t count = 0;
  check(vk.GetPhysicalDeviceSurfaceFormatsKHR(graphics_.physical_device(), surface_, &count, nullptr),
        "vkGetPhysicalDeviceSurfaceFormatsKHR");
  std::vector<VkSurfaceFormatKHR> formats(count);
  check(vk.GetPhysicalDeviceSurfaceFormatsKHR(graphics_.physical_device(), surface_, &count, formats.data()),
        "vkGetPhysicalDeviceSurfaceFormatsKHR");
  if (formats.empty()) throw GraphicsError("the window's surface has no format");
  for (const VkSurfaceFormatKHR& format : formats) {
    const bool is_wanted = format.format == VK_FORMAT_B8G8R8A8_UNORM || format.format == VK_FORMAT_R8G8B8A8_UNORM;
    if (is_wanted && format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) return format;
  }
  return formats.front();
}

Swapchain::Swapchain(const Graphics& graphics, const Surface& surface, const clothc_renderer::Renderer& renderer)
    : graphics_(graphics), surface_(surface), renderer_(renderer), format_(surface.format()) {
  for (OwnedSemaphore& semaphore : is_free_) semaphore = make_semaphore(graphics);
}

Swapchain::~Swapchain() { graphics_.wait_idle(); }

bool Swapchain::make_images(PixelSize size) {
  graphics_.wait_idle();
  size_ = {};
  const VkSurfaceCapabilitiesKHR capabilities = surface_.capabilities();
  const VkExtent2D extent = extent_for(capabilities, size);
  // The window was minimised at this moment.
  if (extent.width == 0 || extent.height == 0) return false;
  images_.clear();
  extent_ = extent;
  can_copy_ = (capabilities.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_SRC_BIT) != 0;
  VkSwapchainCreateInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR;
  info.surface = surface_;
  info.minImageCount = std::max(capabilities.minImageCount, 3u);
  if (capabilities.maxImageCount > 0) info.minImageCount = std::min(info.minImageCount, capabilities.maxImageCount);
  info.imageFormat = format_.format;
  info.imageColorSpace = format_.colorSpace;
  info.imageExtent = extent_;
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  if (can_copy_) info.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  info.preTransform = capabilities.currentTransform;
  info.compositeAlpha = opacity_for(capabilities);
  // The only mode that every driver has; it shows each picture for at least one refresh of the screen.
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  info.clipped = VK_TRUE;
  info.oldSwapchain = swapchain_;
  const VulkanFunctions& vk = graphics_.functions();
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  check(vk.CreateSwapchainKHR(graphics_.device(), &info, nullptr, &swapchain), "vkCreateSwapchainKHR");
  swapchain_ = OwnedSwapchain(graphics_, swapchain);

  uint32_t count = 0;
  check(vk.GetSwapchainImagesKHR(graphics_.device(), swapchain, &count, nullptr), "vkGetSwapchainImagesKHR");
  std::vector<VkImage> images(count);
  check(vk.GetSwapchainImagesKHR(graphics_.device(), swapchain, &count, images.data()), "vkGetSwapchainImagesKHR");
  for (VkImage image : images) {
    Shown shown;
    shown.image = image;
    shown.view = make_view(graphics_, image, format_.format);
    shown.target = renderer_.make_target(shown.view, extent_);
    shown.is_drawn = make_semaphore(graphics_);
    images_.push_back(std::move(shown));
  }
  size_ = size;
  return true;
}

std::optional<Swapchain::Image> Swapchain::acquire(PixelSize size) {
  if (size.width != size_.width || size.height != size_.height) {
    if (!make_images(size)) return std::nullopt;
  }
  const VkSemaphore is_free = is_free_[next_];
  const VkResult result = graphics_.functions().AcquireNextImageKHR(graphics_.device(), swapchain_, UINT64_MAX, is_free,
                                                                    VK_NULL_HANDLE, &current_);
  if (result == VK_ERROR_OUT_OF_DATE_KHR) {
    size_ = {};
    return std::nullopt;
  }
  if (result == VK_SUBOPTIMAL_KHR) {
    size_ = {};
  } else {
    check(result, "vkAcquireNextImageKHR");
  }
  next_ = (next_ + 1) % is_free_.size();
  const Shown& shown = images_[current_];
  return Image{shown.image, &shown.target, is_free, shown.is_drawn};
}

void Swapchain::present() {
  const VkSemaphore is_drawn = images_[current_].is_drawn;
  const VkSwapchainKHR swapchain = swapchain_;
  VkPresentInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR;
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &is_drawn;
  info.swapchainCount = 1;
  info.pSwapchains = &swapchain;
  info.pImageIndices = &current_;
  const std::lock_guard<std::mutex> lock(graphics_.queue_mutex());
  const VkResult result = graphics_.functions().QueuePresentKHR(graphics_.queue(), &info);
  if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) {
    size_ = {};
  } else {
    check(result, "vkQueuePresentKHR");
  }
}

}  // namespace clothc_viewer
