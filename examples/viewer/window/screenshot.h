// screenshot.h - copies an image of the swapchain before it is shown, and writes it to a PNG file.
#pragma once

#include <string>

#include "render/frames.h"
#include "window/swapchain.h"

namespace clothc_viewer {

class Screenshot {
 public:
  // Records the copy behind what draws the image.
  Screenshot(const clothc_renderer::Graphics& graphics, const Swapchain& swapchain, const Swapchain::Image& image,
             VkCommandBuffer commands);

  // Call it when the device has run the commands. Throws clothc_tool::InputError if the file cannot be written.
  void write(const std::string& path) const;

 private:
  VkExtent2D extent_;
  VkFormat format_;
  clothc_renderer::DeviceBuffer pixels_;
};

}  // namespace clothc_viewer
