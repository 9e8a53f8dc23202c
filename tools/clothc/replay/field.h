// field.h - checked access to a reference's JSON header and to the binary data that it refers to. Every access checks
// type, range and bounds and throws InputError, which names the file, the path and the value, so that no file can crash
// the tool.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace clothc_tool {

struct ReferenceFile {
  // Reads the header and the .bin file that it names.
  explicit ReferenceFile(const std::string& path);

  // Not copyable, because fields point into the file.
  ReferenceFile(const ReferenceFile&) = delete;

  std::string path;
  nlohmann::json header;

  // Contents of the .bin file.
  std::string data;
};

// One value of the header together with its path. The file must outlive it.
class ReferenceField {
 public:
  explicit ReferenceField(const ReferenceFile& file) : file_(&file), value_(&file.header) {}

  // Tells whether the member exists and is not null.
  bool has(const std::string& key) const;

  ReferenceField at(const std::string& key) const;
  ReferenceField at(std::size_t index) const;

  // For arrays: number of elements, and whether an element is null.
  std::size_t size() const;
  bool is_null(std::size_t index) const;

  // For objects: names of the members.
  std::vector<std::string> keys() const;

  double number() const;
  uint32_t unsigned_integer(uint32_t maximum) const;
  std::string text() const;

  // Accepts a number, a boolean, or an array of them.
  std::vector<double> numbers() const;

  // For references into the binary data: arrays of [rows][columns], or flat arrays if columns is 1. There may be 0
  // rows.
  std::vector<float> floats(uint32_t columns) const;
  std::vector<float> floats(uint32_t columns, uint64_t rows) const;

  // Every index must be below limit.
  std::vector<uint32_t> indices(uint32_t columns, uint64_t limit) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  ReferenceField(const ReferenceFile& file, const nlohmann::json& value, std::string path)
      : file_(&file), value_(&value), path_(std::move(path)) {}
  // Returns the bytes of a data reference to 4-byte elements, after checking dtype, shape and bounds.
  const char* bytes(const char* dtype, uint32_t columns, uint64_t& element_count) const;
  void require_rows(uint64_t element_count, uint32_t columns, uint64_t rows) const;

  const ReferenceFile* file_;
  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace clothc_tool
