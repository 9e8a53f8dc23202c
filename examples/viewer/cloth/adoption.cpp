// adoption.cpp - see adoption.h.
#include "cloth/adoption.h"

#include <sstream>

namespace clothc_viewer {
namespace {

using clothc_renderer::Graphics;
using clothc_renderer::GraphicsError;

void CLOTHC_CALL lock_queue(void* user) { static_cast<const Graphics*>(user)->queue_mutex().lock(); }
void CLOTHC_CALL unlock_queue(void* user) { static_cast<const Graphics*>(user)->queue_mutex().unlock(); }

// What clothc must know of the instance and the physical device.
clothc_vulkan_device_desc instance_of(const Graphics& graphics) {
  auto desc = clothc::initialised<clothc_vulkan_device_desc>();
  desc.api_version = Graphics::API_VERSION;
  desc.get_instance_proc_addr = reinterpret_cast<clothc_vulkan_function>(graphics.functions().GetInstanceProcAddr);
  desc.instance = graphics.instance();
  desc.physical_device = graphics.physical_device();
  return desc;
}

}  // namespace

std::vector<std::string> extensions_for_clothc(const Graphics& graphics) {
  const auto requirements = clothc::vulkan_requirements(instance_of(graphics));
  if (!requirements) throw GraphicsError(std::string("clothc cannot use it: ") + requirements.status().message());
  std::istringstream names(std::string(requirements->required_extensions) + " " + requirements->optional_extensions);
  std::vector<std::string> extensions;
  for (std::string name; names >> name;) extensions.push_back(name);
  return extensions;
}

clothc::Device adopt(const Graphics& graphics) {
  clothc_vulkan_device_desc desc = instance_of(graphics);
  desc.device = graphics.device();
  desc.queue = graphics.queue();
  desc.queue_family = graphics.queue_family();
  std::string extensions;
  for (const std::string& name : graphics.extensions()) extensions += name + " ";
  desc.extensions = extensions.c_str();
  desc.lock_queue = lock_queue;
  desc.unlock_queue = unlock_queue;
  desc.queue_user = const_cast<Graphics*>(&graphics);
  return clothc::create_vulkan_device(desc).value();
}

bool adopts(const Graphics& graphics, const DeviceOptions& options) {
  return options.backend == "vulkan" || (options.backend == "auto" && graphics.is_hardware());
}

ViewerDevice make_device(const Graphics& graphics, const DeviceOptions& options) {
  if (adopts(graphics, options)) return {adopt(graphics), true};
  DeviceOptions own = options;
  if (own.backend == "auto") own.backend = "cpu";
  return {clothc_tool::create_device(own), false};
}

}  // namespace clothc_viewer
