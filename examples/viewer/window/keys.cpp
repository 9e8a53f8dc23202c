// keys.cpp - see keys.h. Dear ImGui 1.86 numbers keys as GLFW does.
#include "window/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace clothc_viewer {
namespace {

bool is_pressed(int key, bool repeats = false) { return ImGui::IsKeyPressed(key, repeats); }

void switch_shown(Shown& shown) {
  bool* const switches[] = {&shown.surface, &shown.wireframe, &shown.strain,
                            &shown.normals, &shown.colliders, &shown.contacts};
  for (int i = 0; i < 6; ++i) {
    if (is_pressed(GLFW_KEY_1 + i)) *switches[i] = !*switches[i];
  }
}

}  // namespace

bool is_wind_key_down() { return !ImGui::GetIO().WantTextInput && ImGui::IsKeyDown(GLFW_KEY_W); }

bool handle_keys(Session& session) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput) return false;
  if (io.KeyCtrl) return is_pressed(GLFW_KEY_Q);
  if (is_pressed(GLFW_KEY_SPACE)) session.toggle_play();
  // Held down, these keys make one update after the other.
  if (is_pressed(GLFW_KEY_PERIOD, true) || is_pressed(GLFW_KEY_RIGHT, true)) session.step_once();
  if (is_pressed(GLFW_KEY_R)) session.reset();
  if (is_pressed(GLFW_KEY_F)) session.frame_everything();
  if (is_pressed(GLFW_KEY_P)) session.shows_sidebar = !session.shows_sidebar;
  if (is_pressed(GLFW_KEY_ESCAPE)) session.dismiss_message();
  switch_shown(session.viewer().shown);
  return false;
}

}  // namespace clothc_viewer
