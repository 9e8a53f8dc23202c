// A cloth's coordinate frame through a reference: FORMAT.md's pose, target and operations as clothc_cloth_set_frame
// takes them. Invariant: pose_ is where the library has the frame before the next update, target_ where it is to go.
#pragma once

#include <clothc.h>

#include <optional>

#include "replay/reference.h"

namespace clothc_tool {

class ReplayFrame {
 public:
  explicit ReplayFrame(const std::optional<ReferencePose>& initial);

  // What to set before the first update: nullopt for the identity, where cloths are anyway.
  std::optional<clothc_cloth_frame> start() const;
  // What to set for a frame's inputs; nullopt if they do not concern the coordinate frame.
  std::optional<clothc_cloth_frame> apply(const ReferenceFrameInput& input);
  // An update of dt seconds: with none the motion to the target stays pending.
  void update(float dt);
  // Where the frame is after the last update.
  const ReferencePose& pose() const { return pose_; }

 private:
  void apply(const ReferenceOperation& operation, clothc_cloth_frame& frame);

  bool is_placed_;
  ReferencePose pose_, target_;
};

}  // namespace clothc_tool
