// frame.cpp - tracks pose and target through the operations of FORMAT.md, "One frame", with the same arithmetic:
// additions in float.
#include "replay/frame.h"

#include <algorithm>

namespace clothc_tool {
namespace {

// In a reference, new shapes are set after clear_interpolation and are interpolated nevertheless.
bool sets_shapes(const ReferenceFrameInput& input) {
  return input.spheres.target || input.planes.target || input.triangles.target || input.motion_target ||
         input.separation_target;
}

clothc_cloth_frame frame_to(const ReferencePose& target) {
  auto frame = clothc::initialised<clothc_cloth_frame>();
  std::copy(target.translation.begin(), target.translation.end(), frame.translation);
  std::copy(target.rotation.begin(), target.rotation.end(), frame.rotation);
  return frame;
}

void set_start(const ReferencePose& start, clothc_cloth_frame& frame) {
  frame.flags |= CLOTHC_FRAME_START;
  std::copy(start.translation.begin(), start.translation.end(), frame.start_translation);
  std::copy(start.rotation.begin(), start.rotation.end(), frame.start_rotation);
}

}  // namespace

ReplayFrame::ReplayFrame(const std::optional<ReferencePose>& initial)
    : has_initial_pose_(initial.has_value()), pose_(initial.value_or(ReferencePose{})), target_(pose_) {}

std::optional<clothc_cloth_frame> ReplayFrame::start() const {
  if (!has_initial_pose_) return std::nullopt;
  clothc_cloth_frame frame = frame_to(target_);
  set_start(pose_, frame);
  return frame;
}

std::optional<clothc_cloth_frame> ReplayFrame::apply(const ReferenceFrameInput& input) {
  if (input.operations.empty() && !input.translation && !input.rotation) return std::nullopt;
  clothc_cloth_frame cloth_frame = clothc::initialised<clothc_cloth_frame>();
  for (const ReferenceOperation& operation : input.operations) apply(operation, cloth_frame);
  if (sets_shapes(input)) cloth_frame.flags &= ~uint32_t{CLOTHC_FRAME_CLEAR_INTERPOLATION};
  if (cloth_frame.flags & CLOTHC_FRAME_START) set_start(pose_, cloth_frame);
  if (input.translation) target_.translation = *input.translation;
  if (input.rotation) target_.rotation = *input.rotation;
  const clothc_cloth_frame target = frame_to(target_);
  std::copy_n(target.translation, 3, cloth_frame.translation);
  std::copy_n(target.rotation, 4, cloth_frame.rotation);
  if (cloth_frame.flags & CLOTHC_FRAME_CLEAR_INERTIA) pose_ = target_;
  return cloth_frame;
}

void ReplayFrame::apply(const ReferenceOperation& operation, clothc_cloth_frame& frame) {
  switch (operation.kind) {
    case ReferenceOperation::Teleport:
      frame.flags |= CLOTHC_FRAME_START;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        pose_.translation[axis] += operation.pose.translation[axis];
        target_.translation[axis] += operation.pose.translation[axis];
      }
      break;
    case ReferenceOperation::TeleportToLocation:
      frame.flags |= CLOTHC_FRAME_START;
      pose_ = target_ = operation.pose;
      break;
    case ReferenceOperation::ClearInterpolation:
      frame.flags |= CLOTHC_FRAME_CLEAR_INTERPOLATION;
      break;
    case ReferenceOperation::ClearInertia:
      frame.flags |= CLOTHC_FRAME_CLEAR_INERTIA;
      break;
    case ReferenceOperation::IgnoreDiscontinuity:
      frame.flags |= CLOTHC_FRAME_IGNORE_DISCONTINUITY;
      break;
  }
}

void ReplayFrame::update(float dt) {
  if (dt > 0) pose_ = target_;
}

}  // namespace clothc_tool
