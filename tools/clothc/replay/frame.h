// frame.h - a cloth's coordinate frame during a replay: translates the pose, target and operations of FORMAT.md into
// calls of clothc_cloth_set_frame. Invariant: pose_ is the library's pose of the frame before the next update, target_
// its target.
#pragma once

#include <clothc.hpp>
#include <optional>

#include "replay/reference.h"

namespace clothc_tool {

class ReplayFrame {
 public:
  explicit ReplayFrame(const std::optional<ReferencePose>& initial);

  // Returns the frame to set before the first update, or nullopt if it is the identity, where cloths are by default.
  std::optional<clothc_cloth_frame> start() const;

  // Returns the frame to set for the given inputs, or nullopt if they do not concern the coordinate frame.
  std::optional<clothc_cloth_frame> apply(const ReferenceFrameInput& input);

  // Follows an update of dt seconds. If dt is 0 the motion to the target stays pending.
  void update(float dt);

  // Returns the pose of the frame after the last update.
  const ReferencePose& pose() const { return pose_; }

 private:
  void apply(const ReferenceOperation& operation, clothc_cloth_frame& frame);

  bool has_initial_pose_;
  ReferencePose pose_, target_;
};

}  // namespace clothc_tool
