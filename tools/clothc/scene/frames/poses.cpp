// poses.cpp - interpolates the keyframes of coordinate frames linearly or by Catmull-Rom splines, once or repeatedly.
// Rotations about one axis are interpolated as numbers of degrees; rotations about different axes as quaternions, which
// are then normalised, along the shorter arc.
#include "scene/frames/poses.h"

#include <cmath>

namespace clothc_tool {
namespace {

// The keyframes of a frame, extended in both directions: they continue periodically if the frame repeats, otherwise
// they end with the first and the last keyframe.
class Track {
 public:
  explicit Track(const SceneFrame& frame) : frame_(frame), count_(static_cast<int>(frame.keys.size())) {}

  bool exists(int i) const { return frame_.repeat > 0 || (i >= 0 && i < count_); }
  const FramePose& value(int i) const { return frame_.keys[static_cast<size_t>(i - count_ * cycle(i))].value; }
  double time(int i) const {
    const auto key = static_cast<double>(frame_.keys[static_cast<size_t>(i - count_ * cycle(i))].frame);
    return key + cycle(i) * static_cast<double>(frame_.repeat);
  }
  // Returns the last keyframe that is not after time, or -1 if there is none.
  int last_before(double time) const {
    int i = -1;
    while (i + 1 < count_ && this->time(i + 1) <= time) ++i;
    return i;
  }
  int count() const { return count_; }

 private:
  // i is in -count .. 2 count - 1.
  int cycle(int i) const { return i < 0 ? -1 : i / count_; }

  const SceneFrame& frame_;
  int count_;
};

// The pose at a time is the sum of weight * value of the keyframes first .. first + 3.
struct Weights {
  int first;
  double weight[4];
};

// Weights of spline interpolation between keyframes i and i + 1, s in 0 .. 1. Source: Catmull and Rom 1974, "A class of
// local interpolating splines". Here the tangent at a keyframe is parallel to the line between its two neighbours in
// time, and zero if it has only one neighbour.
Weights spline_weights(const Track& track, int i, double s) {
  const double h = track.time(i + 1) - track.time(i), s2 = s * s, s3 = s2 * s;
  Weights w = {i - 1, {0, 2 * s3 - 3 * s2 + 1, 3 * s2 - 2 * s3, 0}};
  if (track.exists(i - 1)) {
    const double slope = (s3 - 2 * s2 + s) * h / (track.time(i + 1) - track.time(i - 1));
    w.weight[0] -= slope;
    w.weight[2] += slope;
  }
  if (track.exists(i + 2)) {
    const double slope = (s3 - s2) * h / (track.time(i + 2) - track.time(i));
    w.weight[1] -= slope;
    w.weight[3] += slope;
  }
  return w;
}

Weights weights_at(const SceneFrame& frame, const Track& track, double time) {
  if (frame.repeat > 0) time = std::fmod(time, static_cast<double>(frame.repeat));
  const int i = track.last_before(time);
  if (!track.exists(i)) return {-1, {0, 1, 0, 0}};
  if (!track.exists(i + 1)) return {i - 1, {0, 1, 0, 0}};
  const double s = (time - track.time(i)) / (track.time(i + 1) - track.time(i));
  if (frame.smooth) return spline_weights(track, i, s);
  return {i - 1, {0, 1 - s, s, 0}};
}

Pose own_pose_at(const SceneFrame& frame, float time) {
  const Track track(frame);
  const Weights weights = weights_at(frame, track, static_cast<double>(time));
  Vector3 translation;
  double degrees = 0;
  Rotation sum = {0, 0, 0, 0};
  const FramePose* before = nullptr;
  float sign = 1;
  for (int k = 0; k < 4; ++k) {
    if (!track.exists(weights.first + k)) continue;
    const FramePose& value = track.value(weights.first + k);
    const auto weight = static_cast<float>(weights.weight[k]);
    translation += value.translation * weight;
    degrees += static_cast<double>(value.degrees) * weights.weight[k];
    // q and -q are the same rotation; the shorter arc leads to the one on the same side as the previous keyframe.
    if (before && dot(before->rotation, value.rotation) < 0) sign = -sign;
    before = &value;
    const float part = sign * weight;
    sum = {sum.w + part * value.rotation.w, sum.x + part * value.rotation.x, sum.y + part * value.rotation.y,
           sum.z + part * value.rotation.z};
  }
  if (frame.axis) return {translation, rotation_about(*frame.axis, degrees)};
  return {translation, normalised(sum)};
}

}  // namespace

Pose pose_at(const std::vector<SceneFrame>& frames, uint32_t index, float time) {
  Pose pose;
  for (; index != SCENE_FRAME; index = frames[index].parent) pose = own_pose_at(frames[index], time) * pose;
  return pose;
}

Pose pose_between(const std::vector<SceneFrame>& frames, uint32_t outer, uint32_t index, float time) {
  if (outer == index) return {};
  const Pose pose = pose_at(frames, index, time);
  return outer == SCENE_FRAME ? pose : inverse_of(pose_at(frames, outer, time)) * pose;
}

std::vector<Vector3> in_scene(const Scene& scene, const SceneCloth& cloth, std::vector<Vector3> points,
                              uint32_t frame) {
  if (cloth.frame == SCENE_FRAME) return points;
  const Pose pose = pose_at(scene.coordinate_frames, cloth.frame, static_cast<float>(frame));
  for (Vector3& point : points) point = pose(point);
  return points;
}

}  // namespace clothc_tool
