// sheet.h - rectangular sheets of quads. Vertex (column, row) is number row * columns + column.
#pragma once

#include "mesh/mesh.h"

namespace clothc_tool {

struct Sheet {
  uint32_t columns = 2, rows = 2;  // vertices along u and v
  float width = 1, height = 1;     // m along u and v
  Vector3 origin;                  // of vertex (0, 0), the top left one
  Vector3 axis_u = {1, 0, 0}, axis_v = {0, -1, 0};
  float fold_count = 0, fold_depth = 0;  // pleats across u: a sine of that many periods and that amplitude in m
};

Mesh make_sheet(const Sheet& sheet);

}  // namespace clothc_tool
