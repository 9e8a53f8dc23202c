// code.h - a kernel as it is executed: instructions whose operands are numbers of rows. A row has a value for each of
// the 32 lanes of a warp. A register of 64 bits takes two rows, and one of 16 bits the low halves of a row, whose high
// halves are zero. Predicates are bit masks with a bit per lane.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ptx {

constexpr uint32_t lane_count = 32;
constexpr uint32_t all_lanes = UINT32_MAX;

struct Form;
struct Instruction;
struct Warp;

// Rows hold values of several types, which the compiler is told by -fno-strict-aliasing.
using Word = uint32_t;
using Wide = uint64_t;

struct alignas(64) Row {
  Word lanes[lane_count];
};

// Executes an instruction for the active lanes of a warp.
using Handler = void (*)(const Instruction&, Warp&);

// Which handler of an instruction is to be used: that for 32 active lanes, for some, or for so few that each is
// executed alone.
enum class Density : uint8_t { all, some, few };
using Handlers = std::array<Handler, 3>;

// How the scheduler treats an instruction.
enum class Flow : uint8_t { next, branch, exit, barrier, exchange, trap };

struct Instruction {
  const Handler* handlers = nullptr;
  const Form* form = nullptr;
  // What is added to an address.
  int64_t offset = 0;
  // Rows, or predicates, in the order of the form's operands; the row of the address apart from the others.
  std::array<uint32_t, 6> operands{};
  uint32_t address = 0;
  // The instruction that a branch goes to.
  uint32_t target = 0;
  // The predicate that decides which lanes execute the instruction, or -1.
  int32_t guard = -1;
  bool guard_is_negated = false;
  Flow flow = Flow::next;
  // Loads, stores: the kind of the registers, as in Form. Accesses: whether the address has 64 bits, and which of the
  // cached allocations to try first.
  char register_kind = 'w';
  bool address_is_wide = true;
  uint8_t cache = 0;
  // Exchanges: the operand that names the lanes that take part.
  uint8_t members = 0;
};

// Registers that have their values when a thread begins.
enum class Special : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  lanemask_eq,
  lanemask_lt,
  lanemask_le,
  lanemask_gt,
  lanemask_ge
};

struct Code {
  struct Constant {
    uint32_t row;
    // The row has one of 32 bits, or with the next one, one of 64 bits.
    bool is_wide;
    uint64_t value;
  };
  struct SpecialRow {
    uint32_t row;
    Special special;
  };

  std::string name;
  std::vector<Instruction> instructions;
  // Line of the text for each instruction.
  std::vector<uint32_t> lines;
  uint32_t row_count = 0;
  uint32_t predicate_count = 0;
  // The predicate that is true for all lanes; the others begin as false.
  uint32_t true_predicate = 0;
  std::vector<Constant> constants;
  std::vector<SpecialRow> specials;
  uint32_t local_size = 0;
  uint32_t static_shared_size = 0;
  uint32_t parameter_size = 0;
  bool has_barriers = false;
};

}  // namespace ptx
