// owned.h - owns an object of Vulkan that a device destroys.
// Invariant: whoever destroys one knows that no submission uses it any more.
#pragma once

#include <utility>

#include "render/graphics.h"

namespace clothc_renderer {

// DESTROY: the member of VulkanFunctions that destroys the object.
template <class T, auto DESTROY>
class Owned {
 public:
  Owned() = default;
  Owned(const Graphics& graphics, T object) : graphics_(&graphics), object_(object) {}
  Owned(Owned&& other) noexcept
      : graphics_(other.graphics_), object_(std::exchange(other.object_, T(VK_NULL_HANDLE))) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(graphics_, other.graphics_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() {
    if (object_) (graphics_->functions().*DESTROY)(graphics_->device(), object_, nullptr);
  }

  T get() const { return object_; }
  operator T() const { return object_; }

 private:
  const Graphics* graphics_ = nullptr;
  T object_ = VK_NULL_HANDLE;
};

using OwnedBuffer = Owned<VkBuffer, &VulkanFunctions::DestroyBuffer>;
using OwnedImage = Owned<VkImage, &VulkanFunctions::DestroyImage>;
using OwnedImageView = Owned<VkImageView, &VulkanFunctions::DestroyImageView>;
using OwnedMemory = Owned<VkDeviceMemory, &VulkanFunctions::FreeMemory>;
using OwnedSampler = Owned<VkSampler, &VulkanFunctions::DestroySampler>;
using OwnedRenderPass = Owned<VkRenderPass, &VulkanFunctions::DestroyRenderPass>;
using OwnedFramebuffer = Owned<VkFramebuffer, &VulkanFunctions::DestroyFramebuffer>;
using OwnedShaderModule = Owned<VkShaderModule, &VulkanFunctions::DestroyShaderModule>;
using OwnedSetLayout = Owned<VkDescriptorSetLayout, &VulkanFunctions::DestroyDescriptorSetLayout>;
using OwnedDescriptorPool = Owned<VkDescriptorPool, &VulkanFunctions::DestroyDescriptorPool>;
using OwnedPipelineLayout = Owned<VkPipelineLayout, &VulkanFunctions::DestroyPipelineLayout>;
using OwnedPipeline = Owned<VkPipeline, &VulkanFunctions::DestroyPipeline>;
using OwnedCommandPool = Owned<VkCommandPool, &VulkanFunctions::DestroyCommandPool>;
using OwnedFence = Owned<VkFence, &VulkanFunctions::DestroyFence>;
using OwnedQueryPool = Owned<VkQueryPool, &VulkanFunctions::DestroyQueryPool>;

}  // namespace clothc_renderer
