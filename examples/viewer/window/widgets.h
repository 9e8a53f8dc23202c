// widgets.h - small pieces of the user interface that several panels have.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

#include "window/style.h"

namespace clothc_viewer {

// Text that is broken into lines, in dim colour.
void draw_note(const std::string& text);

// A row of a table of two columns.
void draw_row(const char* name, const std::string& value);

// Explains the last item while the mouse is on it.
void explain(const std::string& text);

// Begins such a table. Returns false if it cannot be seen; end it with ImGui::EndTable() otherwise.
bool begin_rows(const char* id);

// A heading inside a panel.
void draw_heading(const char* text);

std::string formatted(const char* format, double value);

// A number of bytes with its unit.
std::string bytes_text(uint64_t bytes);

ImU32 packed(const ImVec4& colour, float opacity = 1);

// An arrow of the given colour.
void draw_arrow(ImDrawList& list, ImVec2 from, ImVec2 to, const ImVec4& colour);

enum class Icon { play, pause, step, reset, sidebar };

// A square button with an icon. Returns whether it was pressed.
bool draw_icon_button(const char* id, Icon icon, const char* explanation, bool is_enabled = true);

}  // namespace clothc_viewer
