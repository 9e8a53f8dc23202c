// capture_source.h - a capture (docs/capture.md) that is played on the viewer's device. Its frames are the updates of all
// its solvers, in their order; they begin with the first one, before which there is nothing to see.
#pragma once

#include "cloth/adoption.h"
#include "cloth/source.h"

namespace clothc_viewer {

class CaptureSource : public Source {
 public:
  // Plays up to the first update. options: what stands for the devices of the recorded program, see adopts(). Throws
  // clothc_tool::InputError and clothc::Error.
  CaptureSource(const clothc_renderer::Graphics& graphics, const DeviceOptions& options, const std::string& path);
  ~CaptureSource() override;

  const std::string& name() const override;
  const std::vector<SourceCloth>& cloths() const override;
  uint64_t generation() const override;
  bool can_bind() const override { return false; }
  uint32_t frame() const override;
  uint32_t frame_count() const override;
  float dt() const override;
  bool step() override;
  void reset() override;
  void set_timers(bool) override {}
  clothc_solver solver() const override;
  clothc_device device() const override;
  clothc_renderer::Camera camera(float aspect) const override;

  // Adds them as the lines of clothc_solver_get_debug_lines, whatever outlines says.
  void add_colliders(bool outlines, clothc_renderer::Frame& frame, clothc_renderer::DrawList& list) override;

  // Plays up to a frame, 1 .. frame_count(). Frames before the current one are played from the begin.
  void go_to(uint32_t frame);

  // What differs from the recording so far, in a sentence; empty if nothing does.
  std::string difference() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
