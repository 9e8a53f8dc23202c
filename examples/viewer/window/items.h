// items.h - where buttons, sliders and panels are in the current frame, by name, so that scripts find them.
#pragma once

#include <imgui.h>

#include <map>
#include <string>

namespace clothc_viewer {

struct ItemRectangle {
  ImVec2 low, high;
};

class Items {
 public:
  void begin_frame() { rectangles_.clear(); }

  // Names the last item, if it can be seen.
  void mark(const std::string& name) {
    if (ImGui::IsItemVisible()) rectangles_[name] = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  }

  // Names the current panel.
  void mark_window(const std::string& name) {
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    rectangles_[name] = {low, {low.x + size.x, low.y + size.y}};
  }

  const std::map<std::string, ItemRectangle>& rectangles() const { return rectangles_; }

 private:
  std::map<std::string, ItemRectangle> rectangles_;
};

}  // namespace clothc_viewer
