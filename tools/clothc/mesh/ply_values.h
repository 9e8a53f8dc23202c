// ply_values.h - reads the numbers after a PLY header one by one, from ASCII or from binary data of either byte order.
#pragma once

#include <cstdint>
#include <string>

#include "mesh/ply_header.h"

namespace clothc_tool {

class PlyValues {
 public:
  PlyValues(const std::string& path, const std::string& text, const PlyHeader& header)
      : path_(path), text_(text), format_(header.format), position_(header.body), line_(header.body_line) {}

  // Declares that the next numbers belong to item `index` of an element; error messages name it.
  void enter(const PlyElement& element, uint64_t index) { element_ = &element, index_ = index; }

  // Throws if the rest of the file is too short for all items of the element, even if all their lists are empty.
  void require(const PlyElement& element) const;

  double next(PlyType type);

  // Reads the length of a list whose items have the given type. Throws if the rest of the file cannot hold so many.
  size_t next_count(PlyType count_type, PlyType type);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  double next_ascii();
  double next_binary(PlyType type);
  size_t smallest_size(PlyType type) const { return format_ == PlyFormat::Ascii ? 2 : size_of(type); }

  const std::string &path_, &text_;
  PlyFormat format_;
  size_t position_, line_;
  const PlyElement* element_ = nullptr;
  uint64_t index_ = 0;
};

}  // namespace clothc_tool
