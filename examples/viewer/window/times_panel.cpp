// times_panel.cpp - what the last frames took, divided into simulation and drawing, and the simulation into stages.
#include <algorithm>

#include "cli/timers.h"
#include "window/panels.h"
#include "window/stage_plot.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

std::string milliseconds_text(const std::optional<double>& time) {
  return time ? formatted("%.2f ms", *time) : "not measured";
}

void draw_swatch(ImU32 colour) {
  const float side = ImGui::GetTextLineHeight() * 0.7f;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float down = (ImGui::GetTextLineHeight() - side) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + down}, {at.x + side, at.y + down + side}, colour, scaled(2));
  ImGui::Dummy({side, side});
  ImGui::SameLine();
}

// A number at the right end of a column.
void draw_right(const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x - scaled(6);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  ImGui::TextUnformatted(text.c_str());
}

// The same for the titles of columns.
void draw_titles(const char* first, const char* second, const char* third) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (const char* title : {first, second, third}) {
    ImGui::TableNextColumn();
    if (title == first) {
      ImGui::TextUnformatted(title);
    } else {
      draw_right(title);
    }
  }
}

void draw_split_row(const char* name, const ImVec4& colour, const std::optional<double>& device, double host) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_swatch(packed(colour));
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  draw_right(milliseconds_text(device));
  ImGui::TableNextColumn();
  draw_right(milliseconds_text(host));
}

void draw_frames(Session& session) {
  const DrawnFrame mean = session.times.mean_frame();
  draw_heading("Frames");
  draw_frame_plot(session.times, scaled(84));
  if (ImGui::BeginTable("split", 3, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("", 0, 0.4f);
    ImGui::TableSetupColumn("device", 0, 0.3f);
    ImGui::TableSetupColumn("host", 0, 0.3f);
    draw_titles("", "device", "host");
    draw_split_row("simulate", SIMULATE_COLOUR, mean.times.simulate_device, mean.times.simulate_host);
    draw_split_row("draw", DRAW_COLOUR, mean.times.draw_device, mean.times.draw_host);
    ImGui::EndTable();
  }
  session.items.mark("times.split");
  if (!begin_rows("frame")) return;
  const double rate = mean.interval > 0 ? 1000 / mean.interval : 0;
  draw_row("frame", formatted("%.1f ms", mean.interval) + formatted(", %.1f per second", rate));
  draw_row("host copies", bytes_text(mean.host_copied_bytes) + " per frame");
  draw_row("device",
           session.viewer().is_adopted() ? "the renderer's, which clothc has adopted" : "one of clothc's own");
  ImGui::EndTable();
}

void draw_stage_row(const char* name, std::optional<ImU32> colour, float time, float total) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (colour) draw_swatch(*colour);
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  draw_right(formatted("%.3f", static_cast<double>(time)));
  ImGui::TableNextColumn();
  draw_right(formatted("%.1f", total > 0 ? static_cast<double>(100 * time / total) : 0.0));
}

void draw_stage_table(const UpdateTimes& mean) {
  if (!ImGui::BeginTable("stages", 3, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_RowBg)) return;
  ImGui::TableSetupColumn("stage", 0, 0.6f);
  ImGui::TableSetupColumn("ms", 0, 0.2f);
  ImGui::TableSetupColumn("%", 0, 0.2f);
  draw_titles("stage", "ms", "%");
  float rest = mean.total;
  for (uint32_t stage = 0; stage < mean.stages.size(); ++stage) {
    rest -= mean.stages[stage];
    if (mean.stages[stage] > 0)
      draw_stage_row(clothc_tool::stage_name(stage), stage_colour(stage), mean.stages[stage], mean.total);
  }
  draw_stage_row("uploads, channels, waiting", std::nullopt, std::max(rest, 0.0f), mean.total);
  draw_stage_row("update", std::nullopt, mean.total, mean.total);
  ImGui::EndTable();
}

void draw_stages(Session& session) {
  draw_heading("Stages of updates");
  if (!session.times.timers()) {
    draw_note(session.playback.is_playing ? "No times have arrived yet." : "Times arrive when updates are made.");
    return;
  }
  draw_stage_plot(session.times, scaled(110));
  session.items.mark("times.stages");
  draw_stage_table(session.times.mean_update());
  const clothc_timers& timers = *session.times.timers();
  if (!begin_rows("update")) return;
  draw_row("particles", std::to_string(timers.particle_count));
  draw_row("constraints", std::to_string(timers.constraint_count));
  draw_row("iterations", std::to_string(timers.iteration_count));
  ImGui::EndTable();
}

}  // namespace

void draw_times_panel(Session& session) {
  draw_frames(session);
  draw_stages(session);
  draw_note(
      "Times of the device are means over the last 30 frames or updates. They are measured while this panel is "
      "open, which costs a little.");
}

}  // namespace clothc_viewer
