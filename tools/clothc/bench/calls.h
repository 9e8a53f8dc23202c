// calls.h - what the cases that time calls rather than simulation do in each frame, before an update with a time step
// of 0, which takes in what was set and simulates nothing.
#pragma once

#include <functional>

#include "scene/simulation.h"

namespace clothc_tool {

// Sets the parameters, the frame and the velocities of one cloth in the middle to other values each time.
std::function<void()> set_one_cloth(const SceneSimulation& simulation);

// Removes a cloth, and adds a copy of the first.
std::function<void()> remove_and_add_cloth(const SceneSimulation& simulation);

}  // namespace clothc_tool
