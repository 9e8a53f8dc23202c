// adoption.cpp - see adoption.h.
#include "backend_vulkan/adoption.h"

#include <algorithm>
#include <cstdio>

namespace clothc::vulkan {
namespace {

// Describes the program's physical device. Fails if it is not one of the instance, or cannot be used.
Adapter describe(const Instance& instance, const clothc_vulkan_device_desc& objects, const DeviceUse& use) {
  const std::vector<VkPhysicalDevice> devices = instance.physical_devices();
  const auto found = std::find(devices.begin(), devices.end(), static_cast<VkPhysicalDevice>(objects.physical_device));
  CLOTHC_REQUIRE(found != devices.end(),
                 "vulkan_device_desc.physical_device is %p, which is not one of the instance's %zu devices",
                 objects.physical_device, devices.size());
  Adapter adapter = describe_adapter(instance, *found, static_cast<uint32_t>(found - devices.begin()), &use);
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_UNSUPPORTED, adapter.info.available != 0,
      "the Vulkan device \"%s\" cannot be used with api_version %u.%u, queue_family %u and the extensions "
      "\"%s\": %s",
      adapter.info.name, VK_API_VERSION_MAJOR(use.api_version), VK_API_VERSION_MINOR(use.api_version),
      objects.queue_family, use.extensions.c_str(), adapter.info.reason);
  return adapter;
}

template <size_t size>
void join(char (&text)[size], std::vector<const char*>::const_iterator begin,
          std::vector<const char*>::const_iterator end) {
  std::string joined;
  for (auto name = begin; name != end; ++name) joined += (joined.empty() ? "" : " ") + std::string(*name);
  std::snprintf(text, size, "%s", joined.c_str());
}

}  // namespace

std::shared_ptr<Instance> adopted_instance(const clothc_vulkan_device_desc& objects) {
  CLOTHC_REQUIRE(objects.instance != nullptr, "vulkan_device_desc.instance is null; want the program's VkInstance");
  CLOTHC_REQUIRE(objects.api_version >= VK_API_VERSION_1_1,
                 "vulkan_device_desc.api_version is 0x%x; want VK_API_VERSION_1_1 (0x%x) or a later one",
                 objects.api_version, VK_API_VERSION_1_1);
  std::string reason;
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(objects.get_instance_proc_addr);
  std::shared_ptr<Instance> instance = Instance::adopt(static_cast<VkInstance>(objects.instance), get, reason);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, instance != nullptr, "the program's VkInstance cannot be used: %s",
                    reason.c_str());
  return instance;
}

Adapter adopted_adapter(const Instance& instance, const clothc_vulkan_device_desc& objects) {
  CLOTHC_REQUIRE(objects.device != nullptr, "vulkan_device_desc.device is null; want the program's VkDevice");
  const char* extensions = objects.extensions != nullptr ? objects.extensions : "";
  return describe(instance, objects, {objects.api_version, true, objects.queue_family, extensions});
}

Adopted adopted_objects(const clothc_vulkan_device_desc& objects) {
  CLOTHC_REQUIRE((objects.lock_queue == nullptr) == (objects.unlock_queue == nullptr),
                 "vulkan_device_desc has only one of lock_queue and unlock_queue; want both or neither");
  Adopted adopted;
  adopted.device = static_cast<VkDevice>(objects.device);
  adopted.queue = static_cast<VkQueue>(objects.queue);
  adopted.lock = objects.lock_queue;
  adopted.unlock = objects.unlock_queue;
  adopted.user = objects.queue_user;
  if (objects.allocation_callbacks != nullptr)
    adopted.allocator = *static_cast<const VkAllocationCallbacks*>(objects.allocation_callbacks);
  return adopted;
}

void require(const void* native, void* requirements) {
  const auto& objects = *static_cast<const clothc_vulkan_device_desc*>(native);
  auto& required = *static_cast<clothc_vulkan_requirements*>(requirements);
  const std::shared_ptr<Instance> instance = adopted_instance(objects);
  const Adapter adapter = describe(*instance, objects, {objects.api_version, false, 0, ""});
  const auto optional = adapter.extensions.begin() + static_cast<std::ptrdiff_t>(adapter.required_extension_count);
  required.api_version = VK_API_VERSION_1_1;
  required.queue_family = adapter.queue_family;
  join(required.required_extensions, adapter.extensions.begin(), optional);
  join(required.optional_extensions, optional, adapter.extensions.end());
}

}  // namespace clothc::vulkan
