// tube.h - closed surfaces of revolution, for example skirts and sleeves. Vertex (column, row) has the index row *
// columns + column; the last column is joined to the first.
#pragma once

#include "mesh/mesh.h"

namespace clothc_tool {

struct Tube {
  // Number of vertices around and along the tube.
  uint32_t columns = 3, rows = 2;

  float first_radius = 1, last_radius = 1;

  // Length along the axis in m.
  float length = 1;

  // Centre of row 0.
  Vector3 origin;

  // Unit vector from row 0 to the last row.
  Vector3 axis = {0, -1, 0};

  // Pleats around the tube: a wave with this number of periods, whose amplitude in m grows from 0 at row 0 to
  // fold_depth at the last row.
  float fold_count = 0, fold_depth = 0;
};

Mesh make_tube(const Tube& tube);

}  // namespace clothc_tool
