// ply_header.cpp - parses and checks every line of a PLY header.
#include "mesh/ply_header.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

// Files use both the type names of 1994 and those that contain the size.
constexpr std::pair<const char*, PlyType> TYPES[] = {
    {"char", PlyType::Int8},      {"uchar", PlyType::Uint8},    {"short", PlyType::Int16},
    {"ushort", PlyType::Uint16},  {"int", PlyType::Int32},      {"uint", PlyType::Uint32},
    {"float", PlyType::Float32},  {"double", PlyType::Float64}, {"int8", PlyType::Int8},
    {"uint8", PlyType::Uint8},    {"int16", PlyType::Int16},    {"uint16", PlyType::Uint16},
    {"int32", PlyType::Int32},    {"uint32", PlyType::Uint32},  {"float32", PlyType::Float32},
    {"float64", PlyType::Float64}};

class HeaderReader {
 public:
  HeaderReader(const std::string& path, const std::string& text) : path_(path), text_(text) {}

  PlyHeader read() {
    if (!next_line() || words_ != std::vector<std::string>{"ply"}) fail("want 'ply' as the first line of a PLY file");
    bool has_format = false;
    while (next_line()) {
      const std::string keyword = words_.empty() ? "" : words_[0];
      if (keyword == "end_header") {
        if (!has_format) fail("the header has no format; want a line like 'format ascii 1.0'");
        header_.body = position_;
        header_.body_line = line_ + 1;
        return std::move(header_);
      }
      if (keyword == "format") {
        read_format();
        has_format = true;
      } else if (keyword == "element") {
        read_element();
      } else if (keyword == "property") {
        read_property();
      } else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty()) {
        fail("'" + printable(keyword) +
             "' is no keyword of a PLY header; want format, element, property or end_header");
      }
    }
    fail("the header has no end; want a line 'end_header'");
  }

 private:
  // Reads the next line and splits it into words. Lines end in \n or \r\n, or in \r if the first line does.
  bool next_line() {
    if (position_ >= text_.size()) return false;
    if (line_ == 0) {
      const size_t first_end = text_.find_first_of("\r\n");
      ends_in_return_ = first_end != std::string::npos && text_[first_end] == '\r' &&
                        (first_end + 1 == text_.size() || text_[first_end + 1] != '\n');
    }
    const size_t end = std::min(text_.find(ends_in_return_ ? '\r' : '\n', position_), text_.size());
    std::istringstream words(text_.substr(position_, std::min<size_t>(end - position_, 1000)));
    words_.clear();
    for (std::string word; words >> word;) words_.push_back(word);
    position_ = std::min(end + 1, text_.size());
    ++line_;
    return true;
  }

  void read_format() {
    const std::string name = words_.size() == 3 && words_[2] == "1.0" ? words_[1] : "";
    if (name == "ascii") {
      header_.format = PlyFormat::Ascii;
    } else if (name == "binary_little_endian") {
      header_.format = PlyFormat::LittleEndian;
    } else if (name == "binary_big_endian") {
      header_.format = PlyFormat::BigEndian;
    } else {
      fail("the format is none of 'ascii 1.0', 'binary_little_endian 1.0' and 'binary_big_endian 1.0'");
    }
  }

  void read_element() {
    if (words_.size() != 3 || words_[2].size() > 18 || words_[2].find_first_not_of("0123456789") != std::string::npos) {
      fail("want 'element NAME COUNT'");
    }
    header_.elements.push_back({words_[1], std::strtoull(words_[2].c_str(), nullptr, 10), {}, line_});
  }

  void read_property() {
    const bool is_list = words_.size() == 5 && words_[1] == "list";
    if (!is_list && words_.size() != 3) fail("want 'property TYPE NAME' or 'property list COUNT_TYPE TYPE NAME'");
    if (header_.elements.empty()) fail("a property stands before the first element");
    PlyProperty property;
    property.name = words_.back();
    property.is_list = is_list;
    property.type = type_of(words_[is_list ? 3 : 1]);
    if (is_list) {
      property.count_type = type_of(words_[2]);
      if (property.count_type >= PlyType::Float32) fail("a list's count is " + words_[2] + "; want an integer type");
    }
    header_.elements.back().properties.push_back(property);
  }

  PlyType type_of(const std::string& name) const {
    for (const auto& [type_name, type] : TYPES) {
      if (name == type_name) return type;
    }
    fail("'" + printable(name) +
         "' is no type of a property; want char, uchar, short, ushort, int, uint, float or double");
  }

  static std::string printable(std::string text) {
    text.resize(std::min<size_t>(text.size(), 40));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_ + ":" + std::to_string(std::max<size_t>(line_, 1)) + ": " + what);
  }

  const std::string &path_, &text_;
  PlyHeader header_ = {};
  std::vector<std::string> words_;
  bool ends_in_return_ = false;
  size_t position_ = 0, line_ = 0;
};

}  // namespace

int PlyElement::find(const std::string& property) const {
  for (size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].name == property) return static_cast<int>(i);
  }
  return -1;
}

size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::Int8:
    case PlyType::Uint8:
      return 1;
    case PlyType::Int16:
    case PlyType::Uint16:
      return 2;
    case PlyType::Float64:
      return 8;
    default:
      return 4;
  }
}

PlyHeader read_ply_header(const std::string& path, const std::string& text) { return HeaderReader(path, text).read(); }

}  // namespace clothc_tool
