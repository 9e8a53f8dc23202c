// keyframes.h - reads arrays of keyframes: objects with an ascending "frame" and the values that hold at that frame.
#pragma once

#include <initializer_list>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

constexpr double LAST_FRAME = 1e6;

// names: the fields that a keyframe may have, including "frame". read: converts a SceneField to T.
template <typename T, typename Read>
Keyframes<T> read_keyframes(const SceneField& field, std::initializer_list<const char*> names, Read read) {
  Keyframes<T> keys;
  for (const SceneField& element : field.elements(1)) {
    element.only(names);
    const SceneField frame = element.member("frame");
    const float number = frame.number(0, LAST_FRAME);
    if (!keys.empty() && !(number > keys.back().frame)) frame.fail("want a frame after the one before it");
    keys.push_back({number, read(element)});
  }
  return keys;
}

}  // namespace clothc_tool
