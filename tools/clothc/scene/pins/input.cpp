// input.cpp - moves groups of pins by their keyframes and coordinate frames, in the coordinates of their cloth.
#include <iterator>
#include <map>

#include "scene/frames/poses.h"
#include "scene/document/inputs.h"

namespace clothc_tool {
namespace {

struct Pin {
  const PinGroup* group;
  Vector3 at_rest;
};

// Returns the pins that move, by their particles in ascending order. If several groups contain a particle, the last one
// counts, so that there may be none although a group moves.
std::map<uint32_t, Pin> moving_pins(const SceneCloth& cloth, const SimulatedCloth& simulated) {
  std::map<uint32_t, Pin> pins;
  for (const PinGroup& group : cloth.pins) {
    for (uint32_t vertex : group.vertices) {
      const uint32_t particle = simulated.info.first_particle + simulated.vertex_map[vertex];
      pins[particle] = {&group, cloth.mesh.positions[vertex]};
    }
  }
  for (auto pin = pins.begin(); pin != pins.end();)
    pin = pin->second.group->moves_in(cloth.frame) ? std::next(pin) : pins.erase(pin);
  return pins;
}

class PinInput : public FrameInput {
 public:
  // pins: as moving_pins returns them, at least one.
  PinInput(const clothc::Device& device, const std::vector<SceneFrame>& frames, uint32_t cloth_frame,
           const std::map<uint32_t, Pin>& pins)
      : frames_(frames), cloth_frame_(cloth_frame) {
    for (const auto& [particle, pin] : pins) add(particle, pin);
    buffer_ = device.create_buffer(CLOTHC_FORMAT_FLOAT3, pins_.size()).value();
  }

  void apply(const clothc::Solver& solver, uint32_t frame) override {
    {
      const auto positions = buffer_.map<Vector3>(CLOTHC_MAP_WRITE | CLOTHC_MAP_DISCARD).value();
      const auto time = static_cast<float>(frame);
      for (auto& [group, frame_motion] : frame_motions_) frame_motion = frame_motion_of(*group, time);
      for (size_t i = 0; i < pins_.size(); ++i) positions[i] = position(pins_[i], time);
    }
    solver.set(CLOTHC_CHANNEL_POSITION, buffer_, regions_, CLOTHC_SET_AT_REST).check();
  }

 private:
  void add(uint32_t particle, const Pin& pin) {
    const auto source = static_cast<uint32_t>(pins_.size());
    if (pin.group->frame != cloth_frame_) frame_motions_[pin.group] = {};
    pins_.push_back(pin);
    if (!regions_.empty() && regions_.back().target_offset + regions_.back().count == particle) {
      ++regions_.back().count;
    } else {
      regions_.push_back({source, particle, 1});
    }
  }

  // Returns the motion of a group's frame since time 0 as seen from the cloth's frame.
  Pose frame_motion_of(const PinGroup& group, float time) const {
    const auto pose = [&](float t) { return pose_between(frames_, cloth_frame_, group.frame, t); };
    return pose(time) * inverse_of(pose(0));
  }

  Vector3 position(const Pin& pin, float time) const {
    const PinGroup& group = *pin.group;
    const PinTransform transform = group.motion.empty() ? PinTransform{} : value_at(group.motion, time);
    const Vector3 moved = group.pivot + transform.scale * (pin.at_rest - group.pivot) + transform.translation;
    return group.frame == cloth_frame_ ? moved : frame_motions_.at(&group)(moved);
  }

  const std::vector<SceneFrame>& frames_;
  uint32_t cloth_frame_;
  std::vector<Pin> pins_;
  // Motions of the groups that are attached to another frame than the cloth's, at the frame being written.
  std::map<const PinGroup*, Pose> frame_motions_;
  std::vector<clothc_region> regions_;
  clothc::Buffer buffer_;
};

}  // namespace

std::unique_ptr<FrameInput> make_pin_input(const clothc::Device& device, const std::vector<SceneFrame>& frames,
                                           const SceneCloth& cloth, const SimulatedCloth& simulated) {
  const std::map<uint32_t, Pin> pins = moving_pins(cloth, simulated);
  if (pins.empty()) return nullptr;
  return std::make_unique<PinInput>(device, frames, cloth.frame, pins);
}

}  // namespace clothc_tool
