// sheet_surface.h - the triangles of the sheets, and texture coordinates with seams, as the cooker lays them out.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Appends them to the fabric arena. The storage order and the vertices must be there already.
void add_surface(Arenas& arenas, Sheet& sheet, GroupSettings& settings);

// Adds the jobs that count intersections.
void add_counting(const Arenas& arenas, uint32_t cloth, std::vector<Job>& jobs);

}  // namespace clothc::probes
