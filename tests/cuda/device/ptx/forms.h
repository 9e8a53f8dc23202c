// forms.h - the forms of instructions that the interpreter knows, such as "add.rn.f32", with the kinds of their
// operands and what executes them. A form that is not in this table is an error of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cuda/device/ptx/code.h"

namespace ptx {

enum class Space : uint8_t { generic, global, shared, local, parameter };

struct Form {
  std::string name;
  // A letter per operand, in the order of the text. Upper case is written, lower case is read.
  //   p, h, w, d  a predicate, or a register of 16, 32, 64 bits, or an immediate value for what is read
  //   n           a register of 16 or 32 bits of which the low 8 bits are read
  //   r           as many registers as count says, of any kind that has room for size bytes
  //   a           an address
  //   q           a register of 32 bits and, after a bar, a predicate, which may be missing
  //   l           a label
  std::string operands;
  Handlers handlers{};
  Flow flow = Flow::next;
  // Accesses: the space, the size of an element in bytes, the number of elements, whether loads extend the sign.
  Space space = Space::generic;
  uint8_t size = 0;
  uint8_t count = 1;
  bool is_signed = false;
};

// Immutable once made.
class FormTable {
 public:
  static const FormTable& get();
  // Returns the form of that name, or null.
  const Form* find(std::string_view name) const;
  // In alphabetical order.
  std::vector<std::string> names() const;

  void add(Form form);
  // Adds a form that a function of one lane's values defines; see lanes.h.
  template <auto function>
  void add(const char* name);
  // Adds a form that kernels use rarely: it is slower, and quicker to compile.
  template <auto function>
  void add_rare(const char* name);

 private:
  FormTable();
  std::unordered_map<std::string, Form> forms_;
};

// Each adds the forms of its file.
void add_float_forms(FormTable& table);
void add_integer_forms(FormTable& table);
void add_bit_forms(FormTable& table);
void add_comparison_forms(FormTable& table);
void add_conversion_forms(FormTable& table);
void add_move_forms(FormTable& table);
void add_access_forms(FormTable& table);
void add_atomic_forms(FormTable& table);
void add_exchange_forms(FormTable& table);
void add_flow_forms(FormTable& table);

}  // namespace ptx
