// canvas.cpp - what is drawn over the picture: arrows of winds, the line to the pulled particle, messages, and what the
// user waits for.
#include "window/panels.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

// Where the text must be legible over any picture.
void draw_label(ImDrawList& list, ImVec2 at, const std::string& text, const ImVec4& colour) {
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float margin = scaled(5);
  list.AddRectFilled({at.x - margin, at.y - margin}, {at.x + size.x + margin, at.y + size.y + margin},
                     packed(palette::PANEL, 0.85f), scaled(3));
  list.AddText(at, packed(colour), text.c_str());
}

void draw_pull(Session& session, ImDrawList& list) {
  const auto pulled = session.viewer().pulled();
  if (!pulled) return;
  ImVec2 particle, target;
  if (!session.view.project(session.orbit, pulled->target, particle)) return;
  if (!session.view.project(session.orbit, pulled->wanted, target)) return;
  list.AddLine(particle, target, packed({0, 0, 0, 0.5f}), scaled(4));
  list.AddLine(particle, target, packed(palette::PULL), scaled(2));
  list.AddCircleFilled(target, scaled(5), packed(palette::PULL));
  list.AddCircle(target, scaled(6), packed({0, 0, 0, 0.6f}), 0, scaled(1.5f));
}

std::string speed_text(glm::vec3 wind) { return formatted("wind %.1f m/s", static_cast<double>(glm::length(wind))); }

// The gust from where the mouse was pressed to where it is.
void draw_gust(Session& session, ImDrawList& list) {
  if (session.gust() == glm::vec3(0)) return;
  const ImVec2 from = ImGui::GetIO().MouseClickedPos[0], to = ImGui::GetIO().MousePos;
  draw_arrow(list, from, to, palette::WIND);
  draw_label(list, {to.x + scaled(16), to.y - scaled(8)}, speed_text(session.gust()), palette::WIND);
}

// The steady wind at the lower left, as it blows in the picture.
void draw_steady_wind(Session& session, ImDrawList& list) {
  const glm::vec3 wind = session.steady_wind();
  if (wind == glm::vec3(0)) return;
  const clothc_renderer::Camera camera = session.view.camera(session.orbit);
  const glm::vec3 unit = glm::normalize(wind);
  const float length = scaled(36);
  const ImVec2 along = {glm::dot(unit, camera.right()) * length, -glm::dot(unit, camera.up()) * length};
  const ImVec2 middle = {session.view.low().x + scaled(56), session.view.high().y - scaled(76)};
  list.AddCircleFilled(middle, scaled(42), packed(palette::PANEL, 0.55f));
  draw_arrow(list, {middle.x - along.x, middle.y - along.y}, {middle.x + along.x, middle.y + along.y}, palette::WIND);
  const std::string text = speed_text(wind);
  draw_label(list, {session.view.low().x + scaled(16), session.view.high().y - scaled(28)}, text, palette::WIND);
}

// What the user waits for; empty = nothing.
std::string waiting_text(const Session& session) {
  if (const auto& preparation = session.preparation())
    return "compiling shaders: " + std::to_string(preparation->done) + " of " + std::to_string(preparation->total);
  return session.requested().empty() ? "" : "opening " + session.requested() + " ...";
}

void draw_waiting(Session& session, ImDrawList& list) {
  const std::string text = waiting_text(session);
  if (text.empty()) return;
  const ImVec2 size = ImGui::CalcTextSize(text.c_str()), free = session.view.free_size();
  draw_label(list,
             {session.view.low().x + std::max(scaled(10), (free.x - size.x) / 2),
              session.view.low().y + (free.y - size.y) / 2},
             text, palette::TEXT);
}

// At the lower end of the free part, as wide as it is.
void draw_message(Session& session) {
  if (session.message().empty()) return;
  const float margin = scaled(12);
  const ImVec2 low = session.view.low(), high = session.view.high();
  ImGui::SetNextWindowPos({low.x + margin, high.y - margin}, 0, {0, 1});
  ImGui::SetNextWindowSize({high.x - low.x - 2 * margin, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, palette::ALERT);
  ImGui::Begin("message", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_AlwaysAutoResize);
  session.items.mark_window("message");
  ImGui::TextWrapped("%s", session.message().c_str());
  if (ImGui::Button("Dismiss")) session.dismiss_message();
  session.items.mark("dismiss");
  ImGui::End();
  ImGui::PopStyleColor();
}

}  // namespace

void draw_canvas(Session& session) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  draw_steady_wind(session, list);
  draw_gust(session, list);
  draw_pull(session, list);
  draw_waiting(session, list);
  draw_message(session);
}

}  // namespace clothc_viewer
