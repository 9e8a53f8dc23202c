// file_output.h - output files that appear complete or not at all: they are written under a temporary name and renamed
// when they are complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace clothc_tool {

// Creates a folder and its parents. Throws InputError if that fails.
void create_folder(const std::string& path);

class FileOutput {
 public:
  // Throws InputError if the file cannot be created.
  explicit FileOutput(std::string path);

  // Removes the temporary file unless commit() was called.
  ~FileOutput();

  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  void write(const void* data, size_t size);
  void write(const std::string& text) { write(text.data(), text.size()); }

  // Overwrites bytes at the given offset; the next write() appends at the end of the file again.
  void overwrite(uint64_t offset, const void* data, size_t size);

  void commit();
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  std::string temporary_path_;
  std::FILE* file_ = nullptr;
};

}  // namespace clothc_tool
