// body.h - parses the body of a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/device/ptx/code.h"
#include "cuda/device/ptx/declarations.h"

namespace ptx {

// A variable outside of kernels.
struct SharedVariable {
  Variable variable;
  // Whether it is the memory whose size the launch says.
  bool is_dynamic = false;
};

struct Body {
  std::string name;
  // What is between the braces, and its line.
  std::string_view text;
  uint32_t line = 1;
  // The addresses of the parameters.
  std::vector<std::pair<std::string_view, uint32_t>> parameters;
  uint32_t parameter_size = 0;
  const std::vector<SharedVariable>* shared_variables = nullptr;
};

// Throws ParseError.
std::shared_ptr<const Code> parse_body(const Body& body);

}  // namespace ptx
