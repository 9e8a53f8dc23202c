// sheet_surface.h - the triangles of the sheets, and texture coordinates with seams, as the cooker lays them out.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Appends them to the fabric arena. The storage order and the vertices must be there already.
void add_surface(Arenas& arenas, Sheet& sheet, GroupSettings& settings);

}  // namespace clothc::probes
