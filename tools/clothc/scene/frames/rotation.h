// rotation.h - reads rotations in scene files, { "axis": [0, 1, 0], "degrees": 30 }, and checks the arcs between
// keyframes.
#pragma once

#include "scene/frames/pose.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Degrees; larger angles would lose too much precision in float.
constexpr double LARGEST_ANGLE = 1e5;

constexpr Vector3 DEFAULT_AXIS = {0, 1, 0};

// Returns the object's "axis", or `absent` if it has none.
Vector3 read_axis(const SceneField& object, Vector3 absent);

// Returns the object's "rotation", or the identity if it has none.
Rotation read_rotation(const SceneField& object);

// Rejects a keyframe if the rotation from a to b is so close to half a turn that the shorter way around is ambiguous.
void check_arc(const SceneField& keyframe, const Rotation& a, const Rotation& b);

}  // namespace clothc_tool
