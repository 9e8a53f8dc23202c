// ply_values.cpp - reads numbers from memory and never reads beyond its end.
#include "mesh/ply_values.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

template <typename T>
double as_double(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

void PlyValues::require(const PlyElement& element) const {
  size_t size = 0;
  for (const PlyProperty& property : element.properties) {
    size += smallest_size(property.is_list ? property.count_type : property.type);
  }
  // In ASCII the last number needs no space behind it.
  const size_t rest = text_.size() - position_ + (format_ == PlyFormat::Ascii);
  if (size > 0 && element.count > rest / size) {
    throw InputError(path_ + ":" + std::to_string(element.line) + ": the header promises " +
                     std::to_string(element.count) + " of element " + element.name +
                     ", but the file ends too early; it is truncated or its header is wrong");
  }
}

double PlyValues::next(PlyType type) { return format_ == PlyFormat::Ascii ? next_ascii() : next_binary(type); }

size_t PlyValues::next_count(PlyType count_type, PlyType type) {
  const double count = next(count_type);
  const size_t most = (text_.size() - position_ + 1) / smallest_size(type);
  if (!(count >= 0) || count != static_cast<double>(static_cast<int64_t>(std::min(count, 1e15))) ||
      count > static_cast<double>(most)) {
    fail("has a list of " + std::to_string(count) + " entries; want a whole number that the file can hold");
  }
  return static_cast<size_t>(count);
}

double PlyValues::next_ascii() {
  while (position_ < text_.size() && is_space(text_[position_])) line_ += text_[position_++] == '\n';
  if (position_ == text_.size()) fail("is incomplete: the file ends here; it is truncated");
  const char* begin = text_.c_str() + position_;
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  if (end == begin || (*end != '\0' && !is_space(*end))) fail("holds something that is no number");
  position_ += static_cast<size_t>(end - begin);
  return value;
}

double PlyValues::next_binary(PlyType type) {
  const size_t size = size_of(type);
  if (text_.size() - position_ < size) fail("is incomplete: the file ends here; it is truncated");
  unsigned char bytes[8];
  std::memcpy(bytes, text_.data() + position_, size);
  if (format_ == PlyFormat::BigEndian) std::reverse(bytes, bytes + size);
  position_ += size;
  switch (type) {
    case PlyType::Int8:
      return as_double<int8_t>(bytes);
    case PlyType::Uint8:
      return as_double<uint8_t>(bytes);
    case PlyType::Int16:
      return as_double<int16_t>(bytes);
    case PlyType::Uint16:
      return as_double<uint16_t>(bytes);
    case PlyType::Int32:
      return as_double<int32_t>(bytes);
    case PlyType::Uint32:
      return as_double<uint32_t>(bytes);
    case PlyType::Float32:
      return as_double<float>(bytes);
    case PlyType::Float64:
      break;
  }
  return as_double<double>(bytes);
}

void PlyValues::fail(const std::string& what) const {
  const std::string line_number = format_ == PlyFormat::Ascii ? ":" + std::to_string(line_) : "";
  throw InputError(path_ + line_number + ": " + element_->name + " " + std::to_string(index_) + " " + what);
}

}  // namespace clothc_tool
