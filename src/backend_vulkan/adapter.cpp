// adapter.cpp - queries the properties, features and limits of a physical device, and decides whether it can be used.
#include "backend_vulkan/adapter.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "backend_vulkan/drivers.h"
#include "backend_vulkan/external.h"

namespace clothc::vulkan {
namespace {

// Limits that the backend's shaders and memory need. The specification guarantees them for every Vulkan 1.1 device.
constexpr uint32_t least_invocations = 128;
constexpr uint32_t least_shared_memory = 16384;
constexpr uint32_t least_storage_buffers = 4;
constexpr uint32_t least_push_constants = 64;

// The device extensions that can be used: those of the driver or, on a device of the application, those that are
// enabled.
class Extensions {
 public:
  explicit Extensions(const std::string& enabled) {
    std::istringstream names(enabled);
    VkExtensionProperties named{};
    for (std::string name; names >> name;) {
      std::snprintf(named.extensionName, sizeof(named.extensionName), "%s", name.c_str());
      names_.push_back(named);
    }
  }
  Extensions(const Instance& instance, VkPhysicalDevice device) {
    uint32_t count = 0;
    instance.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    names_.resize(count);
    instance.EnumerateDeviceExtensionProperties(device, nullptr, &count, names_.data());
    names_.resize(std::min<size_t>(names_.size(), count));
  }
  bool has(const char* name) const {
    return std::any_of(names_.begin(), names_.end(),
                       [&](const VkExtensionProperties& e) { return std::strcmp(e.extensionName, name) == 0; });
  }

 private:
  std::vector<VkExtensionProperties> names_;
};

// Returns a structure that is linked before the chain of a query.
template <class T>
T link(VkStructureType type, void*& chain) {
  T next{};
  next.sType = type;
  next.pNext = chain;
  return next;
}

void set_reason(clothc_device_info& info, const char* reason) {
  info.available = 0;
  std::snprintf(info.reason, sizeof(info.reason), "%s", reason);
}

constexpr uint32_t any_family = UINT32_MAX;

// Chooses the given queue family or, with any_family, the first with compute and without graphics, or otherwise the
// first with compute. Returns false if there is none.
bool choose_queue_family(const Instance& instance, uint32_t given, Adapter& adapter) {
  uint32_t count = 0;
  instance.GetPhysicalDeviceQueueFamilyProperties(adapter.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  instance.GetPhysicalDeviceQueueFamilyProperties(adapter.handle, &count, families.data());
  bool found = false;
  for (uint32_t k = 0; k < count; ++k) {
    if ((families[k].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0 || families[k].queueCount == 0) continue;
    if (given != any_family && given != k) continue;
    const bool alone = (families[k].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0;
    if (found && !alone) continue;
    adapter.queue_family = k;
    const uint32_t bits = families[k].timestampValidBits;
    adapter.timestamp_mask = bits == 0 ? 0 : UINT64_MAX >> (64 - std::min(bits, 64u));
    found = true;
    if (alone) break;
  }
  return found;
}

// Returns why the device cannot be used, or null if it can.
const char* shortcoming(const Instance& instance, const Extensions& extensions, uint32_t queue_family,
                        Adapter& adapter) {
  if (adapter.api_version < VK_API_VERSION_1_1) return "the driver or the instance is older than Vulkan 1.1";
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &timeline;
  const bool in_core = adapter.api_version >= VK_API_VERSION_1_2;
  if (in_core || extensions.has(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME))
    instance.GetPhysicalDeviceFeatures2(adapter.handle, &features);
  if (timeline.timelineSemaphore == VK_FALSE)
    return "the driver has no timeline semaphores, or VK_KHR_timeline_semaphore is not enabled; update or enable it";
  if (!in_core) adapter.extensions.push_back(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
  adapter.required_extension_count = adapter.extensions.size();
  if (!choose_queue_family(instance, queue_family, adapter))
    return queue_family != any_family ? "the device has no such queue family, or it is not one for compute"
                                      : "the device has no queue for compute";
  const VkPhysicalDeviceLimits& limits = adapter.limits;
  if (limits.maxComputeWorkGroupInvocations < least_invocations ||
      limits.maxComputeWorkGroupSize[0] < least_invocations)
    return "the device runs fewer than 128 invocations in a workgroup";
  if (limits.maxComputeSharedMemorySize < least_shared_memory) return "the device has less than 16 KiB shared memory";
  if (limits.maxPerStageDescriptorStorageBuffers < least_storage_buffers)
    return "the device has fewer than 4 storage buffers per stage";
  if (limits.maxPushConstantsSize < least_push_constants) return "the device has fewer than 64 bytes of push constants";
  return nullptr;
}

void describe_external(const Instance& instance, const Extensions& extensions, Adapter& adapter) {
  if (extensions.has(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME) && adapter.host_pointer_alignment != 0) {
    adapter.extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    adapter.info.capabilities |= CLOTHC_CAPABILITY_WRAPPED_HOST;
  } else {
    adapter.host_pointer_alignment = 0;
  }
  if (extensions.has(memory_extension)) {
    VkPhysicalDeviceExternalBufferInfo wanted{};
    wanted.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO;
    wanted.usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    wanted.handleType = memory_handle_type;
    VkExternalBufferProperties offered{};
    offered.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES;
    instance.GetPhysicalDeviceExternalBufferProperties(adapter.handle, &wanted, &offered);
    constexpr VkExternalMemoryFeatureFlags both =
        VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
    adapter.shares_memory = (offered.externalMemoryProperties.externalMemoryFeatures & both) == both;
  }
  if (adapter.shares_memory) {
    adapter.extensions.push_back(memory_extension);
    adapter.info.capabilities |= shares_memory;
  }
  if (extensions.has(semaphore_extension)) {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkPhysicalDeviceExternalSemaphoreInfo wanted{};
    wanted.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO;
    wanted.pNext = &type;
    wanted.handleType = semaphore_handle_type;
    VkExternalSemaphoreProperties offered{};
    offered.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES;
    instance.GetPhysicalDeviceExternalSemaphoreProperties(adapter.handle, &wanted, &offered);
    constexpr VkExternalSemaphoreFeatureFlags both =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
    adapter.shares_semaphores = (offered.externalSemaphoreFeatures & both) == both;
  }
  if (adapter.shares_semaphores) {
    adapter.extensions.push_back(semaphore_extension);
    adapter.info.capabilities |= exports_semaphores | imports_semaphores;
  }
}

// Rounding to nearest and NaN are asked for where the driver can be asked. What drivers can report about division is not
// sufficient, so shaders correct its results on all but those that are known to compute as processors do. None of this
// proves that the bits are right: a driver that the project does not list has to be verified. Denormals affect no result.
void describe_arithmetic(const VkPhysicalDeviceFloatControlsProperties& controls, const Extensions& extensions,
                         const DriverTraits& traits, Adapter& adapter) {
  adapter.has_exact_division = traits.computes_as_processors;
  const bool in_core = adapter.api_version >= VK_API_VERSION_1_2;
  const bool has_controls = in_core || extensions.has(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
  if (has_controls && traits.takes_float_controls) {
    adapter.rounds_to_nearest = controls.shaderRoundingModeRTEFloat32 != VK_FALSE;
    adapter.preserves_not_a_number = controls.shaderSignedZeroInfNanPreserveFloat32 != VK_FALSE;
    if (!in_core) adapter.extensions.push_back(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
  }
  if (traits.is_proved) adapter.info.capabilities |= CLOTHC_CAPABILITY_STRICT_PARITY;
}

}  // namespace

std::string identity_of(const Adapter& adapter) {
  char numbers[64];
  std::snprintf(numbers, sizeof(numbers), ", device %x:%x, driver %u, cache ", adapter.vendor, adapter.device,
                adapter.driver_version);
  std::string text = adapter.info.name + std::string(numbers);
  for (const uint8_t byte : adapter.pipeline_cache_uuid) {
    std::snprintf(numbers, sizeof(numbers), "%02x", byte);
    text += numbers;
  }
  return text;
}

Adapter describe_adapter(const Instance& instance, VkPhysicalDevice device, uint32_t index, const DeviceUse* use) {
  Adapter adapter;
  adapter.handle = device;
  const bool exists = use != nullptr && use->exists;
  const Extensions extensions = exists ? Extensions(use->extensions) : Extensions(instance, device);
  void* chain = nullptr;
  auto id = link<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, chain);
  chain = &id;
  auto driver = link<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, chain);
  chain = &driver;
  auto controls =
      link<VkPhysicalDeviceFloatControlsProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, chain);
  chain = &controls;
  auto wrapping = link<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT, chain);
  if (extensions.has(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) chain = &wrapping;
  auto pci_bus = link<VkPhysicalDevicePCIBusInfoPropertiesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT, chain);
  if (extensions.has(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) chain = &pci_bus;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = chain;
  instance.GetPhysicalDeviceProperties2(device, &properties);
  instance.GetPhysicalDeviceMemoryProperties(device, &adapter.memory);
  adapter.limits = properties.properties.limits;
  adapter.api_version = properties.properties.apiVersion;
  if (use != nullptr) adapter.api_version = std::min(adapter.api_version, use->api_version);
  adapter.driver = driver.driverID;
  adapter.vendor = properties.properties.vendorID;
  adapter.device = properties.properties.deviceID;
  adapter.driver_version = properties.properties.driverVersion;
  std::memcpy(adapter.pipeline_cache_uuid.data(), properties.properties.pipelineCacheUUID, VK_UUID_SIZE);
  adapter.host_pointer_alignment = wrapping.minImportedHostPointerAlignment;

  clothc_device_info& info = adapter.info;
  info.backend = CLOTHC_BACKEND_VULKAN;
  info.device_index = index;
  info.available = 1;
  std::snprintf(info.name, sizeof(info.name), "%.127s", properties.properties.deviceName);
  std::memcpy(info.uuid, id.deviceUUID, sizeof(info.uuid));
  if (id.deviceLUIDValid != VK_FALSE) std::memcpy(info.luid, id.deviceLUID, sizeof(info.luid));
  info.pci[0] = pci_bus.pciDomain;
  info.pci[1] = pci_bus.pciBus;
  info.pci[2] = pci_bus.pciDevice;
  info.pci[3] = pci_bus.pciFunction;
  for (uint32_t k = 0; k < adapter.memory.memoryHeapCount; ++k) {
    if ((adapter.memory.memoryHeaps[k].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
      info.memory_size += adapter.memory.memoryHeaps[k].size;
  }
  if (properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
    info.capabilities |= CLOTHC_CAPABILITY_SOFTWARE_DEVICE;
  if (const char* reason = shortcoming(instance, extensions, exists ? use->queue_family : any_family, adapter)) {
    set_reason(info, reason);
    return adapter;
  }
  if (adapter.timestamp_mask != 0) info.capabilities |= CLOTHC_CAPABILITY_TIMERS;
  const DriverTraits traits = traits_of(adapter.driver);
  adapter.program_lanes = traits.program_lanes;
  adapter.max_loops_per_dispatch = traits.max_loops_per_dispatch;
  adapter.unrolls_loops = traits.unrolls_loops;
  adapter.compiles_when_run = traits.compiles_when_run;
  adapter.reads_texels =
      traits.reads_texels && adapter.limits.maxStorageBufferRange / 4 <= adapter.limits.maxTexelBufferElements;
  if (exists) adapter.info.capabilities |= CLOTHC_CAPABILITY_WRAPPED_DEVICE;
  describe_arithmetic(controls, extensions, traits, adapter);
  describe_external(instance, extensions, adapter);
  return adapter;
}

}  // namespace clothc::vulkan
