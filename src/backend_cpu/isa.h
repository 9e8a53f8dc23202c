// isa.h - which instruction sets this machine runs, and their kernels.
#pragma once

#include "backend_cpu/isa/kernel_table.h"
#include "clothc.h"

namespace clothc::cpu {

// Bit 1 << CLOTHC_ISA_x for each instruction set that this build has and this machine runs.
uint32_t runnable_isas();
// The one that AUTO takes.
clothc_isa preferred_isa();
// Null unless runnable.
const KernelTable* kernels_of(clothc_isa isa);
const char* name_of_isa(clothc_isa isa);

}  // namespace clothc::cpu
