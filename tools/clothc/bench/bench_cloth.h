// What the cloths of the benchmark cases have in common.
#pragma once

#include <vector>

#include "scene.h"

namespace clothc_tool {

// 0.2 kg/m2, solver frequency 240: 4 iterations at 60 frames per second; everything else at its default.
SceneCloth bench_cloth(Mesh mesh, std::vector<uint32_t> pinned, uint32_t tethers_per_particle);

Scene scene_of_cloths(std::vector<SceneCloth> cloths);

}  // namespace clothc_tool
