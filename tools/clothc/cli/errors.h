// errors.h - the exception for mistakes that the user can correct in files, fields and options.
#pragma once

#include <stdexcept>
#include <string>

namespace clothc_tool {

// Its message names the file, the line or field, the value found and how to correct it. main() turns it into exit code
// 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace clothc_tool
