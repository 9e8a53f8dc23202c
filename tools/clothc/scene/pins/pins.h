// pins.h - choosing the vertices that are held in place.
#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Vertices in the top part of a mesh, by height (+y); part 0.02 takes the highest 2 %. Never empty.
std::vector<uint32_t> highest_vertices(const Mesh& mesh, float part);

// How a generated mesh is laid out: vertex (column, row) is number row * columns + column. All 0 for meshes from files.
struct MeshGrid {
  uint32_t columns = 0, rows = 0;
  bool is_closed = false;  // around, so that it has no corners
};

// Reads one entry of "pins", but for its frame.
PinGroup read_pin_group(const SceneField& field, const Mesh& mesh, const MeshGrid& grid);

}  // namespace clothc_tool
