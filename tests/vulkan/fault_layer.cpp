// fault_layer.cpp - VK_LAYER_CLOTHC_faults, a Vulkan layer for tests. It makes calls fail as fault_layer.h describes
// and passes all others on. It supports any number of instances and devices at a time, from any threads.
// Invariant: an object's calls are found by the address of its dispatch table, which an instance shares with its
// physical devices, and a device with its queues and command buffers.
#include <vulkan/vk_layer.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unordered_map>

#include "vulkan/fault_rules.h"

namespace clothc::faults {
namespace {

// The next layer's functions for one instance or device. They are queried at creation, because later the loader would
// return the functions of the first layer.
struct Calls {
  PFN_vkVoidFunction functions[function_count] = {};
  PFN_vkGetInstanceProcAddr get_from_instance = nullptr;
  PFN_vkGetDeviceProcAddr get_from_device = nullptr;
};

struct AllCalls {
  std::shared_mutex mutex;
  std::unordered_map<const void*, std::unique_ptr<Calls>> of_table;
};

// Threads may still make calls while the program ends, so this object is never destroyed.
AllCalls& all_calls() {
  static AllCalls* const only = new AllCalls;
  return *only;
}

template <typename Handle>
const void* dispatch_table(Handle handle) {
  return *reinterpret_cast<const void* const*>(handle);
}

// Returns null for an unknown object: the loader asks for vkCreateInstance with an instance of its own that the layer
// does not know.
template <typename Handle>
Calls* calls_of(Handle handle) {
  AllCalls& all = all_calls();
  const std::shared_lock lock(all.mutex);
  const auto found = all.of_table.find(dispatch_table(handle));
  return found == all.of_table.end() ? nullptr : found->second.get();
}

template <typename Handle>
void keep_calls(Handle handle, std::unique_ptr<Calls> calls) {
  AllCalls& all = all_calls();
  const std::unique_lock lock(all.mutex);
  all.of_table[dispatch_table(handle)] = std::move(calls);
}

// Must be called before the object is destroyed, because a new object may get its dispatch table's address immediately.
template <typename Handle>
std::unique_ptr<Calls> take_calls(Handle handle) {
  AllCalls& all = all_calls();
  const std::unique_lock lock(all.mutex);
  auto node = all.of_table.extract(dispatch_table(handle));
  return std::move(node.mapped());
}

// -------------------------------------------------------------------------------------------------------------- faults

template <Function function>
struct Tag {};

// Returns the result of a call that a rule stops. `next` is the function to which the call would have been passed on.
template <Function function, typename Result, typename... Arguments>
Result fail(Tag<function>, VkResult result, Result(VKAPI_PTR*)(Arguments...), Arguments...) {
  if constexpr (std::is_same_v<Result, VkResult>) return result;
}

VkResult fail(Tag<Function::EnumeratePhysicalDevices>, VkResult result, PFN_vkEnumeratePhysicalDevices, VkInstance,
              uint32_t* count, VkPhysicalDevice*) {
  if (result == VK_SUCCESS) *count = 0;
  return result;
}

VkResult fail(Tag<Function::WaitSemaphores>, VkResult result, PFN_vkWaitSemaphores, VkDevice,
              const VkSemaphoreWaitInfo*, uint64_t timeout) {
  constexpr uint64_t longest = 10 * 1000 * 1000;
  if (result == VK_TIMEOUT) std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(timeout, longest)));
  return result;
}

void fail(Tag<Function::GetPhysicalDeviceFeatures2>, VkResult, PFN_vkGetPhysicalDeviceFeatures2 next,
          VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features) {
  next(device, features);
  for (auto* link = static_cast<VkBaseOutStructure*>(features->pNext); link; link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES) {
      reinterpret_cast<VkPhysicalDeviceTimelineSemaphoreFeatures*>(link)->timelineSemaphore = VK_FALSE;
    } else if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
      reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(link)->timelineSemaphore = VK_FALSE;
    }
  }
}

void fail(Tag<Function::GetPhysicalDeviceProperties2>, VkResult result, PFN_vkGetPhysicalDeviceProperties2 next,
          VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  next(device, properties);
  if (result == VK_SUCCESS) properties->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  auto* link = static_cast<VkBaseOutStructure*>(properties->pNext);
  for (; result == VK_NOT_READY && link != nullptr; link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
      reinterpret_cast<VkPhysicalDeviceDriverProperties*>(link)->driverID = VK_DRIVER_ID_MAX_ENUM;
  }
}

// -------------------------------------------------------------------------------------------------------- interception

template <Function function, typename Pointer>
struct Interception;

template <Function function, typename Result, typename Handle, typename... Rest>
struct Interception<function, Result(VKAPI_PTR*)(Handle, Rest...)> {
  static Result VKAPI_CALL call(Handle handle, Rest... rest) {
    using Pointer = Result(VKAPI_PTR*)(Handle, Rest...);
    const auto next = reinterpret_cast<Pointer>(calls_of(handle)->functions[static_cast<size_t>(function)]);
    if (const std::optional<Effect> effect = count_call(function)) {
      return fail(Tag<counted_as(function)>(), effect->result, next, handle, rest...);
    }
    return next(handle, rest...);
  }
};

// Finds the loader's link in the chain of a create call; returns null if there is none. Each layer advances the link
// for the layer below.
template <typename Link>
Link* find_link(const void* chain, VkStructureType type) {
  for (auto* link = static_cast<const Link*>(chain); link; link = static_cast<const Link*>(link->pNext)) {
    if (link->sType == type && link->function == VK_LAYER_LINK_INFO) return const_cast<Link*>(link);
  }
  return nullptr;
}

template <typename Get, typename Handle>
std::unique_ptr<Calls> load_calls(Get get, Handle handle) {
  auto calls = std::make_unique<Calls>();
  for (size_t k = 0; k < function_count; ++k) calls->functions[k] = get(handle, function_names[k]);
  return calls;
}

template <>
struct Interception<Function::CreateInstance, PFN_vkCreateInstance> {
  static VkResult VKAPI_CALL call(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                  VkInstance* instance) {
    if (const std::optional<Effect> effect = count_call(Function::CreateInstance)) return effect->result;
    auto* link = find_link<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
    const VkResult result = create(info, allocator, instance);
    if (result != VK_SUCCESS) return result;
    std::unique_ptr<Calls> calls = load_calls(get, *instance);
    calls->get_from_instance = get;
    keep_calls(*instance, std::move(calls));
    return result;
  }
};

template <>
struct Interception<Function::CreateDevice, PFN_vkCreateDevice> {
  static VkResult VKAPI_CALL call(VkPhysicalDevice physical_device, const VkDeviceCreateInfo* info,
                                  const VkAllocationCallbacks* allocator, VkDevice* device) {
    if (const std::optional<Effect> effect = count_call(Function::CreateDevice)) return effect->result;
    auto* link = find_link<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    constexpr size_t index = static_cast<size_t>(Function::CreateDevice);
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(calls_of(physical_device)->functions[index]);
    const VkResult result = create(physical_device, info, allocator, device);
    if (result != VK_SUCCESS) return result;
    std::unique_ptr<Calls> calls = load_calls(get, *device);
    calls->get_from_device = get;
    keep_calls(*device, std::move(calls));
    return result;
  }
};

template <>
struct Interception<Function::CreateShaderModule, PFN_vkCreateShaderModule> {
  static VkResult VKAPI_CALL call(VkDevice device, const VkShaderModuleCreateInfo* info,
                                  const VkAllocationCallbacks* allocator, VkShaderModule* created) {
    constexpr size_t index = static_cast<size_t>(Function::CreateShaderModule);
    const auto next = reinterpret_cast<PFN_vkCreateShaderModule>(calls_of(device)->functions[index]);
    SpirvModule module(info->pCode, info->codeSize / sizeof(uint32_t));
    const std::optional<Effect> effect = count_call(Function::CreateShaderModule, module.fingerprint());
    if (!effect) return next(device, info, allocator, created);
    if (!effect->planted) return effect->result;
    plant(module, *effect->planted);
    const std::vector<uint32_t> words = module.words();
    VkShaderModuleCreateInfo changed = *info;
    changed.codeSize = words.size() * sizeof(uint32_t);
    changed.pCode = words.data();
    return next(device, &changed, allocator, created);
  }
};

// A skipped call leaves the object to the layer below, which nobody asks for it again.
template <Function function, typename Handle>
struct Destruction {
  static void VKAPI_CALL call(Handle handle, const VkAllocationCallbacks* allocator) {
    if (!handle || count_call(function)) return;
    using Pointer = void(VKAPI_PTR*)(Handle, const VkAllocationCallbacks*);
    reinterpret_cast<Pointer>(take_calls(handle)->functions[static_cast<size_t>(function)])(handle, allocator);
  }
};

template <>
struct Interception<Function::DestroyInstance, PFN_vkDestroyInstance>
    : Destruction<Function::DestroyInstance, VkInstance> {};

template <>
struct Interception<Function::DestroyDevice, PFN_vkDestroyDevice> : Destruction<Function::DestroyDevice, VkDevice> {};

// ---------------------------------------------------------------------------------------------- the loader's questions

// Returns the layer's own function of this name if the next layer has the function too. It has none for an extension
// that is disabled.
PFN_vkVoidFunction own_function(const Calls& calls, const char* name) {
  static const PFN_vkVoidFunction own[] = {
#define FAULT_FUNCTION(name, counted_as) \
  reinterpret_cast<PFN_vkVoidFunction>(&Interception<Function::name, PFN_vk##name>::call),
#include "vulkan/fault_functions.def"
#undef FAULT_FUNCTION
  };
  for (size_t k = 0; k < function_count; ++k) {
    if (std::strcmp(name, function_names[k]) == 0) return calls.functions[k] ? own[k] : nullptr;
  }
  return nullptr;
}

PFN_vkVoidFunction VKAPI_CALL get_from_device(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return reinterpret_cast<PFN_vkVoidFunction>(&get_from_device);
  const Calls* calls = device ? calls_of(device) : nullptr;
  if (!calls) return nullptr;
  const PFN_vkVoidFunction own = own_function(*calls, name);
  return own ? own : calls->get_from_device(device, name);
}

PFN_vkVoidFunction VKAPI_CALL get_from_instance(VkInstance instance, const char* name) {
  using Create = Interception<Function::CreateInstance, PFN_vkCreateInstance>;
  if (std::strcmp(name, "vkGetInstanceProcAddr") == 0) return reinterpret_cast<PFN_vkVoidFunction>(&get_from_instance);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return reinterpret_cast<PFN_vkVoidFunction>(&get_from_device);
  if (std::strcmp(name, "vkCreateInstance") == 0) return reinterpret_cast<PFN_vkVoidFunction>(&Create::call);
  const Calls* calls = instance ? calls_of(instance) : nullptr;
  if (!calls) return nullptr;
  const PFN_vkVoidFunction own = own_function(*calls, name);
  return own ? own : calls->get_from_instance(instance, name);
}

}  // namespace
}  // namespace clothc::faults

extern "C" VK_LAYER_EXPORT VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* info) {
  if (!info || info->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT) return VK_ERROR_INITIALIZATION_FAILED;
  if (info->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  info->loaderLayerInterfaceVersion = 2;
  info->pfnGetInstanceProcAddr = &clothc::faults::get_from_instance;
  info->pfnGetDeviceProcAddr = &clothc::faults::get_from_device;
  info->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
