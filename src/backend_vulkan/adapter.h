// adapter.h - describes a physical device: the properties that the backend needs, and whether the device can be used.
#pragma once

#include <array>

#include "backend_vulkan/instance.h"
#include "clothc.h"

namespace clothc::vulkan {

// Number of workgroups that a device is assumed to run at the same time. Vulkan has no query for it.
constexpr uint32_t workgroups_at_a_time = 64;

struct Adapter {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceMemoryProperties memory{};
  VkDriverId driver{};
  uint32_t vendor = 0;
  uint32_t device = 0;
  uint32_t driver_version = 0;
  // What tells compiled code of this device and driver from that of others.
  std::array<uint8_t, VK_UUID_SIZE> pipeline_cache_uuid{};
  uint32_t api_version = 0;
  uint32_t queue_family = 0;
  // The bits of a timestamp that count, 0 if the queues have no timestamps.
  uint64_t timestamp_mask = 0;

  // Alignment of host memory that can be wrapped, in bytes, or 0 if the device cannot wrap host memory.
  uint64_t host_pointer_alignment = 0;

  // Float controls that shader modules may declare on this device.
  bool rounds_to_nearest = false;
  bool preserves_not_a_number = false;

  // Whether the native division and square root are correctly rounded.
  bool has_exact_division = false;

  // As in DriverTraits.
  uint32_t program_lanes = 0;
  uint32_t max_loops_per_dispatch = 0;
  bool unrolls_loops = true;
  bool compiles_when_run = false;
  bool reads_texels = false;

  // Whether the device exports and imports memory, and timeline semaphores, by handles of the operating system.
  bool shares_memory = false;
  bool shares_semaphores = false;

  // Device extensions to enable, those that must be first.
  std::vector<const char*> extensions;
  size_t required_extension_count = 0;

  // If the device cannot be used, info.available is 0 and info.reason says why.
  clothc_device_info info{};
};

// Names the device and its driver as far as compiled code depends on them.
std::string identity_of(const Adapter& adapter);

// What an application has made its own instance and device with.
struct DeviceUse {
  // apiVersion of the instance.
  uint32_t api_version = 0;
  // Whether the device exists already. If not, the extensions of the driver count, and a queue family is chosen.
  bool exists = false;
  uint32_t queue_family = 0;
  // The device extensions that are enabled, separated by spaces.
  std::string extensions;
};

// Describes a physical device. index is its number among the devices of the instance. use: of a device of the
// application, or null.
Adapter describe_adapter(const Instance& instance, VkPhysicalDevice device, uint32_t index,
                         const DeviceUse* use = nullptr);

}  // namespace clothc::vulkan
