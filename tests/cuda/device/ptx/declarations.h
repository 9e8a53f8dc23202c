// declarations.h - the declarations of a text: variables of the parameter, shared and local spaces, and registers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/device/ptx/tokens.h"

namespace ptx {

// A variable, such as `.align 4 .b8 name[512]`.
struct Variable {
  std::string_view name;
  uint32_t alignment = 1;
  uint32_t size = 0;
};

// Parses what follows the space, up to and without the comma, parenthesis or semicolon behind it.
Variable parse_variable(Tokens& tokens);

// Registers, such as `%r<321>`: `%r0` to `%r320`. Without a count, a single one.
struct RegisterRange {
  std::string_view prefix;
  uint32_t count = 0;
  // As in Form.
  char kind = 'w';
};

// Parses what follows `.reg`, with the semicolon.
std::vector<RegisterRange> parse_registers(Tokens& tokens);

// Returns the smallest multiple of the alignment that is not below the offset.
inline uint32_t align(uint32_t offset, uint32_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

}  // namespace ptx
