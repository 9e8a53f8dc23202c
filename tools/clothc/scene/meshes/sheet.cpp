// sheet.cpp - generates the vertices and quads of a sheet.
#include "scene/meshes/sheet.h"

#include "scene/frames/wave.h"

namespace clothc_tool {

Mesh make_sheet(const Sheet& sheet) {
  Mesh mesh;
  const Vector3 normal = normalised(cross(sheet.axis_u, sheet.axis_v));
  for (uint32_t row = 0; row < sheet.rows; ++row) {
    const float v = static_cast<float>(row) / static_cast<float>(sheet.rows - 1);
    for (uint32_t column = 0; column < sheet.columns; ++column) {
      const float u = static_cast<float>(column) / static_cast<float>(sheet.columns - 1);
      const float fold = sheet.fold_depth * wave(double{sheet.fold_count} * double{u});
      mesh.positions.push_back(sheet.origin + sheet.axis_u * (u * sheet.width) + sheet.axis_v * (v * sheet.height) +
                               normal * fold);
    }
  }
  for (uint32_t row = 0; row + 1 < sheet.rows; ++row) {
    for (uint32_t column = 0; column + 1 < sheet.columns; ++column) {
      const uint32_t corner = row * sheet.columns + column;
      for (uint32_t vertex : {corner, corner + 1, corner + 1 + sheet.columns, corner + sheet.columns}) {
        mesh.quads.push_back(vertex);
      }
    }
  }
  return mesh;
}

}  // namespace clothc_tool
