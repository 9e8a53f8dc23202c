// cloth.h - builds the cloths and scenes that benchmark cases have in common.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace clothc_tool {

// Returns a cloth of 0.2 kg/m2 with solver frequency 240, that is 4 iterations at 60 frames per second, without coarse
// levels, and default values for everything else.
SceneCloth bench_cloth(Mesh mesh, std::vector<uint32_t> pinned, uint32_t tethers_per_particle);

Scene scene_of_cloths(std::vector<SceneCloth> cloths);

// Returns a sheet of count x count particles, 1 m wide, that hangs from two corners and is horizontal at first.
Scene hanging_sheet(uint32_t count, uint32_t tethers_per_particle);

// Returns the same of irregular triangles.
Scene hanging_triangles(uint32_t count);

// Gives the cloths of a scene coarse levels, as they have by default.
Scene with_hierarchy(Scene scene);

}  // namespace clothc_tool
