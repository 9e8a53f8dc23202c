// ui.cpp - see ui.h.
#include "window/ui.h"

#include <imgui.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_vulkan.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "window/style.h"

namespace clothc_viewer {
namespace {

void check_result(VkResult result) {
  if (result != VK_SUCCESS) clothc_renderer::check(result, "a call of Dear ImGui to Vulkan");
}

}  // namespace

Ui::Ui(GlfwWindow& window, const clothc_renderer::Graphics& graphics, const clothc_renderer::Renderer& renderer,
       float scale)
    : window_(window), graphics_(graphics), descriptor_pool_(graphics, make_descriptor_pool()) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  // The window begins the same way each time, and leaves no file behind.
  ImGui::GetIO().IniFilename = nullptr;
  set_style(scale);
  ImGui_ImplGlfw_InitForVulkan(window.get(), true);
  ImGui_ImplVulkan_InitInfo info{};
  info.Instance = graphics.instance();
  info.PhysicalDevice = graphics.physical_device();
  info.Device = graphics.device();
  info.QueueFamily = graphics.queue_family();
  info.Queue = graphics.queue();
  info.DescriptorPool = descriptor_pool_;
  // It has a set of vertex buffers for each frame in flight.
  info.MinImageCount = info.ImageCount = clothc_renderer::Frames::IN_FLIGHT + 1;
  info.CheckVkResultFn = check_result;
  ImGui_ImplVulkan_Init(&info, renderer.overlay_pass());
}

Ui::~Ui() {
  graphics_.wait_idle();
  ImGui_ImplVulkan_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

VkDescriptorPool Ui::make_descriptor_pool() const {
  // Only the texture with the letters.
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
  info.maxSets = 1;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  clothc_renderer::check(graphics_.functions().CreateDescriptorPool(graphics_.device(), &info, nullptr, &pool),
                         "vkCreateDescriptorPool");
  return pool;
}

// Dear ImGui 1.86 sees the state of keys in each frame, and so misses a key that is pressed and released between two
// frames. Such a key stays down for one frame.
void Ui::show_quick_keys() {
  ImGuiIO& io = ImGui::GetIO();
  bool* const down = io.KeysDown;
  for (const int key : pressed_keys_) down[key] = window_.is_key_down(key);
  pressed_keys_ = window_.take_pressed_keys();
  for (const int key : pressed_keys_) down[key] = true;
  io.KeyCtrl = down[GLFW_KEY_LEFT_CONTROL] || down[GLFW_KEY_RIGHT_CONTROL];
  io.KeyShift = down[GLFW_KEY_LEFT_SHIFT] || down[GLFW_KEY_RIGHT_SHIFT];
}

void Ui::begin_frame(const std::function<void()>& change_input) {
  ImGui_ImplVulkan_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  show_quick_keys();
  if (change_input) change_input();
  ImGui::NewFrame();
}

void Ui::end_frame() { ImGui::Render(); }

void Ui::upload_letters(clothc_renderer::Frames& frames) const {
  ImGui_ImplVulkan_CreateFontsTexture(frames.begin().commands());
  frames.submit();
  frames.wait();
  ImGui_ImplVulkan_DestroyFontUploadObjects();
}

void Ui::draw(VkCommandBuffer commands) const { ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands); }

}  // namespace clothc_viewer
