// file_output.h - files that appear whole or not at all: written under a temporary name and renamed when complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace clothc_tool {

// Makes a folder and its parents; throws InputError if that cannot be done.
void create_folder(const std::string& path);

class FileOutput {
 public:
  explicit FileOutput(std::string path);  // throws InputError if the file cannot be made
  ~FileOutput();                          // removes the temporary file unless commit() was called
  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  void write(const void* data, size_t size);
  void write(const std::string& text) { write(text.data(), text.size()); }
  void overwrite(uint64_t offset, const void* data, size_t size);  // then goes on at the end
  void commit();
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  std::string temporary_path_;
  std::FILE* file_ = nullptr;
};

}  // namespace clothc_tool
