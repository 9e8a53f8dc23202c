// scene_pins.h - choosing the vertices that are held in place.
#pragma once

#include <vector>

#include "mesh.h"
#include "scene.h"
#include "scene_json.h"

namespace clothc_tool {

// Vertices in the top part of a mesh, by height (+y); part 0.02 takes the highest 2 %. Never empty.
std::vector<uint32_t> highest_vertices(const Mesh& mesh, float part);

// Reads one entry of "pins". columns and rows are those of the sheet, 0 for meshes from files.
PinGroup read_pin_group(const SceneField& field, const Mesh& mesh, uint32_t columns, uint32_t rows);

}  // namespace clothc_tool
