// adoption.h - devices of clothc for the viewer: one that adopts the renderer's device and queue, or one of its own.
#pragma once

#include <clothc_vulkan.hpp>

#include "cli/device_options.h"
#include "render/graphics.h"

namespace clothc_viewer {

using clothc_tool::DeviceOptions;

// For GraphicsOptions::wanted_extensions: what clothc needs of a device that it adopts, and what it can use besides.
// Throws clothc_renderer::GraphicsError if it cannot use the physical device.
std::vector<std::string> extensions_for_clothc(const clothc_renderer::Graphics& graphics);

// Makes a device on the renderer's, which must outlive it. Throws clothc::Error.
clothc::Device adopt(const clothc_renderer::Graphics& graphics);

// A device that writes positions where the renderer reads them, or into memory of the host.
struct ViewerDevice {
  clothc::Device device;
  bool is_adopted = false;
};

// Makes the device that the options select: backends vulkan and auto adopt the renderer's device, cpu and cuda are
// devices of their own. Throws clothc::Error and clothc_tool::InputError.
ViewerDevice make_device(const clothc_renderer::Graphics& graphics, const DeviceOptions& options);

}  // namespace clothc_viewer
