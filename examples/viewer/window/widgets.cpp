// widgets.cpp - see widgets.h.
#include "window/widgets.h"

#include <cmath>
#include <cstdio>

namespace clothc_viewer {
namespace {

// An icon in a square around the middle, of which it fills the part that is `size` pixels away from the middle.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 middle, float size, ImU32 colour) {
  const auto at = [&](float x, float y) { return ImVec2(middle.x + x * size, middle.y + y * size); };
  switch (icon) {
    case Icon::play:
      list.AddTriangleFilled(at(-0.7f, -1), at(-0.7f, 1), at(1, 0), colour);
      break;
    case Icon::pause:
      list.AddRectFilled(at(-0.8f, -0.9f), at(-0.2f, 0.9f), colour);
      list.AddRectFilled(at(0.2f, -0.9f), at(0.8f, 0.9f), colour);
      break;
    case Icon::step:
      list.AddTriangleFilled(at(-0.9f, -0.9f), at(-0.9f, 0.9f), at(0.5f, 0), colour);
      list.AddRectFilled(at(0.5f, -0.9f), at(0.9f, 0.9f), colour);
      break;
    case Icon::reset:
      list.AddTriangleFilled(at(0.9f, -0.9f), at(0.9f, 0.9f), at(-0.5f, 0), colour);
      list.AddRectFilled(at(-0.9f, -0.9f), at(-0.5f, 0.9f), colour);
      break;
    case Icon::sidebar:
      list.AddRect(at(-1, -0.85f), at(1, 0.85f), colour, 0, 0, scaled(1.3f));
      list.AddRectFilled(at(0.25f, -0.85f), at(1, 0.85f), colour);
      break;
  }
}

}  // namespace

void draw_note(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, palette::DIM);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

bool begin_rows(const char* id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp)) return false;
  ImGui::TableSetupColumn("name", 0, 0.42f);
  ImGui::TableSetupColumn("value", 0, 0.58f);
  return true;
}

void draw_row(const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(palette::DIM, "%s", name);
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", value.c_str());
}

void explain(const std::string& text) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(scaled(340));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void draw_heading(const char* text) {
  ImGui::Dummy({0, scaled(4)});
  ImGui::TextColored(palette::ACCENT, "%s", text);
  ImGui::Separator();
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string bytes_text(uint64_t bytes) {
  const auto count = static_cast<double>(bytes);
  if (bytes < 10000) return formatted("%.0f bytes", count);
  return bytes < 10000000 ? formatted("%.1f KB", count / 1e3) : formatted("%.1f MB", count / 1e6);
}

ImU32 packed(const ImVec4& colour, float opacity) {
  return ImGui::ColorConvertFloat4ToU32({colour.x, colour.y, colour.z, colour.w * opacity});
}

void draw_arrow(ImDrawList& list, ImVec2 from, ImVec2 to, const ImVec4& colour) {
  const ImVec2 along = {to.x - from.x, to.y - from.y};
  const float length = std::hypot(along.x, along.y);
  if (length < 1) return;
  const ImVec2 unit = {along.x / length, along.y / length};
  const float head = std::min(scaled(14), length), width = scaled(3);
  const ImVec2 neck = {to.x - unit.x * head, to.y - unit.y * head};
  // A dark edge sets it off from bright pictures.
  list.AddLine(from, neck, packed({0, 0, 0, 0.45f}), width + scaled(2));
  list.AddLine(from, neck, packed(colour), width);
  list.AddTriangleFilled(to, {neck.x - unit.y * head * 0.5f, neck.y + unit.x * head * 0.5f},
                         {neck.x + unit.y * head * 0.5f, neck.y - unit.x * head * 0.5f}, packed(colour));
}

bool draw_icon_button(const char* id, Icon icon, const char* explanation, bool is_enabled) {
  const float side = ImGui::GetFrameHeight();
  ImGui::BeginDisabled(!is_enabled);
  const bool is_pressed = ImGui::Button(id, {side * 1.25f, side});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  draw_icon(*ImGui::GetWindowDrawList(), icon, {(low.x + high.x) / 2, (low.y + high.y) / 2}, side * 0.26f,
            ImGui::GetColorU32(ImGuiCol_Text));
  ImGui::EndDisabled();
  explain(explanation);
  return is_pressed;
}

}  // namespace clothc_viewer
