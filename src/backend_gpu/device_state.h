// device_state.h - whether a device is lost, and what else all objects of a device must know of it.
#pragma once

#include <atomic>
#include <cstdint>

namespace clothc::gpu {

class DeviceState {
 public:
  // kind: such as "Vulkan". name: that of the device, which must live as long as this object.
  DeviceState(const char* kind, const char* name, uint64_t hang_timeout_ns)
      : kind_(kind), name_(name), hang_timeout_ns_(hang_timeout_ns) {}
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;

  bool is_lost() const { return lost_.load(std::memory_order_acquire) != nullptr; }
  // Returns whether the device is lost because it makes no progress.
  bool is_hung() const;
  // Marks the device as lost. Only the first reason is stored. It must be a string literal.
  void lose(const char* reason);
  // Throws Failure with DEVICE_LOST if the device is lost.
  void require_alive() const;

  // Returns how long submitted work may make no progress before the device counts as lost.
  uint64_t hang_timeout_ns() const { return hang_timeout_ns_; }
  void count_allocation() { allocations_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t allocation_count() const { return allocations_.load(std::memory_order_relaxed); }

 private:
  const char* kind_;
  const char* name_;
  uint64_t hang_timeout_ns_;
  std::atomic<const char*> lost_{nullptr};
  std::atomic<uint64_t> allocations_{0};
};

}  // namespace clothc::gpu
