// errors.h - the exception for what a user can put right: files, fields and options.
#pragma once

#include <stdexcept>
#include <string>

namespace clothc_tool {

// Message with file, line or field, the value seen and the remedy; main turns it into exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace clothc_tool
