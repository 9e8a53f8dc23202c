// What the cloths of the benchmark cases have in common.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace clothc_tool {

// 0.2 kg/m2, solver frequency 240: 4 iterations at 60 frames per second; everything else at its default.
SceneCloth bench_cloth(Mesh mesh, std::vector<uint32_t> pinned, uint32_t tethers_per_particle);

Scene scene_of_cloths(std::vector<SceneCloth> cloths);

// A sheet of count x count particles, 1 m wide, hung by two corners, level at first.
Scene hanging_sheet(uint32_t count, uint32_t tethers_per_particle);

}  // namespace clothc_tool
