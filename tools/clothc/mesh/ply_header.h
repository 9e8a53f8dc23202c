// ply_header.h - parses the header of a PLY file, which lists the file's elements in order and the properties of each.
// Source: Greg Turk, "The PLY Polygon File Format", 1994.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clothc_tool {

enum class PlyFormat { Ascii, LittleEndian, BigEndian };
enum class PlyType { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

struct PlyProperty {
  std::string name;
  PlyType type;
  bool is_list = false;

  // Type of a list's length; always an integer type.
  PlyType count_type = PlyType::Uint8;
};

struct PlyElement {
  std::string name;
  uint64_t count;
  std::vector<PlyProperty> properties;

  // Line of the header that declares the element.
  size_t line;

  // Returns the index of a property, or -1 if the element does not have it.
  int find(const std::string& property) const;
};

struct PlyHeader {
  PlyFormat format;
  std::vector<PlyElement> elements;

  // Byte offset at which the first element begins in the file, and the number of that line, counted from 1.
  size_t body;
  size_t body_line;
};

size_t size_of(PlyType type);

// Parses the header of a file whose contents are text. Throws InputError, which names the line.
PlyHeader read_ply_header(const std::string& path, const std::string& text);

}  // namespace clothc_tool
