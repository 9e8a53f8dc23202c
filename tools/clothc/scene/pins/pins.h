// pins.h - selects the vertices of a cloth that are held in place.
#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Returns the vertices in the top part of a mesh by height (+y); part = 0.02 selects the highest 2 %. Never empty.
std::vector<uint32_t> highest_vertices(const Mesh& mesh, float part);

// Layout of a generated mesh, whose vertex (column, row) has the index row * columns + column. All 0 for meshes from
// files.
struct MeshGrid {
  uint32_t columns = 0, rows = 0;

  // The last column is joined to the first, so the mesh has no corners.
  bool is_closed = false;
};

// Reads one element of "pins" except for its coordinate frame.
PinGroup read_pin_group(const SceneField& field, const Mesh& mesh, const MeshGrid& grid);

}  // namespace clothc_tool
