// adoption.h - what a program gives of its own Vulkan objects (clothc_vulkan.h): checks them, and tells what they must
// have been created with.
#pragma once

#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

// All throw Failure if the objects cannot be used.
std::shared_ptr<Instance> adopted_instance(const clothc_vulkan_device_desc& objects);
Adapter adopted_adapter(const Instance& instance, const clothc_vulkan_device_desc& objects);
Adopted adopted_objects(const clothc_vulkan_device_desc& objects);

// See BackendKind::require. The structs are clothc_vulkan_device_desc and clothc_vulkan_requirements.
void require(const void* native, void* requirements);

}  // namespace clothc::vulkan
