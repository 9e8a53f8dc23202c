// session.h - what the user has open and how it is shown. Panels, mouse, keys and scripts change it; the loop draws it.
// Invariant: an action that fails leaves a message to be shown and the window as it was.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cloth/capture_source.h"
#include "cloth/scene_source.h"
#include "cloth/viewer.h"
#include "window/items.h"
#include "window/playback.h"
#include "window/scene_list.h"
#include "window/times.h"
#include "window/view.h"
#include "window/window.h"

namespace clothc_viewer {

enum class Panel { scene, cloth, show, wind, times, keys };

// As the tabs and scripts call them, in the order of Panel.
constexpr const char* PANEL_NAMES[] = {"scene", "cloth", "show", "wind", "times", "keys"};

// A hash that was asked for.
struct KnownHash {
  uint64_t value = 0;
  uint32_t frame = 0;
};

class Session {
 public:
  Session(const clothc_renderer::Graphics& graphics, const WindowOptions& options);

  // Carries out an action. If it throws, playing ends and the message is shown. Returns whether it succeeded.
  template <class Action>
  bool attempt(Action action) {
    try {
      action();
      return true;
    } catch (const std::exception& error) {
      fail(error.what());
      return false;
    }
  }

  // What went wrong last; empty = nothing, or it was dismissed.
  const std::string& message() const { return message_; }
  void fail(const std::string& message);
  void dismiss_message() { message_.clear(); }

  // The file is opened by run_requests() once the device is prepared, so that the frame before it can say so.
  void request_open(const std::string& path) { requested_ = path; }
  const std::string& requested() const { return requested_; }
  void run_requests();

  // What the device compiles before anything is opened; none once it has ended. run_requests() looks.
  const std::optional<Viewer::Preparation>& preparation() const { return preparation_; }

  bool is_open() const { return is_open_; }
  const std::string& path() const { return path_; }

  // Whether a file is the one that is open.
  bool is_path(const std::string& path) const;
  Viewer& viewer() { return viewer_; }
  Source& source() { return viewer_.source(); }

  // Null unless the source is of this kind.
  SceneSource* scene() { return is_open_ ? viewer_.scene() : nullptr; }
  CaptureSource* capture() { return is_open_ ? viewer_.capture() : nullptr; }

  // Parameters of a cloth when it was opened, or when it was first seen if a capture has added it later.
  const clothc_cloth_parameters& opened_parameters(size_t cloth);
  clothc_cloth_parameters parameters(size_t cloth);
  void set_parameters(size_t cloth, const clothc_cloth_parameters& parameters);

  // The same of its phases.
  const std::vector<clothc_phase_config>& opened_phases(size_t cloth);
  std::vector<clothc_phase_config> phases(size_t cloth);
  void set_phases(size_t cloth, const std::vector<clothc_phase_config>& configs);

  void toggle_play();
  void reset();

  // Makes one update, and ends playing.
  void step_once();

  // Goes to a frame of a capture. jump_seconds() tells how long that took the last time.
  void go_to(uint32_t frame);
  double jump_seconds() const { return jump_seconds_; }

  // Makes the updates that are due when this time has passed.
  void advance(double seconds);

  // Shows everything in the middle of the free part of the window.
  void frame_everything();

  // The wind is the sum of a steady one and of one that blows while the mouse is dragged, in m/s.
  void set_wind(glm::vec3 steady, glm::vec3 gust);
  glm::vec3 steady_wind() const { return steady_wind_; }
  glm::vec3 gust() const { return gust_; }

  // Picks the particle at a pixel and pulls it to where the mouse is, in the plane of the picture. grab() returns whether
  // there is one.
  bool grab(ImVec2 pixel);
  void pull_to(ImVec2 pixel);
  void release();

  // Waits for the device.
  void ask_for_hash();
  const std::optional<KnownHash>& hash() const { return hash_; }

  const std::vector<SceneFile> scenes;
  Playback playback;
  clothc_renderer::Orbit orbit;
  View view;
  Items items;
  TimesHistory times;

  Panel panel = Panel::scene;
  bool shows_sidebar = true;

  // The sidebar covers the picture.
  bool is_narrow = false;

  // Opens a panel in the next frame, which take_panel_request() tells once.
  void show_panel(Panel wanted);
  bool take_panel_request() { return std::exchange(is_panel_requested_, false); }

  // The cloth whose parameters are shown.
  size_t selected_cloth = 0;

 private:
  void open(const std::string& path);
  void note_cloths();
  void step();

  Viewer viewer_;
  std::string message_, requested_, path_;
  std::optional<Viewer::Preparation> preparation_;
  bool is_open_ = false, is_panel_requested_ = false;
  double jump_seconds_ = 0;
  std::vector<clothc_cloth_parameters> opened_parameters_;
  std::vector<std::vector<clothc_phase_config>> opened_phases_;
  glm::vec3 steady_wind_ = {}, gust_ = {};
  std::optional<KnownHash> hash_;
};

}  // namespace clothc_viewer
