// session.cpp - see session.h.
#include "window/session.h"

#include <chrono>
#include <filesystem>

namespace clothc_viewer {

Session::Session(const clothc_renderer::Graphics& graphics, const WindowOptions& options)
    : scenes(list_scenes(options.scenes)), viewer_(graphics, options.device) {
  viewer_.shown = options.shown;
  attempt([&] {
    viewer_.prepare();
    preparation_ = viewer_.preparation();
  });
  if (!options.path.empty()) {
    request_open(options.path);
  } else if (!scenes.empty()) {
    request_open(scenes.front().path);
  } else {
    fail("there is no scene in the folder \"" + options.scenes +
         "\"; name another one with --scenes, or drop a scene, a mesh or a capture on this window");
  }
}

void Session::fail(const std::string& message) {
  message_ = message;
  playback.is_playing = false;
}

bool Session::is_path(const std::string& path) const {
  std::error_code error;
  return is_open_ && std::filesystem::equivalent(path, path_, error);
}

void Session::run_requests() {
  if (preparation_ && !attempt([&] { preparation_ = viewer_.preparation(); })) preparation_.reset();
  if (preparation_ || requested_.empty()) return;
  const std::string path = std::exchange(requested_, {});
  attempt([&] { open(path); });
}

void Session::open(const std::string& path) {
  viewer_.open(path);
  is_open_ = true;
  path_ = path;
  message_.clear();
  hash_.reset();
  times.clear();
  selected_cloth = 0;
  opened_parameters_.clear();
  opened_phases_.clear();
  note_cloths();
  steady_wind_ = gust_ = {};
  playback.restart();
  frame_everything();
}

void Session::note_cloths() {
  for (size_t i = opened_parameters_.size(); i < source().cloths().size(); ++i) {
    opened_parameters_.push_back(parameters(i));
    opened_phases_.push_back(phases(i));
  }
}

const clothc_cloth_parameters& Session::opened_parameters(size_t cloth) {
  note_cloths();
  return opened_parameters_.at(cloth);
}

const std::vector<clothc_phase_config>& Session::opened_phases(size_t cloth) {
  note_cloths();
  return opened_phases_.at(cloth);
}

clothc_cloth_parameters Session::parameters(size_t cloth) {
  if (SceneSource* const known = scene()) return known->parameters(cloth);
  return source().cloths().at(cloth).cloth.parameters().value();
}

void Session::set_parameters(size_t cloth, const clothc_cloth_parameters& parameters) {
  attempt([&] {
    if (SceneSource* const known = scene()) known->set_parameters(cloth, parameters);
  });
}

std::vector<clothc_phase_config> Session::phases(size_t cloth) {
  return source().cloths().at(cloth).cloth.phases().value();
}

void Session::set_phases(size_t cloth, const std::vector<clothc_phase_config>& configs) {
  attempt([&] {
    if (SceneSource* const known = scene()) known->set_phases(cloth, configs);
  });
}

void Session::toggle_play() {
  if (!is_open_) return;
  playback.is_playing = !playback.is_playing;
  // A capture that has ended plays again.
  if (playback.is_playing && capture() && source().frame() >= source().frame_count()) reset();
}

void Session::reset() {
  if (!is_open_) return;
  attempt([&] { viewer_.reset(); });
  hash_.reset();
  playback.restart();
}

void Session::step() {
  if (!is_open_) return;
  attempt([&] {
    viewer_.set_timers(shows_sidebar && panel == Panel::times);
    const auto begin = std::chrono::steady_clock::now();
    if (!viewer_.step()) playback.is_playing = false;
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    times.add_step(time.count(), viewer_.timers());
  });
}

void Session::step_once() {
  playback.is_playing = false;
  step();
}

void Session::go_to(uint32_t frame) {
  attempt([&] {
    const auto begin = std::chrono::steady_clock::now();
    if (CaptureSource* const known = capture()) known->go_to(frame);
    jump_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
}

void Session::show_panel(Panel wanted) {
  panel = wanted;
  shows_sidebar = is_panel_requested_ = true;
}

void Session::advance(double seconds) {
  if (!is_open_) return;
  const uint32_t count = playback.due(seconds, source().dt());
  for (uint32_t i = 0; i < count && playback.is_playing; ++i) step();
}

void Session::frame_everything() {
  // Scenes have cameras for pictures of these proportions.
  constexpr float aspect = 16 / 9.0f;
  if (is_open_) orbit = view.orbit_of(source().camera(aspect), aspect);
}

void Session::set_wind(glm::vec3 steady, glm::vec3 gust) {
  if (steady == steady_wind_ && gust == gust_) return;
  steady_wind_ = steady;
  gust_ = gust;
  if (SceneSource* const known = scene()) known->set_extra_wind(steady + gust);
}

bool Session::grab(ImVec2 pixel) {
  bool is_grabbed = false;
  attempt([&] { is_grabbed = viewer_.grab(view.ray(orbit, pixel)); });
  return is_grabbed;
}

void Session::pull_to(ImVec2 pixel) {
  attempt([&] { viewer_.pull(view.ray(orbit, pixel)); });
}

void Session::release() {
  attempt([&] { viewer_.release(); });
}

void Session::ask_for_hash() {
  attempt([&] {
    uint64_t hash = 0;
    clothc::check(clothc_solver_state_hash(source().solver(), &hash));
    hash_ = KnownHash{hash, source().frame()};
  });
}

}  // namespace clothc_viewer
