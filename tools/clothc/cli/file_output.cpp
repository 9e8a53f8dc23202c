// file_output.cpp - writes to PATH.partial and renames it to PATH on commit.
#include "cli/file_output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/errors.h"

namespace clothc_tool {

void create_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path, error)) {
    throw InputError("cannot make the folder '" + path + "': " + (error ? error.message() : "a file has that name") +
                     "; give --out a path that can be written");
  }
}

FileOutput::FileOutput(std::string path) : path_(std::move(path)), temporary_path_(path_ + ".partial") {
  file_ = std::fopen(temporary_path_.c_str(), "wb");
  if (!file_) fail("open");
}

FileOutput::~FileOutput() {
  if (!file_) return;
  std::fclose(file_);
  std::remove(temporary_path_.c_str());
}

void FileOutput::write(const void* data, size_t size) {
  if (std::fwrite(data, 1, size, file_) != size) fail("write");
}

void FileOutput::overwrite(uint64_t offset, const void* data, size_t size) {
  if (std::fseek(file_, static_cast<long>(offset), SEEK_SET) != 0) fail("seek in");
  write(data, size);
  if (std::fseek(file_, 0, SEEK_END) != 0) fail("seek in");
}

void FileOutput::commit() {
  std::FILE* file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0) fail("close");
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) fail("rename");
}

void FileOutput::fail(const char* action) const {
  throw InputError(std::string("cannot ") + action + " '" + temporary_path_ + "': " + std::strerror(errno));
}

}  // namespace clothc_tool
