// module_faults.cpp - see module_faults.h. Everything that replaces an operation gives its result the id of the old one,
// so that no use of it must be changed.
#include "vulkan/module_faults.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace clothc::faults {
namespace {

constexpr uint32_t smallest_normal = 0x00800000, exponent_bits = 0x7f800000, sign_bit = 0x80000000,
                   magnitude_bits = 0x7fffffff;
constexpr uint32_t storage_private = 6, storage_function = 7;

// Appends operations on floats of one type, a scalar or a vector.
class Emitter {
 public:
  Emitter(SpirvModule& module, std::vector<Instruction>& out, uint32_t type) : module_(module), out_(out), type_(type) {
    const Instruction* const declared = module_.declaration(type);
    if (declared->operation == op_type_vector) width_ = declared->operands[2];
    bits_ = shaped(module_.type(op_type_int, {32, 0}));
    truth_ = shaped(module_.type(op_type_bool, {}));
  }

  // The operands are ids. A number is not contracted with anything.
  uint32_t number(uint32_t operation, const std::vector<uint32_t>& operands) {
    const uint32_t result = append(operation, type_, operands, module_.new_id());
    module_.keep_exact(result);
    return result;
  }
  uint32_t bits(uint32_t operation, const std::vector<uint32_t>& operands) {
    return append(operation, bits_, operands, module_.new_id());
  }
  uint32_t truth(uint32_t operation, const std::vector<uint32_t>& operands) {
    return append(operation, truth_, operands, module_.new_id());
  }
  void result(uint32_t id, uint32_t operation, const std::vector<uint32_t>& operands) {
    append(operation, type_, operands, id);
  }
  uint32_t float_constant(uint32_t word) { return constant(type_, word); }
  uint32_t bits_constant(uint32_t word) { return constant(bits_, word); }

  // A component of a vector, where the type is that of the components.
  uint32_t component(uint32_t vector, uint32_t number) {
    return append(op_composite_extract, type_, {vector, number}, module_.new_id());
  }
  // A scalar of the component's type in every component.
  uint32_t spread(uint32_t scalar) {
    return append(op_composite_construct, type_, std::vector<uint32_t>(width_, scalar), module_.new_id());
  }

 private:
  uint32_t shaped(uint32_t scalar) { return width_ == 1 ? scalar : module_.type(op_type_vector, {scalar, width_}); }

  uint32_t constant(uint32_t type, uint32_t word) {
    if (width_ == 1) return module_.constant(op_constant, type, {word});
    const uint32_t part = module_.constant(op_constant, module_.declaration(type)->operands[1], {word});
    return module_.constant(op_constant_composite, type, std::vector<uint32_t>(width_, part));
  }

  uint32_t append(uint32_t operation, uint32_t type, const std::vector<uint32_t>& operands, uint32_t id) {
    Instruction instruction{operation, {type, id}};
    instruction.operands.insert(instruction.operands.end(), operands.begin(), operands.end());
    out_.push_back(std::move(instruction));
    return id;
  }

  SpirvModule& module_;
  std::vector<Instruction>& out_;
  uint32_t type_, bits_ = 0, truth_ = 0, width_ = 1;
};

// Rewrites the operations in the functions: `rewrite` appends what replaces an instruction to a list, or returns false.
template <typename Rewrite>
void replace(SpirvModule& module, Rewrite rewrite) {
  std::vector<Instruction> old = std::move(module.functions), fresh;
  for (Instruction& one : old) {
    if (!rewrite(one, fresh)) fresh.push_back(std::move(one));
  }
  module.functions = std::move(fresh);
}

// ------------------------------------------------------------------------------------------------- fused multiply-add

struct Product {
  uint32_t operation, left, right;
  // Which component of the product of vectors it is, if it is one.
  std::optional<uint32_t> component;
};

// The products that are used once, by the ids of their results, and such components of products of vectors. A literal
// that has the number of a product counts as a use, which loses a few.
std::map<uint32_t, Product> products_used_once(const SpirvModule& module) {
  std::map<uint32_t, uint32_t> uses;
  for (const Instruction& one : module.functions) {
    for (const uint32_t operand : one.operands) ++uses[operand];
  }
  std::map<uint32_t, Product> all, found;
  for (const Instruction& one : module.functions) {
    const bool is_product = one.operation == op_f_mul || one.operation == op_vector_times_scalar;
    const auto whole = all.find(one.operation == op_composite_extract ? one.operands[2] : 0);
    if (!is_product && whole == all.end()) continue;
    const uint32_t id = one.operands[1];
    const Product product =
        is_product ? Product{one.operation, one.operands[2], one.operands[3], {}}
                   : Product{whole->second.operation, whole->second.left, whole->second.right, one.operands[3]};
    if (is_product) all[id] = product;
    // One use is the definition.
    if (uses[id] == 2) found[id] = product;
  }
  return found;
}

// What rounding has taken from product = a * b.
// Source: Dekker 1971, "A floating-point technique for extending the available precision".
uint32_t error_of_product(Emitter& emit, uint32_t a, uint32_t b, uint32_t product) {
  const uint32_t splitter = emit.float_constant(0x45800800);  // 2^12 + 1
  const auto high_part = [&](uint32_t x) {
    const uint32_t large = emit.number(op_f_mul, {splitter, x});
    return emit.number(op_f_sub, {large, emit.number(op_f_sub, {large, x})});
  };
  const uint32_t a_high = high_part(a), b_high = high_part(b);
  const uint32_t a_low = emit.number(op_f_sub, {a, a_high}), b_low = emit.number(op_f_sub, {b, b_high});
  uint32_t error = emit.number(op_f_sub, {emit.number(op_f_mul, {a_high, b_high}), product});
  error = emit.number(op_f_add, {error, emit.number(op_f_mul, {a_high, b_low})});
  error = emit.number(op_f_add, {error, emit.number(op_f_mul, {a_low, b_high})});
  return emit.number(op_f_add, {error, emit.number(op_f_mul, {a_low, b_low})});
}

// a * b + c, rounded once but for ties; or twice where something on the way overflows.
void emit_fused(Emitter& emit, uint32_t id, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t product = emit.number(op_f_mul, {a, b});
  const uint32_t product_error = error_of_product(emit, a, b, product);
  const uint32_t sum = emit.number(op_f_add, {product, c});
  // What rounding has taken from the sum. Source: Knuth, "The Art of Computer Programming", 4.2.2, theorem B.
  const uint32_t from_c = emit.number(op_f_sub, {sum, product});
  const uint32_t from_product = emit.number(op_f_sub, {sum, from_c});
  const uint32_t sum_error =
      emit.number(op_f_add, {emit.number(op_f_sub, {product, from_product}), emit.number(op_f_sub, {c, from_c})});
  const uint32_t fused = emit.number(op_f_add, {sum, emit.number(op_f_add, {sum_error, product_error})});
  emit.result(id, op_select, {emit.truth(op_f_unord_not_equal, {fused, fused}), sum, fused});
}

void contract(SpirvModule& module) {
  const std::map<uint32_t, Product> products = products_used_once(module);
  replace(module, [&](const Instruction& one, std::vector<Instruction>& out) {
    if (one.operation != op_f_add && one.operation != op_f_sub) return false;
    for (const size_t place : {2, 3}) {
      const auto found = products.find(one.operands[place]);
      if (found == products.end()) continue;
      Emitter emit(module, out, one.operands[0]);
      uint32_t a = found->second.left, b = found->second.right, c = one.operands[5 - place];
      const bool is_scaled = found->second.operation == op_vector_times_scalar;
      if (found->second.component.has_value()) {
        a = emit.component(a, *found->second.component);
        if (!is_scaled) b = emit.component(b, *found->second.component);
      } else if (is_scaled) {
        b = emit.spread(b);
      }
      if (one.operation == op_f_sub && place == 2) c = emit.number(op_f_negate, {c});
      if (one.operation == op_f_sub && place == 3) a = emit.number(op_f_negate, {a});
      emit_fused(emit, one.operands[1], a, b, c);
      return true;
    }
    return false;
  });
}

// ------------------------------------------------------------------------------------------------------ wrong results

// Quotients that are zero, denormal, infinite or NaN, or would become infinite, stay.
void divide_up(SpirvModule& module) {
  replace(module, [&](const Instruction& one, std::vector<Instruction>& out) {
    if (one.operation != op_f_div) return false;
    Emitter emit(module, out, one.operands[0]);
    const uint32_t quotient = emit.number(op_f_div, {one.operands[2], one.operands[3]});
    const uint32_t bits = emit.bits(op_bitcast, {quotient});
    const uint32_t magnitude = emit.bits(op_bitwise_and, {bits, emit.bits_constant(magnitude_bits)});
    const uint32_t above = emit.bits(op_i_sub, {magnitude, emit.bits_constant(smallest_normal)});
    const uint32_t largest = emit.bits_constant(exponent_bits - 1 - smallest_normal);
    const uint32_t error = emit.bits(
        op_select, {emit.truth(op_u_less_than, {above, largest}), emit.bits_constant(1), emit.bits_constant(0)});
    emit.result(one.operands[1], op_bitcast, {emit.bits(op_i_add, {bits, error})});
    return true;
  });
}

void flush(SpirvModule& module) {
  replace(module, [&](const Instruction& one, std::vector<Instruction>& out) {
    if (one.operation != op_f_add && one.operation != op_f_sub && one.operation != op_f_mul &&
        one.operation != op_f_div && one.operation != op_vector_times_scalar) {
      return false;
    }
    Emitter emit(module, out, one.operands[0]);
    const uint32_t bits = emit.bits(op_bitcast, {emit.number(one.operation, {one.operands[2], one.operands[3]})});
    const uint32_t exponent = emit.bits(op_bitwise_and, {bits, emit.bits_constant(exponent_bits)});
    const uint32_t zero = emit.bits(op_bitwise_and, {bits, emit.bits_constant(sign_bit)});
    const uint32_t is_small = emit.truth(op_i_equal, {exponent, emit.bits_constant(0)});
    emit.result(one.operands[1], op_bitcast, {emit.bits(op_select, {is_small, zero, bits})});
    return true;
  });
}

// --------------------------------------------------------------------------------------------------- undefined values

// Returns the operation and the operands of a constant of a type, which are not zeros: a signalling NaN, a large odd
// number, or true.
Instruction garbage_of(SpirvModule& module, uint32_t type);

uint32_t garbage_constant(SpirvModule& module, uint32_t type) {
  const Instruction value = garbage_of(module, type);
  return module.constant(value.operation, type, value.operands);
}

Instruction garbage_of(SpirvModule& module, uint32_t type) {
  constexpr uint32_t not_a_number = 0x7fa5a5a5, large = 0xa5a5a5a5;
  const Instruction declared = *module.declaration(type);
  std::vector<uint32_t> parts;
  switch (declared.operation) {
    case op_type_bool:
      return {op_constant_true, {}};
    case op_type_int:
      return {op_constant, {large}};
    case op_type_float:
      return {op_constant, {not_a_number}};
    case op_type_vector:
      parts.assign(declared.operands[2], garbage_constant(module, declared.operands[1]));
      break;
    case op_type_array:
      parts.assign(module.declaration(declared.operands[2])->operands[2],
                   garbage_constant(module, declared.operands[1]));
      break;
    default:
      for (size_t k = 1; k < declared.operands.size(); ++k) {
        parts.push_back(garbage_constant(module, declared.operands[k]));
      }
  }
  return {op_constant_composite, parts};
}

bool is_undefined_variable(const Instruction& one) {
  return one.operation == op_variable && one.operands.size() == 3 &&
         (one.operands[2] == storage_private || one.operands[2] == storage_function);
}

// Gives the variable an initial value.
void initialise(SpirvModule& module, Instruction& variable) {
  const uint32_t pointee = module.declaration(variable.operands[0])->operands[2];
  variable.operands.push_back(garbage_constant(module, pointee));
}

void declare_garbage(SpirvModule& module, const Instruction& undefined) {
  Instruction value = garbage_of(module, undefined.operands[0]);
  value.operands.insert(value.operands.begin(), undefined.operands.begin(), undefined.operands.end());
  module.declare(std::move(value));
}

void fill_with_garbage(SpirvModule& module) {
  // Declarations that change move behind all others, so that their values stand in front of them.
  const auto is_defined = [](const Instruction& one) {
    return one.operation != op_undef && !is_undefined_variable(one);
  };
  std::vector<Instruction>& all = module.declarations;
  const auto undefined_begin = std::stable_partition(all.begin(), all.end(), is_defined);
  std::vector<Instruction> undefined(undefined_begin, all.end());
  all.erase(undefined_begin, all.end());
  for (Instruction& one : undefined) {
    if (one.operation == op_undef) {
      declare_garbage(module, one);
    } else {
      initialise(module, one);
      module.declare(one);
    }
  }
  replace(module, [&](Instruction& one, std::vector<Instruction>&) {
    if (is_undefined_variable(one)) initialise(module, one);
    if (one.operation == op_undef) declare_garbage(module, one);
    return one.operation == op_undef;
  });
}

void drop_barriers(SpirvModule& module) {
  replace(module, [](const Instruction& one, std::vector<Instruction>&) {
    return one.operation == op_control_barrier || one.operation == op_memory_barrier;
  });
}

struct NamedFault {
  const char* name;
  void (*plant)(SpirvModule&);
};
// In the order of ModuleFault.
constexpr NamedFault all_faults[] = {{"contract", contract},
                                     {"divide_up", divide_up},
                                     {"flush", flush},
                                     {"garbage", fill_with_garbage},
                                     {"no_barriers", drop_barriers}};

}  // namespace

std::optional<ModuleFault> find_module_fault(const std::string& name) {
  for (size_t k = 0; k < std::size(all_faults); ++k) {
    if (name == all_faults[k].name) return static_cast<ModuleFault>(k);
  }
  return std::nullopt;
}

void plant(SpirvModule& module, ModuleFault fault) { all_faults[static_cast<size_t>(fault)].plant(module); }

}  // namespace clothc::faults
