// The benchmark cases of many like cloths in one solver.
#pragma once

#include "scene/scene.h"

namespace clothc_tool {

struct SheetSize {
  uint32_t columns, rows;
};

// Cloths 1 m long, hung by two corners, side by side, each cooked from a mesh of its own.
Scene many_cloths(uint32_t count, SheetSize size);

// The same cloths, in rows of a hundred, that share one fabric.
Scene repeated_cloth(uint32_t count, SheetSize size);

// Cloths of 25 x 40 that share one fabric, each on the back of a body of its own: 15 capsules, with friction 0.3.
Scene capes(uint32_t count);

}  // namespace clothc_tool
