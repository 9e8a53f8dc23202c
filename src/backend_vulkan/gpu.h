// gpu.h - the logical device, of the library's own or of the application: its functions and its queue. Everything that
// is created on the device shares this object.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "backend_gpu/device_state.h"
#include "backend_vulkan/adapter.h"
#include "clothc_vulkan.h"
#include "core/backend/backend.h"

namespace clothc::vulkan {

// Objects of the application that the logical device uses in place of its own.
struct Adopted {
  // Null if nothing is adopted.
  VkDevice device = VK_NULL_HANDLE;
  // Null if the device only records.
  VkQueue queue = VK_NULL_HANDLE;
  // Called around each submission, unless they are null.
  clothc_vulkan_queue_callback lock = nullptr;
  clothc_vulkan_queue_callback unlock = nullptr;
  void* user = nullptr;
  std::optional<VkAllocationCallbacks> allocator;
};

class Gpu : public gpu::DeviceState {
 public:
  // Throws Failure.
  Gpu(std::shared_ptr<Instance> instance, const Adapter& adapter, uint64_t hang_timeout_ns, const Adopted& adopted);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const Adapter& adapter() const { return adapter_; }
  VkDevice handle() const { return device_; }
  bool is_adopted() const { return adopted_.device != VK_NULL_HANDLE; }
  // Whether all commands go into command buffers of the application, so that nothing can be submitted.
  bool only_records() const { return is_adopted() && adopted_.queue == VK_NULL_HANDLE; }
  // What everything on the device is created and destroyed with.
  const VkAllocationCallbacks* allocator() const {
    return adopted_.allocator.has_value() ? &*adopted_.allocator : nullptr;
  }

  // Destroys an object of the device, unless the driver may still be using it.
  template <class Object>
  void destroy(void(VKAPI_PTR* function)(VkDevice, Object, const VkAllocationCallbacks*), Object object) const {
    if (!is_left_alone_.load(std::memory_order_acquire)) function(device_, object, allocator());
  }
  // Leaves the device and everything on it to the driver, because work that it has taken does not end: it may be
  // compiling, and would run shaders on memory that is gone.
  void leave_alone() { is_left_alone_.store(true, std::memory_order_release); }

  // Returns how long submitted work may make no progress before the device counts as lost. Shaders that run for the
  // first time may have to be compiled.
  uint64_t hang_timeout_ns() const {
    return first_uses_.load(std::memory_order_acquire) == 0 ? drain_timeout_ns()
                                                            : first_use_factor * drain_timeout_ns();
  }
  // How long to wait for a device that counts as lost before it is left alone.
  uint64_t drain_timeout_ns() const { return DeviceState::hang_timeout_ns(); }

  // Throws Failure if the result of the named Vulkan call is an error, such as OUT_OF_MEMORY. If the result says that
  // the device is lost, the device counts as lost from then on.
  void check(VkResult result, const char* call);

  // Allocates command buffers that can be submitted or, if the device only records, executed by other ones.
  void allocate_commands(VkCommandPool pool, uint32_t count, VkCommandBuffer* commands);
  void begin_commands(VkCommandBuffer commands, VkCommandBufferUsageFlags usage);
  // Submits command buffers to the queue. Any thread may call this.
  VkResult submit(const VkSubmitInfo& info);

  // Returns the index of an allowed memory type that has all wanted properties and, if possible, the liked ones too.
  // Throws Failure if there is none.
  uint32_t memory_type(uint32_t allowed, VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags liked) const;

#define CLOTHC_VULKAN_INSTANCE(name)
#define CLOTHC_VULKAN_DEVICE(name) PFN_vk##name name = nullptr;
#define CLOTHC_VULKAN_OPTIONAL(name) PFN_vk##name name = nullptr;
#include "backend_vulkan/functions.def"
#undef CLOTHC_VULKAN_INSTANCE
#undef CLOTHC_VULKAN_DEVICE
#undef CLOTHC_VULKAN_OPTIONAL

 private:
  void create_device();
  void load_functions();

  std::shared_ptr<Instance> instance_;
  Adapter adapter_;
  Adopted adopted_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::mutex queue_mutex_;
  std::atomic<bool> is_left_alone_{false};

  friend class FirstUse;
  static constexpr uint64_t first_use_factor = 10;
  // Number of objects of FirstUse.
  std::atomic<uint64_t> first_uses_{0};
};

using GpuPointer = std::shared_ptr<Gpu>;

// Lives while work is on the device that may run a shader for the first time, if its driver compiles shaders only then.
class FirstUse {
 public:
  explicit FirstUse(GpuPointer gpu) : gpu_(std::move(gpu)), counts_(gpu_->adapter().compiles_when_run) {
    if (counts_) gpu_->first_uses_.fetch_add(1, std::memory_order_acq_rel);
  }
  ~FirstUse() {
    if (counts_) gpu_->first_uses_.fetch_sub(1, std::memory_order_acq_rel);
  }
  FirstUse(const FirstUse&) = delete;
  FirstUse& operator=(const FirstUse&) = delete;

 private:
  GpuPointer gpu_;
  bool counts_;
};

// Owns a timeline semaphore.
class TimelineSemaphore {
 public:
  // imported: the handle of an exported semaphore, or one that is not set to create a new semaphore that begins at value.
  // If the constructor succeeds, the handle belongs to the driver, where drivers take handles over.
  explicit TimelineSemaphore(GpuPointer gpu, uint64_t value = 0, bool exportable = false,
                             platform::OsHandle imported = {});
  ~TimelineSemaphore();
  TimelineSemaphore(const TimelineSemaphore&) = delete;
  TimelineSemaphore& operator=(const TimelineSemaphore&) = delete;

  VkSemaphore handle() const { return semaphore_; }
  const GpuPointer& gpu() const { return gpu_; }
  // Returns the current value. If the driver cannot report it, marks the device as lost and returns 0.
  uint64_t value() const;
  // Raises the semaphore to value from the host, unless it has reached that value already.
  void signal(uint64_t value) const;
  platform::OsHandle export_handle() const;
  // Waits until value is reached. Returns false if the time-out passed first or the driver reported an error, which
  // marks the device as lost.
  bool wait(uint64_t value, uint64_t timeout_ns) const;
  // Waits until submitted work no longer uses its resources, even on a device that counts as lost. Returns false if the
  // time-out passed first.
  bool drain(uint64_t value, uint64_t timeout_ns) const;

 private:
  VkResult reach(uint64_t value, uint64_t timeout_ns) const;

  GpuPointer gpu_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
};

}  // namespace clothc::vulkan
