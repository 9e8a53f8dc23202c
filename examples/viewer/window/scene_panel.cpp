// scene_panel.cpp - the list of scenes, what is open, and its state hash.
#include "cli/device_options.h"
#include "cloth/capture_source.h"
#include "window/panels.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

void draw_scene_list(Session& session) {
  draw_heading("Scenes");
  if (session.scenes.empty()) draw_note("The folder has no scenes.");
  ImGui::Indent(scaled(4));
  for (const SceneFile& file : session.scenes) {
    if (ImGui::Selectable(file.name.c_str(), session.is_path(file.path))) session.request_open(file.path);
    session.items.mark("scene." + file.name);
  }
  ImGui::Unindent(scaled(4));
  ImGui::Dummy({0, scaled(2)});
  draw_note("Scenes, meshes and captures that are dropped on the window open too.");
}

std::string device_text(Session& session) {
  auto info = clothc::initialised<clothc_device_info>();
  clothc::check(clothc_device_get_info(session.source().device(), &info));
  return std::string(info.name) + " (" + clothc_tool::backend_name(info.backend) + ")";
}

void draw_cloths(Session& session) {
  if (!ImGui::BeginTable("cloths", 3, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("cloth");
  ImGui::TableSetupColumn("particles");
  ImGui::TableSetupColumn("triangles");
  ImGui::TableHeadersRow();
  for (const SourceCloth& cloth : session.source().cloths()) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(cloth.name.c_str());
    ImGui::TableNextColumn();
    ImGui::Text("%u", cloth.info.particle_count);
    ImGui::TableNextColumn();
    ImGui::Text("%zu", cloth.topology->triangles.size() / 3);
  }
  ImGui::EndTable();
}

void draw_hash(Session& session) {
  draw_heading("State hash");
  if (ImGui::Button("Compute")) session.ask_for_hash();
  session.items.mark("hash");
  explain(
      "Waits for the device. The hash of a frame is the same on every device and machine, if nothing was pulled, "
      "blown at or changed.");
  if (!session.hash()) return;
  const std::string text = clothc_tool::hash_text(session.hash()->value);
  ImGui::SameLine();
  if (ImGui::Button("Copy")) ImGui::SetClipboardText(text.c_str());
  ImGui::Text("%s", text.c_str());
  ImGui::SameLine();
  ImGui::TextColored(palette::DIM, "at frame %u", session.hash()->frame);
}

}  // namespace

void draw_scene_panel(Session& session) {
  draw_scene_list(session);
  if (!session.is_open()) return;
  draw_heading("Open");
  if (begin_rows("open")) {
    draw_row("name", session.source().name());
    draw_row("file", session.path());
    draw_row("device", device_text(session));
    draw_row("memory", session.viewer().is_adopted() ? "shared with the renderer" : "copied to the renderer");
    if (session.capture()) {
      const std::string difference = session.capture()->difference();
      draw_row("recording", difference.empty() ? "the same so far" : difference);
    }
    draw_row("update", formatted("%.4g ms", 1000 * static_cast<double>(session.source().dt())));
    ImGui::EndTable();
  }
  draw_cloths(session);
  draw_hash(session);
}

}  // namespace clothc_viewer
