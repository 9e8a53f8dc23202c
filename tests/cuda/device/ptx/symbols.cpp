// symbols.cpp - the look-up of names, from the innermost scope outward.
#include "cuda/device/ptx/symbols.h"

#include <charconv>

namespace ptx {

void Symbols::open_scope() {
  Scope scope;
  if (!open_.empty()) scope.around = open_.back();
  open_.push_back(static_cast<uint32_t>(scopes_.size()));
  scopes_.push_back(std::move(scope));
}

bool Symbols::close_scope() {
  if (open_.size() < 2) return false;
  open_.pop_back();
  return true;
}

void Symbols::add_registers(const RegisterRange& range) { scopes_[scope()].ranges.push_back(range); }

bool Symbols::add_label(std::string_view name, uint32_t instruction) {
  return scopes_[scope()].labels.emplace(name, instruction).second;
}

// Returns the range that declares the register, or null.
const RegisterRange* Symbols::find_range(const Scope& scope, std::string_view name) {
  for (const RegisterRange& range : scope.ranges) {
    if (range.count == 0 && range.prefix == name) return &range;
    if (range.count == 0 || name.size() <= range.prefix.size()) continue;
    if (name.substr(0, range.prefix.size()) != range.prefix) continue;
    const char* const end = name.data() + name.size();
    uint32_t number = 0;
    const auto read = std::from_chars(name.data() + range.prefix.size(), end, number);
    if (read.ec == std::errc() && read.ptr == end && number < range.count) return &range;
  }
  return nullptr;
}

std::optional<uint32_t> Symbols::find_register(std::string_view name) {
  for (auto number = std::optional<uint32_t>(scope()); number; number = scopes_[*number].around) {
    Scope& scope = scopes_[*number];
    const auto found = scope.registers.find(name);
    if (found != scope.registers.end()) return found->second;
    if (const RegisterRange* const range = find_range(scope, name)) {
      return scope.registers[name] = add_register(range->kind, false);
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> Symbols::find_variable(std::string_view name) const {
  for (auto number = std::optional<uint32_t>(scope()); number; number = scopes_[*number].around) {
    const auto found = scopes_[*number].variables.find(name);
    if (found != scopes_[*number].variables.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<uint32_t> Symbols::find_label(std::string_view name, uint32_t scope) const {
  for (auto number = std::optional<uint32_t>(scope); number; number = scopes_[*number].around) {
    const auto found = scopes_[*number].labels.find(name);
    if (found != scopes_[*number].labels.end()) return found->second;
  }
  return std::nullopt;
}

uint32_t Symbols::constant(char kind, uint64_t value) {
  const auto [found, is_new] = constants.emplace(std::pair(kind, value), 0);
  if (is_new) found->second = add_register(kind, true);
  return found->second;
}

uint32_t Symbols::special(Special special) {
  const auto [found, is_new] = specials.emplace(special, 0);
  if (is_new) found->second = add_register('w', true);
  return found->second;
}

uint32_t Symbols::add_register(char kind, bool is_fixed) {
  registers.push_back({kind, is_fixed, 0});
  return static_cast<uint32_t>(registers.size() - 1);
}

}  // namespace ptx
