// quad_sheet.h - a flat sheet of quads, as an input of the cooker. It needs no test framework.
#pragma once

#include <cstdint>
#include <vector>

#include "support/structs.h"

namespace clothc_test {

// columns x rows vertices in the plane y = height, row by row from (first_x, height, 0), with the first row pinned.
struct Sheet {
  std::vector<float> positions;
  std::vector<float> inverse_masses;
  std::vector<uint32_t> quads;
  Sheet(uint32_t columns, uint32_t rows, float spacing = 0.25f, float height = 1, float first_x = 0) {
    for (uint32_t z = 0; z < rows; ++z) {
      for (uint32_t x = 0; x < columns; ++x) {
        positions.insert(positions.end(),
                         {first_x + spacing * static_cast<float>(x), height, spacing * static_cast<float>(z)});
        inverse_masses.push_back(z == 0 ? 0.0f : 1.0f);
        if (x + 1 == columns || z + 1 == rows) continue;
        const uint32_t a = z * columns + x;
        quads.insert(quads.end(), {a, a + 1, a + columns + 1, a + columns});
      }
    }
  }
  // Returns the mesh. The sheet must outlive it.
  clothc_mesh_desc desc() const {
    clothc_mesh_desc mesh = initialised<clothc_mesh_desc>();
    mesh.vertex_count = inverse_masses.size();
    mesh.positions = positions.data();
    mesh.inverse_masses = inverse_masses.data();
    mesh.quad_count = quads.size() / 4;
    mesh.quads = quads.data();
    return mesh;
  }
};

}  // namespace clothc_test
