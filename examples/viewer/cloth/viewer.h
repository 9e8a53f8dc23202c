// viewer.h - everything but the window: what is open, how it is shown, and what the user does to it.
#pragma once

#include "cloth/adoption.h"
#include "cloth/drawing.h"
#include "cloth/grab.h"
#include "scene/scene.h"

namespace clothc_viewer {

class CaptureSource;
class SceneSource;

class Viewer {
 public:
  // Makes the device. graphics must have been created with extensions_for_clothc. Throws clothc::Error and
  // clothc_tool::InputError.
  explicit Viewer(const clothc_renderer::Graphics& graphics, const DeviceOptions& options = {});

  // Waits for the device.
  ~Viewer();

  // Begins to compile, in the background, all that updates may need, so that no frame waits for it.
  void prepare();

  // How much of that is compiled; none once it has ended, and if it was never begun. Throws clothc::Error, once, if
  // something could not be compiled.
  struct Preparation {
    uint32_t done = 0, total = 0;
  };
  std::optional<Preparation> preparation();

  // Whether updates write straight to the vertices that are drawn.
  bool is_adopted() const;

  // Opens a scene, a mesh file, or a capture (a name that ends in .capture). If it fails, what was open stays open.
  // Throws clothc_tool::InputError and clothc::Error.
  void open(const std::string& path);
  void open(clothc_tool::Scene scene);

  // What is open, also as what it is, or else null. One of the open functions must have been called.
  Source& source();
  SceneSource* scene();
  CaptureSource* capture();

  // Queues the next update, with a grabbed particle's target. Returns false at the end of a capture.
  bool step();

  // Goes back to the begin, without a grabbed particle.
  void reset();

  // What is drawn by add().
  Shown shown;

  // Adds everything that is shown to a frame. The sun stands as the camera of open() sees it, whatever the camera is.
  void add(clothc_renderer::Frame& frame, clothc_renderer::DrawList& list);

  // Bytes of particle data that the host copied in the last add().
  uint64_t host_copied_bytes() const;

  // The mouse. grab() picks what is under the ray, and tells whether that is a particle; pull() moves it along with the
  // ray at its distance from the camera; release() lets it go. Particles of captures cannot be grabbed.
  bool grab(const clothc_renderer::Ray& ray);
  void pull(const clothc_renderer::Ray& ray);
  void release();
  bool is_grabbing() const;

  // The grabbed particle, where the last update has moved it to, and where the mouse wants it; none while nothing is
  // grabbed.
  struct Pulled {
    PickedParticle particle;
    glm::vec3 target, wanted;
  };
  std::optional<Pulled> pulled() const;

  // Times of the stages of the last update that has ended; none if the device cannot tell, or timers are off.
  void set_timers(bool has_timers);
  std::optional<clothc_timers> timers() const;

 private:
  struct State;
  void open(std::unique_ptr<Source> source);

  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
