// input.cpp - moves the coordinate frame that a cloth lives in.
#include <algorithm>

#include "scene/frames/poses.h"
#include "scene/document/inputs.h"

namespace clothc_tool {
namespace {

class CoordinateFrameInput : public FrameInput {
 public:
  CoordinateFrameInput(const std::vector<SceneFrame>& frames, const SceneCloth& source, clothc::Cloth cloth)
      : frames_(frames), source_(source), cloth_(cloth) {
    clothc_cloth_frame frame = frame_at(0);
    frame.flags = CLOTHC_FRAME_START;
    std::copy_n(frame.translation, 3, frame.start_translation);
    std::copy_n(frame.rotation, 4, frame.start_rotation);
    cloth_.set_frame(frame).check();
  }

  void apply(const clothc::Solver&, uint32_t update) override {
    clothc_cloth_frame frame = frame_at(update);
    if (std::find(source_.teleports.begin(), source_.teleports.end(), update) != source_.teleports.end())
      frame.flags = CLOTHC_FRAME_TELEPORT | CLOTHC_FRAME_CLEAR_INTERPOLATION;
    cloth_.set_frame(frame).check();
  }

 private:
  clothc_cloth_frame frame_at(uint32_t update) const {
    const Pose pose = pose_at(frames_, source_.frame, static_cast<float>(update));
    const Vector3 p = pose.translation;
    const Rotation q = pose.rotation;
    auto frame = clothc::initialised<clothc_cloth_frame>();
    frame.translation[0] = p.x, frame.translation[1] = p.y, frame.translation[2] = p.z;
    frame.rotation[0] = q.x, frame.rotation[1] = q.y, frame.rotation[2] = q.z, frame.rotation[3] = q.w;
    return frame;
  }

  const std::vector<SceneFrame>& frames_;
  const SceneCloth& source_;
  clothc::Cloth cloth_;
};

}  // namespace

std::unique_ptr<FrameInput> make_frame_input(const std::vector<SceneFrame>& frames, const SceneCloth& cloth,
                                             const SimulatedCloth& simulated) {
  if (cloth.frame == SCENE_FRAME) return nullptr;
  return std::make_unique<CoordinateFrameInput>(frames, cloth, simulated.cloth);
}

}  // namespace clothc_tool
