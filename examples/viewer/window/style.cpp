// style.cpp - see style.h.
#include "window/style.h"

#include <cmath>
#include <filesystem>

namespace clothc_viewer {
namespace {

// Of text, in pixels of a screen of usual density.
constexpr float TEXT_SIZE = 15;

// Where the systems have a typeface with the letters of units, such as m/s².
constexpr const char* TYPEFACES[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "C:/Windows/Fonts/segoeui.ttf",
};

float current_scale = 1;

void set_letters(float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (const char* path : TYPEFACES) {
    std::error_code error;
    if (std::filesystem::exists(path, error) && atlas.AddFontFromFileTTF(path, std::round(TEXT_SIZE * scale))) return;
  }
  // The letters that Dear ImGui brings are bitmaps of 13 pixels.
  ImFontConfig config;
  config.SizePixels = std::round(13 * scale);
  atlas.AddFontDefault(&config);
}

ImVec4 mixed(const ImVec4& a, const ImVec4& b, float part) {
  return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, a.z + (b.z - a.z) * part, a.w + (b.w - a.w) * part};
}

void set_colours(ImVec4* colours) {
  using namespace palette;
  const ImVec4 none = {0, 0, 0, 0}, line = {1, 1, 1, 0.16f};
  colours[ImGuiCol_Text] = TEXT;
  colours[ImGuiCol_TextDisabled] = DIM;
  colours[ImGuiCol_WindowBg] = PANEL;
  colours[ImGuiCol_ChildBg] = none;
  colours[ImGuiCol_PopupBg] = {0.14f, 0.15f, 0.18f, 0.99f};
  colours[ImGuiCol_Border] = line;
  colours[ImGuiCol_FrameBg] = FIELD;
  colours[ImGuiCol_FrameBgHovered] = mixed(FIELD, ACCENT, 0.25f);
  colours[ImGuiCol_FrameBgActive] = mixed(FIELD, ACCENT, 0.4f);
  colours[ImGuiCol_ScrollbarBg] = none;
  colours[ImGuiCol_CheckMark] = ACCENT;
  // The value is written over it.
  colours[ImGuiCol_SliderGrab] = mixed(FIELD, ACCENT, 0.75f);
  colours[ImGuiCol_SliderGrabActive] = mixed(ACCENT, TEXT, 0.3f);
  colours[ImGuiCol_Button] = FIELD;
  colours[ImGuiCol_ButtonHovered] = mixed(FIELD, ACCENT, 0.45f);
  colours[ImGuiCol_ButtonActive] = mixed(FIELD, ACCENT, 0.7f);
  colours[ImGuiCol_Header] = mixed(FIELD, ACCENT, 0.4f);
  colours[ImGuiCol_HeaderHovered] = mixed(FIELD, ACCENT, 0.55f);
  colours[ImGuiCol_HeaderActive] = mixed(FIELD, ACCENT, 0.7f);
  colours[ImGuiCol_Separator] = line;
  colours[ImGuiCol_Tab] = none;
  colours[ImGuiCol_TabHovered] = mixed(FIELD, ACCENT, 0.55f);
  colours[ImGuiCol_TabActive] = mixed(FIELD, ACCENT, 0.4f);
  colours[ImGuiCol_TableHeaderBg] = FIELD;
  colours[ImGuiCol_TableRowBgAlt] = {1, 1, 1, 0.03f};
}

}  // namespace

void set_style(float scale) {
  current_scale = scale;
  set_letters(scale);
  ImGuiStyle& style = ImGui::GetStyle();
  set_colours(style.Colors);
  style.WindowRounding = 0;
  style.WindowBorderSize = 0;
  style.FrameBorderSize = 1;
  style.WindowPadding = {10, 10};
  style.FrameRounding = style.GrabRounding = style.PopupRounding = style.TabRounding = style.ScrollbarRounding = 3;
  style.FramePadding = {7, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {7, 4};
  style.ScrollbarSize = 12;
  style.GrabMinSize = 9;
  style.ScaleAllSizes(scale);
}

float ui_scale() { return current_scale; }

}  // namespace clothc_viewer
