// registers.h - gives the registers of a kernel rows. PTX has a register for each value, thousands in a large kernel.
// Registers whose values are not needed at the same time share a row, so that the rows stay in the caches.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/device/ptx/code.h"

namespace ptx {

// A register of the text, a constant, or a special register.
struct Register {
  // p, h, w or d, as in Form.
  char kind = 'w';
  // Whether it keeps its row for the whole kernel.
  bool is_fixed = false;
  // The row, or the number of the predicate; set by allocate_rows.
  uint32_t row = 0;
};

// An instruction whose operands are numbers of registers.
struct Draft {
  Instruction instruction;
  // For each operand that there is: whether it is written.
  std::vector<bool> writes;
  bool has_address = false;
  // Numbers of registers are in the places of rows, also for the guard.
};

// Gives each register a row, and puts the rows into the instructions. Returns the number of rows and of predicates.
struct RowCounts {
  uint32_t rows = 0, predicates = 0;
};
RowCounts allocate_rows(std::vector<Register>& registers, std::vector<Draft>& drafts);

}  // namespace ptx
