// report.cpp - see report.h.
#include "window/report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/device_options.h"
#include "cli/errors.h"
#include "cloth/vertices.h"
#include "window/parameters.h"

namespace clothc_viewer {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(glm::vec3 v) { return {v.x, v.y, v.z}; }
ordered_json json_of(ImVec2 low, ImVec2 high) { return {low.x, low.y, high.x, high.y}; }

ordered_json json_of(const std::optional<double>& time) { return time ? ordered_json(*time) : ordered_json(); }

ordered_json items_json(const Items& items) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, rectangle] : items.rectangles()) json[name] = json_of(rectangle.low, rectangle.high);
  return json;
}

ordered_json parameters_json(Session& session) {
  ordered_json json = ordered_json::object();
  const auto& cloths = session.source().cloths();
  if (cloths.empty()) return json;
  clothc_cloth_parameters values = cloths.at(session.selected_cloth).cloth.parameters().value();
  for (const Parameter& parameter : all_parameters()) {
    const float* const floats = parameter.floats(values);
    if (!parameter.is_float()) {
      json[parameter.info.name] = parameter.number(values);
    } else if (parameter.component_count == 1) {
      json[parameter.info.name] = *floats;
    } else {
      json[parameter.info.name] = {floats[0], floats[1], floats[2]};
    }
  }
  return json;
}

ordered_json enumerators_json() {
  ordered_json json = ordered_json::object();
  for (const Parameter& parameter : all_parameters()) {
    for (const Enumerator& enumerator : parameter.enumerators) json[parameter.info.name].push_back(enumerator.name);
  }
  return json;
}

ordered_json shown_json(const Shown& shown) {
  return {{"surface", shown.surface}, {"wireframe", shown.wireframe},    {"strain", shown.strain},
          {"normals", shown.normals}, {"contacts", shown.contacts},      {"colliders", shown.colliders},
          {"phase", shown.phase},     {"full_strain", shown.full_strain}};
}

ordered_json pulled_json(Session& session) {
  const auto pulled = session.viewer().pulled();
  if (!pulled) return nullptr;
  const PickedParticle& picked = pulled->particle;
  return {{"cloth", picked.cloth}, {"particle", picked.particle}, {"wanted", json_of(pulled->wanted)}};
}

ordered_json times_json(const DrawnFrame& mean) {
  return {{"frame", mean.interval},
          {"simulate_host", mean.times.simulate_host},
          {"simulate_device", json_of(mean.times.simulate_device)},
          {"draw_host", mean.times.draw_host},
          {"draw_device", json_of(mean.times.draw_device)}};
}

void print(const ordered_json& json) {
  std::printf("%s\n", json.dump(-1, ' ', false, ordered_json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

}  // namespace

void print_particle(Session& session, size_t cloth, size_t particle) {
  const auto& cloths = session.source().cloths();
  if (cloth >= cloths.size() || particle >= cloths[cloth].info.particle_count)
    throw clothc_tool::InputError("there is no particle " + std::to_string(particle) + " of cloth " +
                                  std::to_string(cloth));
  const auto positions =
      cloths[cloth]
          .cloth.read<glm::vec4>(session.source().device(), CLOTHC_CHANNEL_POSITION, CLOTHC_FORMAT_FLOAT4)
          .value();
  const glm::vec3 position = world_of(cloths[cloth].cloth) * glm::vec4(glm::vec3(positions[particle]), 1);
  ImVec2 pixel = {-1, -1};
  session.view.project(session.orbit, position, pixel);
  print({{"position", json_of(position)}, {"pixel", {pixel.x, pixel.y}}});
}

void print_report(Session& session) {
  const View& view = session.view;
  const clothc_renderer::Camera camera = session.orbit.camera();
  ordered_json json = {{"file", session.path()},
                       {"message", session.message()},
                       {"playing", session.playback.is_playing},
                       {"camera", {{"eye", json_of(camera.eye)}, {"target", json_of(camera.target)}}},
                       {"window", {view.window().x, view.window().y}},
                       {"free", json_of(view.low(), view.high())},
                       {"panel", PANEL_NAMES[static_cast<size_t>(session.panel)]},
                       {"items", items_json(session.items)},
                       {"enumerators", enumerators_json()},
                       {"wind", json_of(session.steady_wind() + session.gust())},
                       {"shown", shown_json(session.viewer().shown)},
                       {"times", times_json(session.times.mean_frame())},
                       {"stages", session.times.updates().size()},
                       {"host_copied_bytes", session.viewer().host_copied_bytes()}};
  json["adopted"] = session.viewer().is_adopted();
  json["hash"] = session.hash() ? ordered_json(clothc_tool::hash_text(session.hash()->value)) : ordered_json();
  if (session.is_open()) {
    json["frame"] = session.source().frame();
    json["parameters"] = parameters_json(session);
    json["pulled"] = pulled_json(session);
  }
  print(json);
}

}  // namespace clothc_viewer
