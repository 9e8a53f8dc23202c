// rotation.h - rotations in scene files, { "axis": [0, 1, 0], "degrees": 30 }, and turns from one to the next.
#pragma once

#include "scene/frames/pose.h"
#include "scene/document/json.h"

namespace clothc_tool {

constexpr double LARGEST_ANGLE = 1e5;  // degrees; more would be coarse in float
constexpr Vector3 DEFAULT_AXIS = {0, 1, 0};

// The axis that an object has, or absent.
Vector3 read_axis(const SceneField& object, Vector3 absent);

// An object's "rotation"; none if it has no such field.
Rotation read_rotation(const SceneField& object);

// Refuses the keyframe that turns from a to b where it is open which way is the shorter one.
void check_arc(const SceneField& keyframe, const Rotation& a, const Rotation& b);

}  // namespace clothc_tool
