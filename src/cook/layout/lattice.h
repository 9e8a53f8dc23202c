// lattice.h - lays out distance constraints a second time for particles in the slots of a lattice (LatticeLayout).
#pragma once

#include <vector>

#include "cook/cook.h"
#include "cook/fabric_layout.h"

namespace clothc::cook {

// Whether solving these sets, those of them that are in it, is cheaper in the lattice, with the way there and back.
// batch_cost: what a batch of the lattice costs, in hundredths of what 16 rings do whose particles are gathered, or
// UINT32_MAX. docs/log/2026-11-28-lattice.md has measurements of that.
bool is_worth_lattice(const FabricLayout& layout, const std::vector<uint32_t>& sets, uint32_t batch_cost);

// Appends the lattice of a fabric whose constraints have been laid out, if it makes solving all sets cheaper. Each set of
// rings all of whose particles are in the lattice gets lattice_colours. They give the same results as its colours.
void lay_out_lattice(const FabricData& fabric, uint32_t batch_cost, LaidOutFabric& out);

// Takes the lattice away, and leaves its words unused. Changes of topology need that, because they move constraints.
void remove_lattice(FabricLayout& layout);

}  // namespace clothc::cook
