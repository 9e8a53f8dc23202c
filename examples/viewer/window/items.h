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

  // Names the last item, unless the panel is scrolled so that its middle cannot be seen.
  void mark(const std::string& name) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImVec2 first = ImGui::GetWindowDrawList()->GetClipRectMin(),
                 last = ImGui::GetWindowDrawList()->GetClipRectMax();
    const ImVec2 middle = {(low.x + high.x) / 2, (low.y + high.y) / 2};
    if (middle.x >= first.x && middle.y >= first.y && middle.x < last.x && middle.y < last.y)
      rectangles_[name] = {low, high};
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
