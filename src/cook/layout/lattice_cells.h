// lattice_cells.h - finds pieces of a cloth whose quads lie in columns and rows, and the place of each particle in them.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/fabric_data.h"

namespace clothc::cook {

// The place of a particle in a piece.
struct LatticeCell {
  uint32_t piece = no_index;
  int32_t column = 0;
  int32_t row = 0;
};

struct LatticePiece {
  uint32_t columns = 0;
  uint32_t rows = 0;
};

struct LatticeCells {
  // [particles] particles that are in no piece have the piece no_index. No two particles have the same place.
  std::vector<LatticeCell> cells;
  std::vector<LatticePiece> pieces;
};

// Quads are found as pairs of triangles whose common side is no stretch constraint.
LatticeCells find_lattice_cells(const FabricData& fabric);

}  // namespace clothc::cook
