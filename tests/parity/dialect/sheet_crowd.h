// sheet_crowd.h - a crowd for each sheet, in which it has lane 0. The other lanes have zeros and run in no iteration.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

void add_crowd(Arenas& arenas, Sheet& sheet, const GroupSettings& settings);

// Solves the edges and the rings of the sheet with the first two phases.
void add_crowd_jobs(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);

}  // namespace clothc::probes
