// isa.h - tells which instruction sets this machine can run, and gives access to their kernels.
#pragma once

#include "backend_cpu/isa/kernel_table.h"
#include "clothc.h"

namespace clothc::cpu {

// Returns a mask with bit 1 << CLOTHC_ISA_x set for each instruction set that this build contains and this machine can
// run.
uint32_t runnable_isas();

// Returns the instruction set that CLOTHC_ISA_AUTO selects.
clothc_isa preferred_isa();

// Returns the kernels of an instruction set, or null if the set is not runnable.
const KernelTable* kernels_of(clothc_isa isa);

const char* name_of_isa(clothc_isa isa);

}  // namespace clothc::cpu
