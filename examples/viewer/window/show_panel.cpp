// show_panel.cpp - what is drawn.
#include "window/panels.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

void draw_box(Session& session, const char* label, const char* name, bool& value, const char* explanation) {
  ImGui::Checkbox(label, &value);
  session.items.mark(std::string("show.") + name);
  explain(explanation);
}

// The phases that any of the cloths has.
std::vector<std::string> phase_names(Session& session) {
  std::vector<std::string> names;
  for (const SourceCloth& cloth : session.source().cloths()) {
    const auto& phases = cloth.topology->phases;
    for (size_t i = 0; i < phases.size(); ++i) {
      if (i < names.size()) continue;
      names.push_back(phases[i].name);
    }
  }
  return names;
}

// The colours of shaders/pair_line.vert.
void draw_strain_scale(float full_strain) {
  const float width = ImGui::GetContentRegionAvail().x, height = scaled(10);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImU32 blue = packed({0.10f, 0.30f, 0.95f, 1}), grey = packed({0.80f, 0.80f, 0.80f, 1}),
              red = packed({0.95f, 0.12f, 0.08f, 1});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilledMultiColor(low, {low.x + width / 2, low.y + height}, blue, grey, grey, blue);
  list.AddRectFilledMultiColor({low.x + width / 2, low.y}, {low.x + width, low.y + height}, grey, red, red, grey);
  ImGui::Dummy({width, height});
  const std::string least = formatted("-%.3g %%", 100 * static_cast<double>(full_strain));
  const std::string most = formatted("+%.3g %%", 100 * static_cast<double>(full_strain));
  ImGui::TextUnformatted(least.c_str());
  ImGui::SameLine(width / 2 - ImGui::CalcTextSize("at rest").x / 2);
  ImGui::TextColored(palette::DIM, "at rest");
  ImGui::SameLine(width - ImGui::CalcTextSize(most.c_str()).x);
  ImGui::TextUnformatted(most.c_str());
}

void draw_strain(Session& session, Shown& shown) {
  const std::vector<std::string> names = phase_names(session);
  if (names.empty()) {
    draw_note("No cloth has constraints between pairs of particles.");
    return;
  }
  shown.phase = std::min(shown.phase, static_cast<uint32_t>(names.size() - 1));
  if (ImGui::BeginCombo("phase", names[shown.phase].c_str())) {
    for (uint32_t i = 0; i < names.size(); ++i) {
      if (ImGui::Selectable(names[i].c_str(), i == shown.phase)) shown.phase = i;
    }
    ImGui::EndCombo();
  }
  session.items.mark("show.phase");
  float percent = 100 * shown.full_strain;
  if (ImGui::SliderFloat("full colour", &percent, 0.01f, 100, "%.3g %%",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    shown.full_strain = percent / 100;
  session.items.mark("show.full_strain");
  explain("The change of length, as a part of the length at rest, whose colour is full.");
  draw_strain_scale(shown.full_strain);
}

void draw_normal_length(Session& session, Shown& shown) {
  float millimetres = 1000 * shown.normal_length;
  if (ImGui::SliderFloat("length", &millimetres, 0, 200, millimetres > 0 ? "%.3g mm" : "by triangles"))
    shown.normal_length = millimetres / 1000;
  session.items.mark("show.normal_length");
  explain("Of the lines along normals; at the left end it follows from the size of the triangles.");
}

}  // namespace

void draw_show_panel(Session& session) {
  Shown& shown = session.viewer().shown;
  draw_heading("Cloths");
  draw_box(session, "surface  (1)", "surface", shown.surface, "Triangles, lit by sun and sky.");
  draw_box(session, "wireframe  (2)", "wireframe", shown.wireframe, "The edges of triangles.");
  draw_box(session, "strain  (3)", "strain", shown.strain,
           "Constraints of a phase: red where they are longer than at rest, blue where they are shorter.");
  ImGui::PushItemWidth(ImGui::GetContentRegionAvail().x * 0.6f);
  if (shown.strain && session.is_open()) draw_strain(session, shown);
  draw_box(session, "normals  (4)", "normals", shown.normals, "A line along the normal of each vertex.");
  if (shown.normals) draw_normal_length(session, shown);
  ImGui::PopItemWidth();
  draw_heading("Around them");
  draw_box(session, "shapes  (5)", "colliders", shown.colliders,
           "The shapes that cloths collide with, exactly where they are, as lines.");
  draw_box(session, "contacts  (6)", "contacts", shown.contacts,
           "Where cloths touch colliders. Cloths report them while they are shown, and the host reads them.");
}

}  // namespace clothc_viewer
