// tube.h - surfaces of revolution that are closed around, such as skirts and sleeves. Vertex (column, row) is number
// row * columns + column; the last column is joined to the first.
#pragma once

#include "mesh/mesh.h"

namespace clothc_tool {

struct Tube {
  uint32_t columns = 3, rows = 2;  // vertices around and along
  float first_radius = 1, last_radius = 1;
  float length = 1;                      // m along the axis
  Vector3 origin;                        // the middle of row 0
  Vector3 axis = {0, -1, 0};             // from row 0 to the last, a unit vector
  float fold_count = 0, fold_depth = 0;  // pleats around, a wave of that many periods; their amplitude in m at the last
                                         // row, none at row 0
};

Mesh make_tube(const Tube& tube);

}  // namespace clothc_tool
