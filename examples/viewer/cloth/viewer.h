// viewer.h - everything but the window: a source, its drawing, and what the user does to it. The window and the
// command line both drive this.
#pragma once

#include <optional>

#include "cloth/drawing.h"
#include "cloth/grab.h"
#include "cloth/source.h"

namespace clothc_viewer {

// Milliseconds of a frame.
struct FrameTimes {
  // Wall time that the host spent in step() and in recording.
  double simulate_host = 0, draw_host = 0;

  // Time of the device; none if it has no timers.
  std::optional<double> simulate_device, draw_device;
};

class Viewer {
 public:
  explicit Viewer(const clothc_renderer::Graphics& graphics, const DeviceOptions& device = {});
  ~Viewer();

  // Opens a scene, a mesh file, or a capture (.capture). What was open stays open if it fails. Throws
  // clothc_tool::InputError and clothc::Error.
  void open(const std::string& path);

  Source& source();
  const Source& source() const;

  // Queues one update, with the grabbed particle's target. Returns false at the end of a capture.
  bool step();
  void reset();

  // Fills the draw list of a frame.
  void add(clothc_renderer::Frame& frame, clothc_renderer::DrawList& list);

  Shown shown;

  // The mouse: picks what is under the ray, pulls it along, lets go.
  bool grab(const clothc_renderer::Ray& ray);
  void pull(const clothc_renderer::Ray& ray);
  void release();
  bool is_grabbing() const;

  // Wind by mouse; scenes only.
  void set_extra_wind(glm::vec3 velocity);

  // Stage timers of the last update that has ended; none unless step() was told to measure them.
  bool measures_stages = false;
  std::optional<clothc_timers> timers() const;

  uint64_t host_copied_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
