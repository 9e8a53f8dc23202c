// adapter.h - a physical device: what of it the backend needs to know, and whether it can be used.
#pragma once

#include "backend_vulkan/instance.h"
#include "clothc.h"

namespace clothc::vulkan {

// Workgroups that a device is taken to run at a time; Vulkan does not tell.
constexpr uint32_t workgroups_at_a_time = 64;

struct Adapter {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceMemoryProperties memory{};
  VkDriverId driver{};
  uint32_t api_version = 0;
  uint32_t queue_family = 0;
  uint64_t host_pointer_alignment = 0;  // of memory to wrap; 0 = cannot wrap
  // Float controls that modules may declare.
  bool rounds_to_nearest = false;
  bool preserves_denormals = false;
  bool preserves_not_a_number = false;
  // Division and square root are correctly rounded as they are.
  bool has_exact_division = false;
  uint32_t program_lanes = 0;  // invocations that take a cloth through an update
  // Upper bound on loop iterations of a lane in one dispatch: what runs for long looks to drivers as if it hung.
  uint32_t max_loops_per_dispatch = 0;
  bool has_memory_descriptors = false;     // exports and imports memory as file descriptors
  bool has_semaphore_descriptors = false;  // the same for timeline semaphores
  std::vector<const char*> extensions;     // to enable
  clothc_device_info info{};               // info.available = 0, with the reason, if it cannot be used
};

// Describes a physical device; index is its number among those of the instance.
Adapter describe_adapter(const Instance& instance, VkPhysicalDevice device, uint32_t index);

}  // namespace clothc::vulkan
