// field.cpp - checked access to a reference's JSON header and its binary data.
#include "replay/field.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

constexpr uint64_t kMaximumElements = uint64_t{1} << 30;

std::string read_bytes(const std::string& path, const char* remedy) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream contents;
  if (!stream || !(contents << stream.rdbuf())) throw InputError(path + ": cannot be read; " + remedy);
  return contents.str();
}

std::string shorten(const std::string& text) { return text.size() > 60 ? text.substr(0, 60) + "..." : text; }

}  // namespace

ReferenceFile::ReferenceFile(const std::string& header_path) : path(header_path) {
  const std::string text = read_bytes(path, "give the .json header of a clothref-1 reference");
  try {
    header = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path + ": not valid JSON: " + error.what());
  }
  const ReferenceField top(*this);
  if (!top.has("format") || top.at("format").text() != "clothref-1")
    throw InputError(path + ": field \"format\" is not \"clothref-1\"; give the .json header of such a reference");
  const std::string name = top.at("bin").text();
  if (name.find('/') != std::string::npos) top.at("bin").fail("want the name of a file in the same folder");
  const std::size_t slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
  data = read_bytes(folder + name, "it must lie beside the header that names it in \"bin\"");
}

void ReferenceField::fail(const std::string& what) const {
  const std::string shown = value_->is_structured()
                                ? std::string(value_->type_name())
                                : value_->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  throw InputError(file_->path + ": " + (path_.empty() ? "top level" : path_) + " is " + shorten(shown) + "; " + what);
}

bool ReferenceField::has(const std::string& key) const {
  return value_->is_object() && value_->contains(key) && !(*value_)[key].is_null();
}

ReferenceField ReferenceField::at(const std::string& key) const {
  if (!value_->is_object()) fail("want an object with a field \"" + key + "\"");
  const auto found = value_->find(key);
  if (found == value_->end()) fail("the field \"" + key + "\" is missing");
  return ReferenceField(*file_, *found, path_.empty() ? key : path_ + "." + key);
}

ReferenceField ReferenceField::at(std::size_t index) const {
  if (index >= size()) fail("want at least " + std::to_string(index + 1) + " entries");
  return ReferenceField(*file_, (*value_)[index], path_ + "[" + std::to_string(index) + "]");
}

std::size_t ReferenceField::size() const {
  if (!value_->is_array()) fail("want an array");
  return value_->size();
}

bool ReferenceField::is_null(std::size_t index) const {
  if (index >= size()) fail("want at least " + std::to_string(index + 1) + " entries");
  return (*value_)[index].is_null();
}

std::vector<std::string> ReferenceField::keys() const {
  if (!value_->is_object()) fail("want an object");
  std::vector<std::string> result;
  for (const auto& item : value_->items()) result.push_back(item.key());
  return result;
}

double ReferenceField::number() const {
  // The limit ensures that every number in the file can be converted to float.
  constexpr double kLargest = static_cast<double>(std::numeric_limits<float>::max());
  if (!value_->is_number() || !(std::fabs(value_->get<double>()) <= kLargest)) fail("want a finite float");
  return value_->get<double>();
}

uint32_t ReferenceField::unsigned_integer(uint32_t maximum) const {
  const double value = number();
  if (value < 0 || value > maximum || value != std::floor(value))
    fail("want a whole number in 0 .. " + std::to_string(maximum));
  return static_cast<uint32_t>(value);
}

std::string ReferenceField::text() const {
  if (!value_->is_string()) fail("want a string");
  return value_->get<std::string>();
}

std::vector<double> ReferenceField::numbers() const {
  if (value_->is_boolean()) return {value_->get<bool>() ? 1.0 : 0.0};
  if (!value_->is_array()) return {number()};
  std::vector<double> result;
  for (std::size_t i = 0; i < size(); ++i) result.push_back(at(i).number());
  return result;
}

const char* ReferenceField::bytes(const char* dtype, uint32_t columns, uint64_t& element_count) const {
  if (at("dtype").text() != dtype) at("dtype").fail(std::string("want \"") + dtype + "\"");
  const ReferenceField shape = at("shape");
  element_count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    element_count *= shape.at(i).unsigned_integer(1u << 30);
    if (element_count > kMaximumElements) shape.fail("want at most 2^30 elements");
  }
  const bool flat = columns == 1 && shape.size() == 1;
  if (!flat && !(shape.size() == 2 && shape.at(std::size_t{1}).unsigned_integer(1u << 30) == columns))
    shape.fail("want a shape of [n" + (columns == 1 ? std::string("]") : "," + std::to_string(columns) + "]"));
  const double offset = at("offset").number();
  const double size = static_cast<double>(file_->data.size());
  if (offset < 0 || offset != std::floor(offset) || offset + 4.0 * static_cast<double>(element_count) > size)
    at("offset").fail("with " + std::to_string(element_count) + " elements of 4 bytes it ends beyond the .bin of " +
                      std::to_string(file_->data.size()) + " bytes");
  return file_->data.data() + static_cast<std::size_t>(offset);
}

std::vector<float> ReferenceField::floats(uint32_t columns) const {
  uint64_t count = 0;
  const char* source = bytes("f4", columns, count);
  std::vector<float> result(count);
  if (count != 0) std::memcpy(result.data(), source, count * sizeof(float));
  return result;
}

std::vector<float> ReferenceField::floats(uint32_t columns, uint64_t rows) const {
  std::vector<float> result = floats(columns);
  require_rows(result.size(), columns, rows);
  return result;
}

void ReferenceField::require_rows(uint64_t element_count, uint32_t columns, uint64_t rows) const {
  if (element_count != rows * columns)
    at("shape").fail("it has " + std::to_string(element_count / columns) + " rows; want " + std::to_string(rows));
}

std::vector<uint32_t> ReferenceField::indices(uint32_t columns, uint64_t limit) const {
  uint64_t count = 0;
  const char* source = bytes("u4", columns, count);
  std::vector<uint32_t> result(count);
  if (count != 0) std::memcpy(result.data(), source, count * sizeof(uint32_t));
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i] >= limit)
      fail("its entry " + std::to_string(i) + " is " + std::to_string(result[i]) + "; want below " +
           std::to_string(limit));
  return result;
}

}  // namespace clothc_tool
