// graphics.cpp - makes the instance, chooses the physical device, and makes the device.
#include "render/graphics.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace clothc_renderer {
namespace {

constexpr const char* VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";

constexpr const char *NOTHING_DRAWS = "no Vulkan device can draw", *NO_DRIVER = "; no driver is installed";

VkBool32 VKAPI_CALL print_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                  const VkDebugUtilsMessengerCallbackDataEXT* data, void* count) {
  std::fprintf(stderr, "%s\n", data->pMessage);
  ++*static_cast<std::atomic<uint32_t>*>(count);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(std::atomic<uint32_t>& count) {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = print_message;
  info.pUserData = &count;
  return info;
}

std::vector<const char*> pointers_to(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  pointers.reserve(names.size());
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

// Lower ranks are tried first.
int rank_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

void check(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  throw GraphicsError(std::string(call) + " failed with VkResult " + std::to_string(result));
}

Graphics::Graphics(const GraphicsOptions& options) {
  try {
    create_instance(options);
    choose_physical_device(options);
    create_device();
  } catch (...) {
    destroy();
    throw;
  }
}

Graphics::~Graphics() { destroy(); }

void Graphics::destroy() {
  if (device_) functions_.DestroyDevice(device_, nullptr);
  if (messenger_) functions_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  if (instance_) functions_.DestroyInstance(instance_, nullptr);
}

void Graphics::create_instance(const GraphicsOptions& options) {
  if (!functions_.load_loader()) {
    throw GraphicsError("there is no Vulkan loader; install libvulkan1 and a driver, such as mesa-vulkan-drivers");
  }
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = options.application_name.c_str();
  application.apiVersion = API_VERSION;
  std::vector<std::string> extensions = options.instance_extensions;
  if (options.validates) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  const std::vector<const char*> names = pointers_to(extensions);

  const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT validation{};
  validation.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  validation.enabledValidationFeatureCount = 1;
  validation.pEnabledValidationFeatures = &synchronization;
  const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(validation_message_count_);
  validation.pNext = &messenger;

  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = static_cast<uint32_t>(names.size());
  info.ppEnabledExtensionNames = names.data();
  if (options.validates) {
    info.pNext = &validation;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &VALIDATION_LAYER;
  }
  const VkResult result = functions_.CreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_LAYER_NOT_PRESENT)
    throw GraphicsError("there is no validation layer; install vulkan-validationlayers or do not ask for it");
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) throw GraphicsError(std::string(NOTHING_DRAWS) + NO_DRIVER);
  check(result, "vkCreateInstance");
  functions_.load_instance(instance_);
  if (options.validates) create_messenger();
}

void Graphics::create_messenger() {
  const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(validation_message_count_);
  check(functions_.CreateDebugUtilsMessengerEXT(instance_, &info, nullptr, &messenger_),
        "vkCreateDebugUtilsMessengerEXT");
}

void Graphics::choose_physical_device(const GraphicsOptions& options) {
  uint32_t count = 0;
  check(functions_.EnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  const VkResult result = functions_.EnumeratePhysicalDevices(instance_, &count, devices.data());
  if (result != VK_INCOMPLETE) check(result, "vkEnumeratePhysicalDevices");
  devices.resize(count);
  std::vector<std::pair<int, VkPhysicalDevice>> ranked;
  for (VkPhysicalDevice device : devices) {
    VkPhysicalDeviceProperties properties;
    functions_.GetPhysicalDeviceProperties(device, &properties);
    ranked.emplace_back(rank_of(properties.deviceType), device);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string refusals;
  for (const auto& [rank, device] : ranked) {
    try {
      return take_physical_device(options, device);
    } catch (const GraphicsError& refusal) {
      refusals += std::string("; ") + properties_.deviceName + ": " + refusal.what();
    }
  }
  throw GraphicsError(NOTHING_DRAWS + (ranked.empty() ? NO_DRIVER : refusals));
}

void Graphics::take_physical_device(const GraphicsOptions& options, VkPhysicalDevice device) {
  physical_device_ = device;
  functions_.GetPhysicalDeviceProperties(device, &properties_);
  if (std::string(properties_.deviceName).find(options.device_name) == std::string::npos)
    throw GraphicsError("it is not the device '" + options.device_name + "'");
  if (options.hardware_only && !is_hardware()) throw GraphicsError("it is a program on the processor");
  if (properties_.apiVersion < VK_API_VERSION_1_1) throw GraphicsError("its driver is older than Vulkan 1.1");
  for (const std::string& name : options.device_extensions)
    if (!has_device_extension(name)) throw GraphicsError("it lacks the extension " + name);

  uint32_t count = 0;
  functions_.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  functions_.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  for (queue_family_ = 0; queue_family_ < count; ++queue_family_) {
    if ((families[queue_family_].queueFlags & wanted) != wanted) continue;
    if (!options.can_present || options.can_present(instance_, device, queue_family_)) break;
  }
  if (queue_family_ == count)
    throw GraphicsError(options.can_present ? "it has no queue that can draw and present to the window"
                                            : "it has no queue that can draw and compute");

  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &timeline;
  functions_.GetPhysicalDeviceFeatures2(device, &features);
  if (!timeline.timelineSemaphore) throw GraphicsError("it has no timeline semaphores");

  extensions_ = options.device_extensions;
  if (properties_.apiVersion < VK_API_VERSION_1_2) extensions_.push_back(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
  if (!options.wanted_extensions) return;
  for (const std::string& name : options.wanted_extensions(*this)) {
    const bool is_known = std::find(extensions_.begin(), extensions_.end(), name) != extensions_.end();
    if (!is_known && has_device_extension(name)) extensions_.push_back(name);
  }
}

bool Graphics::has_device_extension(const std::string& name) const {
  uint32_t count = 0;
  functions_.EnumerateDeviceExtensionProperties(physical_device_, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  functions_.EnumerateDeviceExtensionProperties(physical_device_, nullptr, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const VkExtensionProperties& extension) { return name == extension.extensionName; });
}

void Graphics::create_device() {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = queue_family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.timelineSemaphore = VK_TRUE;
  const std::vector<const char*> names = pointers_to(extensions_);
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &timeline;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(names.size());
  info.ppEnabledExtensionNames = names.data();
  check(functions_.CreateDevice(physical_device_, &info, nullptr, &device_), "vkCreateDevice");
  functions_.load_device(device_);
  functions_.GetDeviceQueue(device_, queue_family_, 0, &queue_);
}

void Graphics::submit(const VkSubmitInfo& info, VkFence fence) const {
  const std::lock_guard<std::mutex> lock(queue_mutex_);
  check(functions_.QueueSubmit(queue_, 1, &info, fence), "vkQueueSubmit");
}

void Graphics::wait_idle() const {
  const std::lock_guard<std::mutex> lock(queue_mutex_);
  check(functions_.QueueWaitIdle(queue_), "vkQueueWaitIdle");
}

}  // namespace clothc_renderer
