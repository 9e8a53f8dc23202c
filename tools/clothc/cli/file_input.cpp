// file_input.cpp - reads a whole file; a folder is reported as an error.
#include "cli/file_input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/errors.h"

namespace clothc_tool {

std::string read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::string text;
  if (file) {
    char block[65536];
    while (const size_t size = std::fread(block, 1, sizeof block, file)) text.append(block, size);
  }
  const int error = file && !std::ferror(file) ? 0 : errno;
  if (file) std::fclose(file);
  if (error) throw InputError("cannot read '" + path + "': " + std::strerror(error) + "; check the path");
  return text;
}

}  // namespace clothc_tool
