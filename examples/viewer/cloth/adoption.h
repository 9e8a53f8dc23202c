// adoption.h - devices of clothc for the viewer: one that adopts the renderer's device and queue, or one of its own.
#pragma once

#include <clothc_vulkan.hpp>
#include <string>
#include <vector>

#include "cli/device_options.h"
#include "render/graphics.h"

namespace clothc_viewer {

using clothc_tool::DeviceOptions;

// For GraphicsOptions::wanted_extensions: what clothc needs of a device that it adopts, and what it can use besides.
// Throws clothc_renderer::GraphicsError if it cannot use the physical device.
std::vector<std::string> extensions_for_clothc(const clothc_renderer::Graphics& graphics);

// Makes a device on the renderer's, which must outlive it. Throws clothc::Error.
clothc::Device adopt(const clothc_renderer::Graphics& graphics);

struct ViewerDevice {
  clothc::Device device;

  // Whether updates write straight to where the renderer reads.
  bool is_adopted = false;
};

// Tells whether the options select the renderer's device: the backend vulkan does; auto does if that device is a GPU, and
// otherwise stands for cpu, which is quicker than a GPU that the processor only imitates.
bool adopts(const clothc_renderer::Graphics& graphics, const DeviceOptions& options);

// Makes the device that the options select. Throws clothc::Error and clothc_tool::InputError.
ViewerDevice make_device(const clothc_renderer::Graphics& graphics, const DeviceOptions& options);

}  // namespace clothc_viewer
