// capture_source.h - a capture (docs/capture.md), played on the viewer's device. Frames are updates of all its solvers, in
// their order.
#pragma once

#include "cloth/source.h"

namespace clothc_viewer {

class CaptureSource : public Source {
 public:
  // Throws clothc_tool::InputError, clothc_tool::DamagedCapture and clothc::Error.
  CaptureSource(const clothc_renderer::Graphics& graphics, const DeviceOptions& options, const std::string& path);
  ~CaptureSource() override;

  const std::string& name() const override;
  const clothc::Device& device() const override;
  bool is_adopted() const override;
  const std::vector<SourceCloth>& cloths() const override;
  uint64_t generation() const override;
  uint32_t frame() const override;
  uint32_t frame_count() const override;
  float dt() const override;
  bool step(bool with_timers) override;
  void reset() override;
  clothc_solver solver() const override;
  clothc_renderer::Camera camera(float aspect) const override;
  clothc_renderer::Box bounds() const override;

  // Plays up to a frame; backwards, from the begin.
  void go_to(uint32_t frame);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clothc_viewer
