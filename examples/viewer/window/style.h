// style.h - what the user interface looks like: letters, colours, distances.
#pragma once

#include <imgui.h>

namespace clothc_viewer {

// Colours with a meaning.
namespace palette {

inline const ImVec4 TEXT = {0.90f, 0.91f, 0.93f, 1};
inline const ImVec4 DIM = {0.58f, 0.61f, 0.66f, 1};
inline const ImVec4 ACCENT = {0.29f, 0.56f, 0.89f, 1};
inline const ImVec4 CHANGED = {0.98f, 0.70f, 0.30f, 1};
inline const ImVec4 ALERT = {0.55f, 0.13f, 0.13f, 0.97f};
inline const ImVec4 WIND = {0.35f, 0.85f, 0.95f, 1};
inline const ImVec4 PULL = {1.00f, 0.85f, 0.25f, 1};
inline const ImVec4 PANEL = {0.11f, 0.12f, 0.14f, 1};
inline const ImVec4 FIELD = {0.19f, 0.21f, 0.25f, 1};

}  // namespace palette

// Sets colours, distances and letters of the current context. scale: 1 for screens of usual density.
void set_style(float scale);

// The scale that was set.
float ui_scale();

// Pixels of a distance on screens of usual density.
inline float scaled(float pixels) { return pixels * ui_scale(); }

}  // namespace clothc_viewer
