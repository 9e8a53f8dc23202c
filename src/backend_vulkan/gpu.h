// gpu.h - the logical device: its functions, its queue, and what has gone wrong with it. Shared by everything made on it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "backend_vulkan/adapter.h"
#include "core/backend/backend.h"

namespace clothc::vulkan {

constexpr const char* hang_reason = "its driver made no progress for as long as device_desc.hang_timeout_ms allows";

class Gpu {
 public:
  // Throws Failure.
  Gpu(std::shared_ptr<Instance> instance, const Adapter& adapter, uint64_t hang_timeout_ns);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const Adapter& adapter() const { return adapter_; }
  VkDevice handle() const { return device_; }
  // How long submitted work may make no progress before the device counts as lost.
  uint64_t hang_timeout_ns() const { return hang_timeout_ns_; }

  // Throws Failure unless the result of a call is a success: OUT_OF_MEMORY, or DEVICE_LOST and from then on.
  void check(VkResult result, const char* call);
  // Hands work to the queue, from any thread.
  VkResult submit(const VkSubmitInfo& info);

  bool is_lost() const { return lost_.load(std::memory_order_acquire) != nullptr; }
  // Marks the device as lost; the first reason is kept. The reason is a literal.
  void lose(const char* reason);
  // Throws Failure with DEVICE_LOST if the device is.
  void require_alive() const;

  // Index of a memory type with all wanted properties, if possible those liked too; throws Failure where there is none.
  uint32_t memory_type(uint32_t allowed, VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags liked) const;

  void count_allocation() { allocations_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t allocation_count() const { return allocations_.load(std::memory_order_relaxed); }

#define CLOTHC_VULKAN_INSTANCE(name)
#define CLOTHC_VULKAN_DEVICE(name) PFN_vk##name name = nullptr;
#define CLOTHC_VULKAN_OPTIONAL(name) PFN_vk##name name = nullptr;
#include "backend_vulkan/functions.def"
#undef CLOTHC_VULKAN_INSTANCE
#undef CLOTHC_VULKAN_DEVICE
#undef CLOTHC_VULKAN_OPTIONAL

 private:
  void load_functions();

  std::shared_ptr<Instance> instance_;
  Adapter adapter_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::mutex queue_mutex_;
  uint64_t hang_timeout_ns_;
  std::atomic<const char*> lost_{nullptr};
  std::atomic<uint64_t> allocations_{0};
};

using GpuPointer = std::shared_ptr<Gpu>;

// A timeline semaphore.
class TimelineSemaphore {
 public:
  // imported: a file descriptor that is taken over if the semaphore is made; -1 = a new semaphore of that value.
  explicit TimelineSemaphore(GpuPointer gpu, uint64_t value = 0, bool exportable = false, int imported = -1);
  ~TimelineSemaphore();
  TimelineSemaphore(const TimelineSemaphore&) = delete;
  TimelineSemaphore& operator=(const TimelineSemaphore&) = delete;

  VkSemaphore handle() const { return semaphore_; }
  const GpuPointer& gpu() const { return gpu_; }
  // The value reached; 0 and a lost device where that cannot be told.
  uint64_t value() const;
  // Raises it from the host unless it has come that far.
  void signal(uint64_t value) const;
  int export_file_descriptor() const;
  // False if the time-out passed first; a lost device ends the wait.
  bool wait(uint64_t value, uint64_t timeout_ns) const;
  // Waits until work that was handed over has let go of what it uses, even on a device that counts as lost; at most for
  // the time that a hang is given.
  void drain(uint64_t value) const;

 private:
  VkResult reach(uint64_t value, uint64_t timeout_ns) const;

  GpuPointer gpu_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

}  // namespace clothc::vulkan
