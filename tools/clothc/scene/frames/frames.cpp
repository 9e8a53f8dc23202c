// frames.cpp - reads coordinate frames and checks that names are unique, parents form no cycle and rotations are
// unambiguous.
#include "scene/frames/frames.h"

#include <algorithm>
#include <cmath>

#include "scene/frames/keyframes.h"
#include "scene/frames/rotation.h"
#include "cli/similar_name.h"

namespace clothc_tool {
namespace {

// Values of the fields that a keyframe leaves out.
struct FrameDefaults {
  Vector3 translation, axis;
  float degrees;
};

FramePose read_frame_pose(const SceneField& field, const FrameDefaults& absent, Vector3 axis) {
  FramePose pose;
  pose.translation = field.vector("translation", absent.translation);
  pose.degrees = field.number("degrees", -LARGEST_ANGLE, LARGEST_ANGLE, absent.degrees);
  pose.rotation = rotation_about(axis, static_cast<double>(pose.degrees));
  return pose;
}

// Rotations about different axes are interpolated along the shorter arc, so it must be clear which one that is.
void check_arcs(const SceneField& keyframes, const SceneFrame& frame) {
  const size_t count = frame.keys.size(), arc_count = frame.repeat > 0 ? count : count - 1;
  for (size_t i = 0; i < arc_count; ++i) {
    const size_t next = (i + 1) % count;
    check_arc(keyframes.elements()[next], frame.keys[i].value.rotation, frame.keys[next].value.rotation);
  }
}

bool same(Vector3 a, Vector3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void read_frame_keyframes(const SceneField& field, const FrameDefaults& defaults, SceneFrame& frame) {
  bool one_axis = true;
  std::optional<Vector3> first_axis;
  frame.keys =
      read_keyframes<FramePose>(field, {"frame", "translation", "axis", "degrees"}, [&](const SceneField& key) {
        const Vector3 axis = read_axis(key, defaults.axis);
        if (!first_axis) first_axis = axis;
        one_axis = one_axis && same(axis, *first_axis);
        return read_frame_pose(key, defaults, axis);
      });
  if (one_axis) frame.axis = first_axis;
}

float read_repeat(const SceneField& field, const SceneFrame& frame) {
  const float repeat = field.number(1, LAST_FRAME);
  if (!(repeat > frame.keys.back().frame)) {
    field.fail("want more than the last keyframe's frame, which the first one follows so many frames after itself");
  }
  return repeat;
}

// Reads everything except the parent, which may come later in the file.
SceneFrame read_frame(const SceneField& field) {
  field.only({"name", "parent", "translation", "axis", "degrees", "keyframes", "repeat", "smooth"});
  SceneFrame frame;
  frame.name = read_plain_name(field.member("name"), "");
  FrameDefaults defaults = {{}, read_axis(field, DEFAULT_AXIS), 0};
  const FramePose own = read_frame_pose(field, defaults, defaults.axis);
  defaults.translation = own.translation;
  defaults.degrees = own.degrees;
  const auto keyframes = field.find("keyframes");
  if (keyframes) {
    read_frame_keyframes(*keyframes, defaults, frame);
  } else {
    frame.keys = {{0, own}};
    frame.axis = defaults.axis;
  }
  for (const char* name : {"repeat", "smooth"}) {
    const auto option = field.find(name);
    if (option && !keyframes) option->fail("it needs keyframes; add them or leave it out");
  }
  if (const auto repeat = field.find("repeat")) frame.repeat = read_repeat(*repeat, frame);
  if (const auto smooth = field.find("smooth")) frame.smooth = smooth->boolean();
  if (keyframes && !frame.axis) check_arcs(*keyframes, frame);
  return frame;
}

void check_that_parents_end(const std::vector<SceneField>& elements, const std::vector<SceneFrame>& frames) {
  for (size_t i = 0; i < frames.size(); ++i) {
    std::string path = "'" + frames[i].name + "'";
    uint32_t parent = frames[i].parent;
    for (size_t steps = 0; parent != SCENE_FRAME && steps < frames.size(); ++steps) {
      path += " in '" + frames[parent].name + "'";
      if (parent == i) {
        elements[i].member("parent").fail("frames must not lie in each other (" + path + "); leave out one parent");
      }
      parent = frames[parent].parent;
    }
  }
}

}  // namespace

std::vector<SceneFrame> read_coordinate_frames(const SceneField& field) {
  constexpr size_t MOST_FRAMES = 1000;
  const std::vector<SceneField> elements = field.elements();
  if (elements.size() > MOST_FRAMES) field.fail("want at most " + std::to_string(MOST_FRAMES) + " frames");
  std::vector<SceneFrame> frames;
  for (const SceneField& element : elements) {
    SceneFrame frame = read_frame(element);
    const bool taken = std::any_of(frames.begin(), frames.end(), [&](const auto& f) { return f.name == frame.name; });
    if (taken) element.member("name").fail("the name is taken; give every frame a name of its own");
    frames.push_back(std::move(frame));
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    if (const auto parent = elements[i].find("parent")) frames[i].parent = read_frame_name(*parent, frames);
  }
  check_that_parents_end(elements, frames);
  return frames;
}

uint32_t read_frame_name(const SceneField& name, const std::vector<SceneFrame>& frames) {
  const std::string text = name.text();
  std::vector<std::string> known;
  for (uint32_t i = 0; i < frames.size(); ++i) {
    if (frames[i].name == text) return i;
    known.push_back(frames[i].name);
  }
  if (frames.empty()) name.fail("the scene has no coordinate_frames; add a frame of this name");
  name.fail("no coordinate frame has this name" + did_you_mean(text, known));
}

uint32_t read_attachment(const SceneField& object, const std::vector<SceneFrame>& frames, uint32_t absent) {
  const auto name = object.find("frame");
  return name ? read_frame_name(*name, frames) : absent;
}

std::string read_plain_name(const SceneField& name, const char* why) {
  std::string text = name.text();
  const bool plain =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
  if (text.empty() || text.size() > 64 || !plain) {
    name.fail(std::string("want 1 to 64 letters, digits, '_' and '-'") + why);
  }
  return text;
}

}  // namespace clothc_tool
