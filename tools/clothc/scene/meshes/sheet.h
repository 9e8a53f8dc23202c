// sheet.h - rectangular sheets of quads. Vertex (column, row) has the index row * columns + column.
#pragma once

#include "mesh/mesh.h"

namespace clothc_tool {

struct Sheet {
  // Number of vertices along u and v.
  uint32_t columns = 2, rows = 2;

  // Size along u and v in m.
  float width = 1, height = 1;

  // Position of vertex (0, 0), the top left one.
  Vector3 origin;

  Vector3 axis_u = {1, 0, 0}, axis_v = {0, -1, 0};

  // Pleats across u: a sine with this number of periods and this amplitude in m.
  float fold_count = 0, fold_depth = 0;
};

Mesh make_sheet(const Sheet& sheet);

}  // namespace clothc_tool
