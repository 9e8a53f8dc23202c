// instance.cpp - loads the Vulkan loader and its functions, and creates the instance.
#include "backend_vulkan/instance.h"

#include "core/base/process.h"

namespace clothc::vulkan {
namespace {

#if defined(_WIN32)
constexpr const char* library_name = "vulkan-1.dll";
constexpr const char* search_path = "PATH";
#else
constexpr const char* library_name = "libvulkan.so.1";
constexpr const char* search_path = "LD_LIBRARY_PATH";
#endif

// The instances that stay until the process ends, even if this library is unloaded before: what has run in a driver may
// still run its code then, and no handler of this library can tell an unloading from the end of the process, at which
// the driver may have ended already.
struct Kept {
  ForkMutex mutex;
  // The last one is used. Those before it listed no devices any more, or are those of the processes from which this one
  // was forked, which a child can neither use nor destroy.
  std::vector<std::shared_ptr<Instance>> instances;
  // The process that made the last one.
  Origin origin;
};
Kept& kept() {
  static auto* only = new Kept;
  return *only;
}

}  // namespace

std::shared_ptr<Instance> Instance::of_process(std::string& reason) {
  Kept& all = kept();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.instances.empty() && all.origin.is_here() && !all.instances.back()->physical_devices().empty())
    return all.instances.back();
  std::shared_ptr<Instance> fresh = create(reason);
  if (fresh != nullptr && !fresh->physical_devices().empty()) {
    all.instances.push_back(fresh);
    all.origin = Origin();
  }
  return fresh;
}

std::shared_ptr<Instance> Instance::create(std::string& reason) {
  std::shared_ptr<Instance> fresh(new Instance());
  const PFN_vkGetInstanceProcAddr get = fresh->open_loader(reason);
  if (get == nullptr || !fresh->make(get, reason)) return nullptr;
  return fresh;
}

std::shared_ptr<Instance> Instance::adopt(VkInstance instance, PFN_vkGetInstanceProcAddr get, std::string& reason) {
  std::shared_ptr<Instance> adopted(new Instance());
  adopted->instance_ = instance;
  adopted->is_adopted_ = true;
  if (get == nullptr) get = adopted->open_loader(reason);
  if (get == nullptr || !adopted->load_functions(get, reason)) return nullptr;
  return adopted;
}

PFN_vkGetInstanceProcAddr Instance::open_loader(std::string& reason) {
  if (!library_.open(library_name)) {
    reason = std::string("there is no ") + library_name + "; install a Vulkan loader and driver";
    return nullptr;
  }
  const auto get = library_.find<PFN_vkGetInstanceProcAddr>("vkGetInstanceProcAddr");
  if (get == nullptr)
    reason = std::string(library_name) +
             " is no Vulkan loader: it has no vkGetInstanceProcAddr; install one, and look what " + search_path +
             " names";
  return get;
}

bool Instance::make(PFN_vkGetInstanceProcAddr get, std::string& reason) {
  const auto version_of = reinterpret_cast<PFN_vkEnumerateInstanceVersion>(get(nullptr, "vkEnumerateInstanceVersion"));
  uint32_t version = VK_API_VERSION_1_0;
  if (version_of != nullptr) version_of(&version);
  if (version < VK_API_VERSION_1_1) {
    reason = "the Vulkan loader is older than version 1.1; update it";
    return false;
  }
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pEngineName = "clothc";
  application.apiVersion = version < VK_API_VERSION_1_2 ? VK_API_VERSION_1_1 : VK_API_VERSION_1_2;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  const VkResult created = create == nullptr ? VK_ERROR_INITIALIZATION_FAILED : create(&info, nullptr, &instance_);
  if (created != VK_SUCCESS) {
    instance_ = VK_NULL_HANDLE;
    reason = std::string("vkCreateInstance gave ") + name_of(created) + "; is a Vulkan driver installed?";
    return false;
  }
  return load_functions(get, reason);
}

bool Instance::load_functions(PFN_vkGetInstanceProcAddr get, std::string& reason) {
#define CLOTHC_VULKAN_INSTANCE(name)                                 \
  name = reinterpret_cast<PFN_vk##name>(get(instance_, "vk" #name)); \
  if (name == nullptr) {                                             \
    reason = "the Vulkan loader has no vk" #name;                    \
    return false;                                                    \
  }
#define CLOTHC_VULKAN_DEVICE(name)
#define CLOTHC_VULKAN_OPTIONAL(name)
#include "backend_vulkan/functions.def"
#undef CLOTHC_VULKAN_INSTANCE
#undef CLOTHC_VULKAN_DEVICE
#undef CLOTHC_VULKAN_OPTIONAL
  return true;
}

Instance::~Instance() {
  if (instance_ != VK_NULL_HANDLE && !is_adopted_ && DestroyInstance != nullptr) DestroyInstance(instance_, nullptr);
  library_.close();
}

std::vector<VkPhysicalDevice> Instance::physical_devices() const {
  uint32_t count = 0;
  if (EnumeratePhysicalDevices(instance_, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<VkPhysicalDevice> devices(count);
  const VkResult listed = EnumeratePhysicalDevices(instance_, &count, devices.data());
  if (listed != VK_SUCCESS && listed != VK_INCOMPLETE) return {};
  devices.resize(count);
  return devices;
}

const char* name_of(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return "VK_SUCCESS";
    case VK_TIMEOUT:
      return "VK_TIMEOUT";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
      return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_FRAGMENTED_POOL:
      return "VK_ERROR_FRAGMENTED_POOL";
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return "VK_ERROR_OUT_OF_POOL_MEMORY";
    case VK_ERROR_INVALID_EXTERNAL_HANDLE:
      return "VK_ERROR_INVALID_EXTERNAL_HANDLE";
    default:
      return "an unknown VkResult";
  }
}

}  // namespace clothc::vulkan
