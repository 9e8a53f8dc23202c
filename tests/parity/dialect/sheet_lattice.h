// sheet_lattice.h - the lattices of the sheets, as the cooker makes them and lays them out.
#pragma once

#include "parity/dialect/sheets.h"

namespace clothc::probes {

void add_lattice(Arenas& arenas, Sheet& sheet, const GroupSettings& settings);
// Appends the record of the lattice, which is the last one, and completes those of the phases.
void add_lattice_record(Arenas& arenas, const Sheet& sheet, GroupSettings& settings);
// Appends its rows of positions.
void add_lattice_rows(Arenas& arenas, const Sheet& sheet, const GroupSettings& settings);

// Solves the sets of the lattice with the first two phases.
void add_lattice_jobs(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);
// Integration and tethers of a cloth that stays in its lattice; they take the place of the kernel that integrates.
void add_stages_in_lattice(const Sheet& sheet, const GroupSettings& settings, uint32_t cloth, std::vector<Job>& jobs);

}  // namespace clothc::probes
