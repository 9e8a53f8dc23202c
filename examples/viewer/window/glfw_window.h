// glfw_window.h - the window of the operating system: its size and scale, the files that are dropped on it, and what it
// wants of Vulkan.
// Invariant: there is one at a time, and the main thread makes all calls, as GLFW demands.
#pragma once

#include <string>
#include <vector>

#include "render/graphics.h"

struct GLFWwindow;

namespace clothc_viewer {

// Pixels.
struct PixelSize {
  uint32_t width = 0, height = 0;

  bool is_empty() const { return width == 0 || height == 0; }
};

class GlfwWindow {
 public:
  // Throws clothc_renderer::GraphicsError if there is no display.
  GlfwWindow(const std::string& title, uint32_t width, uint32_t height);
  ~GlfwWindow();
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  GLFWwindow* get() const { return window_; }

  // Sets the extensions for a window, and how a queue family is found that presents to it.
  void add_requirements(clothc_renderer::GraphicsOptions& options) const;

  VkSurfaceKHR make_surface(const clothc_renderer::Graphics& graphics) const;

  // Empty while the window is minimised.
  PixelSize size() const;

  // In screen coordinates.
  void resize(uint32_t width, uint32_t height);

  // How much larger than usual texts are drawn: 1, or 2 on a screen of high density.
  float content_scale() const;

  void set_title(const std::string& title);

  bool is_closed() const;
  void close();

  // Handles what has happened since the last call. If nothing has, it waits for up to this many seconds.
  void handle_events(double seconds);

  // Whether handle_events() has seen anything but the end of its time since the last call of this function.
  bool take_activity();

  // The keys, as GLFW numbers them, that were pressed since the last call, also if they were released already.
  std::vector<int> take_pressed_keys();
  bool is_key_down(int key) const;

  // The files that were dropped since the last call.
  std::vector<std::string> take_dropped_files();

 private:
  static GlfwWindow& of(GLFWwindow* window);

  GLFWwindow* window_ = nullptr;
  std::string title_;
  std::vector<std::string> dropped_;
  std::vector<int> pressed_keys_;
  bool has_activity_ = true;
};

}  // namespace clothc_viewer
