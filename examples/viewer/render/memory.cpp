// memory.cpp - see memory.h. Each buffer and image is an allocation of its own, which is enough for the few that a
// viewer has: what belongs to many cloths is put into one buffer.
#include "render/memory.h"

#include <algorithm>
#include <cstring>

namespace clothc_renderer {
namespace {

constexpr VkMemoryPropertyFlags ON_DEVICE = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags MAPPED = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

// Memory with other properties, such as protected memory, needs features of its own.
constexpr VkMemoryPropertyFlags USABLE = ON_DEVICE | MAPPED | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

// Returns the first type that has these properties, or UINT32_MAX.
uint32_t find_type(const Graphics& graphics, uint32_t allowed, VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties properties;
  graphics.functions().GetPhysicalDeviceMemoryProperties(graphics.physical_device(), &properties);
  for (uint32_t type = 0; type < properties.memoryTypeCount; ++type) {
    const VkMemoryPropertyFlags flags = properties.memoryTypes[type].propertyFlags;
    if ((allowed >> type & 1) && (flags & wanted) == wanted && (flags & ~USABLE) == 0) return type;
  }
  return UINT32_MAX;
}

OwnedMemory allocate(const Graphics& graphics, const VkMemoryRequirements& requirements, VkMemoryPropertyFlags wanted,
                     VkMemoryPropertyFlags preferred = 0) {
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = requirements.size;
  info.memoryTypeIndex = find_type(graphics, requirements.memoryTypeBits, wanted | preferred);
  if (info.memoryTypeIndex == UINT32_MAX)
    info.memoryTypeIndex = find_type(graphics, requirements.memoryTypeBits, wanted);
  if (info.memoryTypeIndex == UINT32_MAX) throw GraphicsError("the device has no memory of a kind that is needed");
  VkDeviceMemory memory = VK_NULL_HANDLE;
  check(graphics.functions().AllocateMemory(graphics.device(), &info, nullptr, &memory), "vkAllocateMemory");
  return {graphics, memory};
}

VkImageAspectFlags aspect_of(VkFormat format) {
  return format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

// Records commands and waits until the device has run them.
template <class Record>
void run_once(const Graphics& graphics, Record record) {
  const VulkanFunctions& vk = graphics.functions();
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.queueFamilyIndex = graphics.queue_family();
  VkCommandPool pool = VK_NULL_HANDLE;
  check(vk.CreateCommandPool(graphics.device(), &pool_info, nullptr, &pool), "vkCreateCommandPool");
  const OwnedCommandPool owned(graphics, pool);
  VkCommandBufferAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate_info.commandPool = pool;
  allocate_info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(vk.AllocateCommandBuffers(graphics.device(), &allocate_info, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin_info{};
  begin_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin_info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vk.BeginCommandBuffer(commands, &begin_info), "vkBeginCommandBuffer");
  record(commands);
  check(vk.EndCommandBuffer(commands), "vkEndCommandBuffer");
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  graphics.submit(info);
  graphics.wait_idle();
}

}  // namespace

DeviceBuffer::DeviceBuffer(const Graphics& graphics, VkDeviceSize size, VkMemoryPropertyFlags properties,
                           VkMemoryPropertyFlags preferred)
    : size_(std::max<VkDeviceSize>(size, 4)) {
  const VulkanFunctions& vk = graphics.functions();
  const bool is_mapped = (properties & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size_;
  info.usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (is_mapped) info.usage |= VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  check(vk.CreateBuffer(graphics.device(), &info, nullptr, &buffer), "vkCreateBuffer");
  buffer_ = {graphics, buffer};
  VkMemoryRequirements requirements;
  vk.GetBufferMemoryRequirements(graphics.device(), buffer, &requirements);
  memory_ = allocate(graphics, requirements, properties, preferred);
  check(vk.BindBufferMemory(graphics.device(), buffer, memory_, 0), "vkBindBufferMemory");
  if (!is_mapped) return;
  void* data = nullptr;
  check(vk.MapMemory(graphics.device(), memory_, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  data_ = static_cast<std::byte*>(data);
}

DeviceBuffer DeviceBuffer::on_device(const Graphics& graphics, VkDeviceSize size) {
  return {graphics, size, ON_DEVICE};
}

DeviceBuffer DeviceBuffer::mapped(const Graphics& graphics, VkDeviceSize size) { return {graphics, size, MAPPED}; }

DeviceBuffer DeviceBuffer::read_by_host(const Graphics& graphics, VkDeviceSize size) {
  return {graphics, size, MAPPED, VK_MEMORY_PROPERTY_HOST_CACHED_BIT};
}

DeviceBuffer DeviceBuffer::with_contents(const Graphics& graphics, const void* data, VkDeviceSize size) {
  DeviceBuffer buffer = on_device(graphics, size);
  if (size == 0) return buffer;
  const DeviceBuffer staging = mapped(graphics, size);
  std::memcpy(staging.data(), data, size);
  run_once(graphics, [&](VkCommandBuffer commands) {
    const VkBufferCopy region = {0, 0, size};
    graphics.functions().CmdCopyBuffer(commands, staging.buffer(), buffer.buffer(), 1, &region);
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    graphics.functions().CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  });
  return buffer;
}

DeviceImage::DeviceImage(const Graphics& graphics, const ImageOptions& options) : extent_(options.extent) {
  const VulkanFunctions& vk = graphics.functions();
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = options.format;
  info.extent = {options.extent.width, options.extent.height, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = options.samples;
  info.usage = options.usage;
  VkImage image = VK_NULL_HANDLE;
  check(vk.CreateImage(graphics.device(), &info, nullptr, &image), "vkCreateImage");
  image_ = {graphics, image};
  VkMemoryRequirements requirements;
  vk.GetImageMemoryRequirements(graphics.device(), image, &requirements);
  memory_ = allocate(graphics, requirements, ON_DEVICE);
  check(vk.BindImageMemory(graphics.device(), image, memory_, 0), "vkBindImageMemory");
  VkImageViewCreateInfo view_info{};
  view_info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view_info.image = image;
  view_info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view_info.format = options.format;
  view_info.subresourceRange = {aspect_of(options.format), 0, 1, 0, 1};
  VkImageView view = VK_NULL_HANDLE;
  check(vk.CreateImageView(graphics.device(), &view_info, nullptr, &view), "vkCreateImageView");
  view_ = {graphics, view};
}

}  // namespace clothc_renderer
