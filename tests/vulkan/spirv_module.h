// spirv_module.h - a SPIR-V module as a list of instructions, for code that changes it, and a number by which a module is
// known whatever device it has been made for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::faults {

// The operations that this code knows by name (SPIR-V specification, 3.49).
enum Operation : uint32_t {
  op_undef = 1,
  op_extension = 10,
  op_execution_mode = 16,
  op_capability = 17,
  op_type_void = 19,
  op_type_bool = 20,
  op_type_int = 21,
  op_type_float = 22,
  op_type_vector = 23,
  op_type_array = 28,
  op_type_struct = 30,
  op_type_pointer = 32,
  op_constant_true = 41,
  op_constant_false = 42,
  op_constant = 43,
  op_constant_composite = 44,
  op_spec_constant_true = 48,
  op_spec_constant_false = 49,
  op_spec_constant = 50,
  op_spec_constant_composite = 51,
  op_function = 54,
  op_variable = 59,
  op_decorate = 71,
  op_composite_construct = 80,
  op_composite_extract = 81,
  op_bitcast = 124,
  op_f_negate = 127,
  op_i_add = 128,
  op_f_add = 129,
  op_i_sub = 130,
  op_f_sub = 131,
  op_f_mul = 133,
  op_f_div = 136,
  op_vector_times_scalar = 142,
  op_select = 169,
  op_i_equal = 170,
  op_u_less_than = 176,
  op_f_unord_not_equal = 183,
  op_bitwise_or = 197,
  op_bitwise_and = 199,
  op_control_barrier = 224,
  op_memory_barrier = 225,
  op_loop_merge = 246
};

struct Instruction {
  uint32_t operation = 0;
  // All words behind the first.
  std::vector<uint32_t> operands;
};

class SpirvModule {
 public:
  SpirvModule(const uint32_t* words, size_t count);

  std::vector<uint32_t> words() const;

  uint32_t new_id() { return header_[bound_word]++; }

  // Returns the declaration of a type or constant, or null for any other id.
  const Instruction* declaration(uint32_t id) const;

  // Returns the id of a type, or of a constant of a type, and declares what is not declared yet. operands: without the
  // result.
  uint32_t type(uint32_t operation, const std::vector<uint32_t>& operands);
  uint32_t constant(uint32_t operation, uint32_t of_type, const std::vector<uint32_t>& operands);

  // Appends to the types, constants and variables, which stand in front of the functions.
  void declare(Instruction instruction);

  // Forbids to contract the result of an operation with another.
  void keep_exact(uint32_t id);

  // The same for modules that differ by what the library makes of them for a device only: capabilities and execution
  // modes, specialization constants and the constants that replace them, and the control of loops.
  uint64_t fingerprint() const;

  // What stands in front of the types, then types, constants and variables, then the functions.
  std::vector<Instruction> preamble, declarations, functions;

 private:
  static constexpr size_t header_words = 5, bound_word = 3;

  uint32_t find_or_declare(uint32_t operation, const std::vector<uint32_t>& operands, size_t result);

  uint32_t header_[header_words];
};

}  // namespace clothc::faults
