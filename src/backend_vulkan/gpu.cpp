// gpu.cpp - creates or adopts the logical device, loads its functions and implements timeline semaphores.
#include "backend_vulkan/gpu.h"

#include <string>

#include "backend_vulkan/external.h"

namespace clothc::vulkan {

Gpu::Gpu(std::shared_ptr<Instance> instance, const Adapter& adapter, uint64_t hang_timeout_ns, const Adopted& adopted)
    : DeviceState("Vulkan", adapter_.info.name, hang_timeout_ns),
      instance_(std::move(instance)),
      adapter_(adapter),
      adopted_(adopted),
      device_(adopted.device),
      queue_(adopted.queue) {
  if (!is_adopted()) create_device();
  load_functions();
  if (!is_adopted()) GetDeviceQueue(device_, adapter_.queue_family, 0, &queue_);
}

void Gpu::create_device() {
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = adapter_.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.timelineSemaphore = VK_TRUE;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &timeline;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(adapter_.extensions.size());
  info.ppEnabledExtensionNames = adapter_.extensions.data();
  const VkResult created = instance_->CreateDevice(adapter_.handle, &info, nullptr, &device_);
  if (created != VK_SUCCESS) device_ = VK_NULL_HANDLE;
  CLOTHC_REQUIRE_AS(created == VK_ERROR_OUT_OF_HOST_MEMORY || created == VK_ERROR_OUT_OF_DEVICE_MEMORY
                        ? CLOTHC_ERROR_OUT_OF_MEMORY
                        : CLOTHC_ERROR_UNSUPPORTED,
                    created == VK_SUCCESS,
                    "the Vulkan device \"%s\" cannot be opened: vkCreateDevice gave %s; use another device or "
                    "CLOTHC_BACKEND_CPU",
                    adapter_.info.name, name_of(created));
}

void Gpu::load_functions() {
  const char* missing = nullptr;
  // In Vulkan 1.1, functions that version 1.2 took over from extensions still have the extension's suffix.
  const auto find = [&](const char* name, bool needed) {
    PFN_vkVoidFunction function = instance_->GetDeviceProcAddr(device_, name);
    if (function == nullptr) function = instance_->GetDeviceProcAddr(device_, (std::string(name) + "KHR").c_str());
    if (function == nullptr && needed) missing = name;
    return function;
  };
#define CLOTHC_VULKAN_INSTANCE(name)
#define CLOTHC_VULKAN_DEVICE(name) name = reinterpret_cast<PFN_vk##name>(find("vk" #name, true));
#define CLOTHC_VULKAN_OPTIONAL(name) name = reinterpret_cast<PFN_vk##name>(find("vk" #name, false));
#include "backend_vulkan/functions.def"
#undef CLOTHC_VULKAN_INSTANCE
#undef CLOTHC_VULKAN_DEVICE
#undef CLOTHC_VULKAN_OPTIONAL
  if (missing == nullptr) return;
  if (DestroyDevice != nullptr && !is_adopted()) DestroyDevice(device_, nullptr);
  fail(CLOTHC_ERROR_UNSUPPORTED, "the Vulkan driver of \"%s\" has no %s; update it", adapter_.info.name, missing);
}

Gpu::~Gpu() {
  if (device_ != VK_NULL_HANDLE && !is_adopted() && !is_left_alone_) DestroyDevice(device_, nullptr);
}

void Gpu::check(VkResult result, const char* call) {
  if (result >= 0) return;
  if (result == VK_ERROR_DEVICE_LOST) {
    lose("the driver reported the loss of the device");
    require_alive();
  }
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_OUT_OF_MEMORY,
                    result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_OUT_OF_HOST_MEMORY &&
                        result != VK_ERROR_OUT_OF_POOL_MEMORY && result != VK_ERROR_TOO_MANY_OBJECTS &&
                        result != VK_ERROR_FRAGMENTED_POOL && result != VK_ERROR_MEMORY_MAP_FAILED,
                    "out of memory: %s gave %s on \"%s\"; free some memory, or lower the capacities in solver_desc",
                    call, name_of(result), adapter_.info.name);
  CLOTHC_REQUIRE(result != VK_ERROR_INVALID_EXTERNAL_HANDLE,
                 "%s gave %s on \"%s\"; the handle is not one that such a device exported", call, name_of(result),
                 adapter_.info.name);
  fail(CLOTHC_ERROR_INTERNAL, "%s gave %s (%d) on \"%s\"; please report it with the driver's version", call,
       name_of(result), static_cast<int>(result), adapter_.info.name);
}

void Gpu::allocate_commands(VkCommandPool pool, uint32_t count, VkCommandBuffer* commands) {
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool;
  info.level = only_records() ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = count;
  check(AllocateCommandBuffers(device_, &info, commands), "vkAllocateCommandBuffers");
}

void Gpu::begin_commands(VkCommandBuffer commands, VkCommandBufferUsageFlags usage) {
  VkCommandBufferInheritanceInfo inherited{};
  inherited.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = usage;
  if (only_records()) info.pInheritanceInfo = &inherited;
  check(BeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

VkResult Gpu::submit(const VkSubmitInfo& info) {
  const std::lock_guard<std::mutex> lock(queue_mutex_);
  if (adopted_.lock != nullptr) adopted_.lock(adopted_.user);
  const VkResult result = QueueSubmit(queue_, 1, &info, VK_NULL_HANDLE);
  if (adopted_.unlock != nullptr) adopted_.unlock(adopted_.user);
  return result;
}

uint32_t Gpu::memory_type(uint32_t allowed, VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags liked) const {
  const VkPhysicalDeviceMemoryProperties& memory = adapter_.memory;
  for (const VkMemoryPropertyFlags flags : {wanted | liked, wanted}) {
    for (uint32_t k = 0; k < memory.memoryTypeCount; ++k) {
      if ((allowed >> k & 1) != 0 && (memory.memoryTypes[k].propertyFlags & flags) == flags) return k;
    }
  }
  fail(CLOTHC_ERROR_UNSUPPORTED, "the Vulkan device \"%s\" has no memory type with properties 0x%x among 0x%x",
       adapter_.info.name, wanted, allowed);
}

TimelineSemaphore::TimelineSemaphore(GpuPointer gpu, uint64_t value, bool exportable, platform::OsHandle imported)
    : gpu_(std::move(gpu)) {
  VkExportSemaphoreCreateInfo exporting{};
  exporting.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO;
  exporting.handleTypes = semaphore_handle_type;
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  if (exportable) type.pNext = &exporting;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  type.initialValue = value;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &type;
  gpu_->check(gpu_->CreateSemaphore(gpu_->handle(), &info, gpu_->allocator(), &semaphore_), "vkCreateSemaphore");
  if (!imported.is_set()) return;
  try {
    import_payload(*gpu_, semaphore_, imported);
  } catch (...) {
    gpu_->destroy(gpu_->DestroySemaphore, semaphore_);
    throw;
  }
}

TimelineSemaphore::~TimelineSemaphore() { gpu_->destroy(gpu_->DestroySemaphore, semaphore_); }

uint64_t TimelineSemaphore::value() const {
  uint64_t value = 0;
  const VkResult result = gpu_->GetSemaphoreCounterValue(gpu_->handle(), semaphore_, &value);
  if (result == VK_SUCCESS) return value;
  gpu_->lose("the driver does not tell how far it has come");
  return 0;
}

void TimelineSemaphore::signal(uint64_t value) const {
  if (this->value() >= value || gpu_->is_lost()) return;
  VkSemaphoreSignalInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  info.semaphore = semaphore_;
  info.value = value;
  if (gpu_->SignalSemaphore(gpu_->handle(), &info) != VK_SUCCESS)
    gpu_->lose("the driver refused to signal a semaphore");
}

platform::OsHandle TimelineSemaphore::export_handle() const { return export_handle_of(*gpu_, semaphore_); }

VkResult TimelineSemaphore::reach(uint64_t value, uint64_t timeout_ns) const {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore_;
  info.pValues = &value;
  return gpu_->WaitSemaphores(gpu_->handle(), &info, timeout_ns);
}

bool TimelineSemaphore::wait(uint64_t value, uint64_t timeout_ns) const {
  const VkResult result = reach(value, timeout_ns);
  if (result < 0) gpu_->lose("the driver reported an error while work was waited for");
  return result == VK_SUCCESS;
}

bool TimelineSemaphore::drain(uint64_t value, uint64_t timeout_ns) const {
  return reach(value, timeout_ns) != VK_TIMEOUT;
}

}  // namespace clothc::vulkan
