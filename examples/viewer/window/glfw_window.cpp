// glfw_window.cpp - see glfw_window.h. Callbacks are set before those of Dear ImGui, which calls them in turn.
#include "window/glfw_window.h"

#include <algorithm>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace clothc_viewer {
namespace {

using clothc_renderer::GraphicsError;

std::string glfw_message() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "GLFW does not say why";
}

}  // namespace

GlfwWindow::GlfwWindow(const std::string& title, uint32_t width, uint32_t height) {
  if (!glfwInit()) {
    throw GraphicsError("there is no display for a window (" + glfw_message() +
                        "); set DISPLAY, run it under xvfb-run, or draw to a file with --png");
  }
  if (!glfwVulkanSupported()) {
    glfwTerminate();
    throw GraphicsError(
        "GLFW finds no Vulkan that can draw to a window; install libvulkan1 and a driver, such as "
        "mesa-vulkan-drivers");
  }
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  window_ = glfwCreateWindow(static_cast<int>(width), static_cast<int>(height), title.c_str(), nullptr, nullptr);
  if (!window_) {
    const std::string message = glfw_message();
    glfwTerminate();
    throw GraphicsError("no window can be opened: " + message);
  }
  glfwSetWindowSizeLimits(window_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowUserPointer(window_, this);

  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    of(window).dropped_.insert(of(window).dropped_.end(), paths, paths + count);
    of(window).has_activity_ = true;
  });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int) {
    if (action == GLFW_PRESS && key != GLFW_KEY_UNKNOWN) of(window).pressed_keys_.push_back(key);
    of(window).has_activity_ = true;
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned) { of(window).has_activity_ = true; });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double) { of(window).has_activity_ = true; });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int, int, int) { of(window).has_activity_ = true; });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double, double) { of(window).has_activity_ = true; });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { of(window).has_activity_ = true; });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { of(window).has_activity_ = true; });
}

GlfwWindow& GlfwWindow::of(GLFWwindow* window) { return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window)); }

GlfwWindow::~GlfwWindow() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void GlfwWindow::add_requirements(clothc_renderer::GraphicsOptions& options) const {
  uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  if (!names) throw GraphicsError("Vulkan has no extensions for windows of this system: " + glfw_message());
  options.instance_extensions.assign(names, names + count);
  options.device_extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
  options.can_present = [](VkInstance instance, VkPhysicalDevice device, uint32_t family) {
    return glfwGetPhysicalDevicePresentationSupport(instance, device, family) == GLFW_TRUE;
  };
}

VkSurfaceKHR GlfwWindow::make_surface(const clothc_renderer::Graphics& graphics) const {
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  clothc_renderer::check(glfwCreateWindowSurface(graphics.instance(), window_, nullptr, &surface),
                         "glfwCreateWindowSurface");
  return surface;
}

PixelSize GlfwWindow::size() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return {};
  return {static_cast<uint32_t>(std::max(width, 0)), static_cast<uint32_t>(std::max(height, 0))};
}

void GlfwWindow::resize(uint32_t width, uint32_t height) {
  glfwSetWindowSize(window_, static_cast<int>(width), static_cast<int>(height));
}

float GlfwWindow::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 0.5f, 4.0f);
}

void GlfwWindow::set_title(const std::string& title) {
  if (title != title_) glfwSetWindowTitle(window_, title.c_str());
  title_ = title;
}

bool GlfwWindow::is_closed() const { return glfwWindowShouldClose(window_) != 0; }

void GlfwWindow::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

void GlfwWindow::handle_events(double seconds) {
  if (seconds > 0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
}

bool GlfwWindow::take_activity() { return std::exchange(has_activity_, false); }

std::vector<int> GlfwWindow::take_pressed_keys() { return std::exchange(pressed_keys_, {}); }

bool GlfwWindow::is_key_down(int key) const { return glfwGetKey(window_, key) == GLFW_PRESS; }

std::vector<std::string> GlfwWindow::take_dropped_files() { return std::exchange(dropped_, {}); }

}  // namespace clothc_viewer
