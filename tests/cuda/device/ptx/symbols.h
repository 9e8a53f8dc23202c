// symbols.h - the names of a kernel: registers, variables and labels, which braces put into scopes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cuda/device/ptx/declarations.h"
#include "cuda/device/ptx/registers.h"

namespace ptx {

class Symbols {
 public:
  Symbols() { open_scope(); }

  void open_scope();
  // Returns false if there is no scope to close.
  bool close_scope();
  uint32_t scope() const { return open_.back(); }

  void add_registers(const RegisterRange& range);
  // The value of a variable is its address in its space.
  void add_variable(std::string_view name, uint64_t address) { scopes_[scope()].variables[name] = address; }
  // Returns false if the scope has the label already.
  bool add_label(std::string_view name, uint32_t instruction);

  // Returns the number of a register, or nothing if it is not declared.
  std::optional<uint32_t> find_register(std::string_view name);
  std::optional<uint64_t> find_variable(std::string_view name) const;
  // Looks for a label in a scope and in those around it.
  std::optional<uint32_t> find_label(std::string_view name, uint32_t scope) const;

  // Return the number of a register that has its value from the begin.
  uint32_t constant(char kind, uint64_t value);
  uint32_t special(Special special);

  std::vector<Register> registers;
  // The registers that have values from the begin, by what they have.
  std::map<std::pair<char, uint64_t>, uint32_t> constants;
  std::map<Special, uint32_t> specials;

 private:
  struct Scope {
    std::optional<uint32_t> around;
    std::vector<RegisterRange> ranges;
    std::unordered_map<std::string_view, uint32_t> registers;
    std::unordered_map<std::string_view, uint64_t> variables;
    std::unordered_map<std::string_view, uint32_t> labels;
  };
  static const RegisterRange* find_range(const Scope& scope, std::string_view name);
  uint32_t add_register(char kind, bool is_fixed);

  std::vector<Scope> scopes_;
  std::vector<uint32_t> open_;
};

}  // namespace ptx
