// ui.h - Dear ImGui in the window: its context, its two backends, and the frame of the user interface.
// Invariant: all calls between begin_frame() and end_frame() belong to the frame; the rest of the program calls Dear ImGui
// only there.
#pragma once

#include <functional>

#include "render/frames.h"
#include "render/renderer.h"
#include "window/glfw_window.h"

namespace clothc_viewer {

class Ui {
 public:
  // scale: how much larger than usual everything is drawn. The window must outlive it, and so must the renderer, in
  // whose last pass it draws.
  Ui(GlfwWindow& window, const clothc_renderer::Graphics& graphics, const clothc_renderer::Renderer& renderer,
     float scale);

  // Waits for what is drawn.
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  // change_input: may take the place of the mouse and the keys, in ImGui::GetIO().
  void begin_frame(const std::function<void()>& change_input = {});
  void end_frame();

  // Call it once, before the first frame. It waits for the device.
  void upload_letters(clothc_renderer::Frames& frames) const;

  // Records the drawing of the frame that has ended.
  void draw(VkCommandBuffer commands) const;

 private:
  VkDescriptorPool make_descriptor_pool() const;
  void show_quick_keys();

  GlfwWindow& window_;
  const clothc_renderer::Graphics& graphics_;
  clothc_renderer::OwnedDescriptorPool descriptor_pool_;

  // Keys that were pressed before this frame.
  std::vector<int> pressed_keys_;
};

}  // namespace clothc_viewer
