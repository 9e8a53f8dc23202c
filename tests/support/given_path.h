// given_path.h - where tests find files: where the build has them, or where an environment variable says. Programs that
// were taken to another machine have their files elsewhere.
#pragma once

#include <cstdlib>
#include <string>

namespace clothc_test {

inline std::string given_path(const char* variable, const std::string& built) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? built : given;
}

}  // namespace clothc_test
