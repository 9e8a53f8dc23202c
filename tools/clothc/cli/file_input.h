// file_input.h - reads whole files.
#pragma once

#include <string>

namespace clothc_tool {

// Returns the contents of a file. Throws InputError if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace clothc_tool
