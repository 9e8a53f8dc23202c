// declarations.cpp - the parsing of declarations.
#include "cuda/device/ptx/declarations.h"

#include <array>
#include <utility>

namespace ptx {
namespace {

// The size of a fundamental type in bytes, or 0 if it is none that can be stored.
uint32_t size_of_type(std::string_view type) {
  if (type.size() < 3 || type.size() > 4 || type[0] != '.') return 0;
  const bool is_known = type[1] == 'b' || type[1] == 'u' || type[1] == 's' || type[1] == 'f';
  const std::string_view bits = type.substr(2);
  if (!is_known) return 0;
  return bits == "8" ? 1 : bits == "16" ? 2 : bits == "32" ? 4 : bits == "64" ? 8 : 0;
}

char kind_of_register(Tokens& tokens) {
  const std::string_view type = tokens.peek();
  if (type == ".pred") return 'p';
  const uint32_t size = size_of_type(type);
  if (size < 2) tokens.fail("registers of type '" + std::string(type) + "' are not known");
  return size == 2 ? 'h' : size == 4 ? 'w' : 'd';
}

bool is_power_of_two(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

}  // namespace

Variable parse_variable(Tokens& tokens) {
  Variable variable;
  int64_t alignment = 0;
  if (tokens.take(".align")) {
    alignment = tokens.integer();
    if (!is_power_of_two(alignment)) tokens.fail("an alignment is not a power of two");
  }
  const uint32_t element = size_of_type(tokens.peek());
  if (element == 0) tokens.fail("variables of type '" + std::string(tokens.peek()) + "' are not known");
  tokens.next();
  // Attributes of pointers, which say what they point to.
  if (tokens.take(".ptr")) {
    while (!tokens.at_end() && tokens.peek()[0] == '.') {
      if (tokens.next() == ".align") tokens.integer();
    }
  }
  if (!is_word(tokens.peek())) tokens.fail("found " + tokens.shown() + ", want the name of a variable");
  variable.name = tokens.next();
  int64_t count = 1;
  while (tokens.take("[")) {
    count *= tokens.peek() == "]" ? 0 : tokens.integer();
    tokens.expect("]");
  }
  if (count < 0 || count * element > INT32_MAX) tokens.fail("a variable is too large");
  variable.alignment = alignment == 0 ? element : static_cast<uint32_t>(alignment);
  variable.size = static_cast<uint32_t>(count) * element;
  return variable;
}

std::vector<RegisterRange> parse_registers(Tokens& tokens) {
  std::vector<RegisterRange> ranges;
  const char kind = kind_of_register(tokens);
  tokens.next();
  do {
    if (!is_word(tokens.peek())) tokens.fail("found " + tokens.shown() + ", want the name of a register");
    RegisterRange range{tokens.next(), 0, kind};
    if (tokens.take("<")) {
      range.count = static_cast<uint32_t>(tokens.integer());
      tokens.expect(">");
    }
    ranges.push_back(range);
  } while (tokens.take(","));
  tokens.expect(";");
  return ranges;
}

}  // namespace ptx
