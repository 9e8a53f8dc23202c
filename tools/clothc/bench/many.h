// many.h - the benchmark cases of many similar cloths in one solver.
#pragma once

#include "scene/scene.h"

namespace clothc_tool {

struct SheetSize {
  uint32_t columns, rows;
};

// Returns cloths 1 m long, side by side, that hang from two corners. Each is cooked from a mesh of its own.
Scene many_cloths(uint32_t count, SheetSize size);

// Returns the same cloths in rows of a hundred; all share one fabric.
Scene repeated_cloth(uint32_t count, SheetSize size);

// Returns cloths of 25 x 40 particles that share one fabric. Each lies on the back of a body of its own, made of 15
// capsules, with friction 0.3.
Scene capes(uint32_t count);

}  // namespace clothc_tool
