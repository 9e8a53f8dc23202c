// sheet_levels.h - the coarse levels of the sheets, as the cooker makes them and lays them out.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

// Appends them to the fabric arena. The storage order must be there already.
void add_levels(Arenas& arenas, uint32_t slot, Sheet& sheet, GroupSettings& settings);

// Appends the records of the levels, and their rows, to the tables. The rows must come behind all records.
void add_level_records(Arenas& arenas, const Sheet& sheet, GroupSettings& settings);
void add_level_rows(Arenas& arenas, const Sheet& sheet, const GroupSettings& settings);

// Adds the jobs before the iterations, and those of an iteration.
void add_pins(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);
void add_correction(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);

}  // namespace clothc::probes
