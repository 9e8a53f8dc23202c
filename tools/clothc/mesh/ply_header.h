// ply_header.h - the header of a PLY file: which elements follow, in which order, made of which properties.
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
  PlyType count_type = PlyType::Uint8;  // of a list: an integer
};

struct PlyElement {
  std::string name;
  uint64_t count;
  std::vector<PlyProperty> properties;
  size_t line;  // that declares it

  // The place of a property, or -1.
  int find(const std::string& property) const;
};

struct PlyHeader {
  PlyFormat format;
  std::vector<PlyElement> elements;
  size_t body;       // where the first element begins in the file
  size_t body_line;  // its line, counted from 1
};

size_t size_of(PlyType type);

// Reads the header of a file whose bytes are text. Throws InputError with the line.
PlyHeader read_ply_header(const std::string& path, const std::string& text);

}  // namespace clothc_tool
