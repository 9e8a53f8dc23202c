// A value of a reference's JSON with its path, and the .bin its data references point into. Every access checks type,
// range and bounds and throws InputError naming the file, the path and the value, so that no file can crash us.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace clothc_tool {

struct ReferenceFile {
  explicit ReferenceFile(const std::string& path);  // reads the header and the .bin that it names
  ReferenceFile(const ReferenceFile&) = delete;     // fields point into it

  std::string path;
  nlohmann::json header;
  std::string data;  // the .bin
};

class ReferenceField {
 public:
  explicit ReferenceField(const ReferenceFile& file) : file_(&file), value_(&file.header) {}

  bool has(const std::string& key) const;  // present and not null
  ReferenceField at(const std::string& key) const;
  ReferenceField at(std::size_t index) const;
  std::size_t size() const;               // of an array
  bool is_null(std::size_t index) const;  // of an array's entry
  std::vector<std::string> keys() const;  // of an object

  double number() const;
  uint32_t unsigned_integer(uint32_t maximum) const;
  std::string text() const;
  std::vector<double> numbers() const;  // a number, a boolean, or an array of them

  // Data references: [rows][columns], columns 1 for flat arrays; a row count of 0 is allowed.
  std::vector<float> floats(uint32_t columns) const;
  std::vector<float> floats(uint32_t columns, uint64_t rows) const;
  std::vector<uint32_t> indices(uint32_t columns, uint64_t limit) const;  // each below limit

  [[noreturn]] void fail(const std::string& what) const;

 private:
  ReferenceField(const ReferenceFile& file, const nlohmann::json& value, std::string path)
      : file_(&file), value_(&value), path_(std::move(path)) {}
  // Bytes of a data reference of 4-byte elements; checks dtype, shape and bounds.
  const char* bytes(const char* dtype, uint32_t columns, uint64_t& element_count) const;
  void require_rows(uint64_t element_count, uint32_t columns, uint64_t rows) const;

  const ReferenceFile* file_;
  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace clothc_tool
