// sheet_surface.h - the triangles of the sheets, and textures with seams, as the cooker lays them out.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Appends them to the fabric arena. Call it after places and vertices are there.
void add_surface(Arenas& arenas, Sheet& sheet, ClothSettings& settings);

}  // namespace clothc::probes
