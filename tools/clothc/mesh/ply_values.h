// ply_values.h - the numbers behind a PLY header, one after the other, in ascii or in binary of either byte order.
#pragma once

#include <cstdint>
#include <string>

#include "mesh/ply_header.h"

namespace clothc_tool {

class PlyValues {
 public:
  PlyValues(const std::string& path, const std::string& text, const PlyHeader& header)
      : path_(path), text_(text), format_(header.format), position_(header.body), line_(header.body_line) {}

  // Says that the numbers to come belong to number `index` of an element, for messages.
  void enter(const PlyElement& element, uint64_t index) { element_ = &element, index_ = index; }

  // Throws unless the file is long enough for that many elements with empty lists.
  void require(const PlyElement& element) const;

  double next(PlyType type);
  size_t next_count(PlyType count_type, PlyType type);  // of a list; no more than the file has room for

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
