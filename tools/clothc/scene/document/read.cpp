// read.cpp - parses a scene file twice: once for the values, once to record the line of each and to find duplicate
// fields.
#include <iterator>

#include "cli/errors.h"
#include "cli/file_input.h"
#include "scene/document/json.h"

namespace clothc_tool {
namespace {

using nlohmann::json;

// An iterator over text that counts the lines it has passed. The parser reads no further than the bracket or the
// closing quote of the token that it reports, so the count is exact for keys, objects and arrays.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* position, size_t* line) : position_(position), line_(line) {}
  reference operator*() const { return *position_; }
  CountingIterator& operator++() {
    *line_ += *position_ == '\n';
    ++position_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return position_ == other.position_; }
  bool operator!=(const CountingIterator& other) const { return position_ != other.position_; }

 private:
  const char* position_;
  size_t* line_;
};

// Records the line of every value under its path.
class LineRecorder : public nlohmann::json_sax<json> {
 public:
  LineRecorder(SceneDocument& document, const size_t& line) : document_(document), line_(line) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }

  bool start_object(std::size_t) override { return enter(false); }
  bool start_array(std::size_t) override { return enter(true); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t& name) override {
    const std::string& outer = levels_.back().path;
    path_ = outer.empty() ? name : outer + "." + name;
    if (!document_.lines.emplace(path_, line_).second) {
      throw InputError(document_.path + ":" + std::to_string(line_) + ": " + path_ + " is given twice; keep one");
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  struct Level {
    std::string path;
    bool is_array;
    size_t next_index;
  };

  bool value() {
    if (!levels_.empty() && levels_.back().is_array) {
      path_ = levels_.back().path + "[" + std::to_string(levels_.back().next_index++) + "]";
    }
    document_.lines.emplace(path_, line_);
    return true;
  }
  bool enter(bool is_array) {
    value();
    levels_.push_back({path_, is_array, 0});
    return true;
  }
  bool leave() {
    levels_.pop_back();
    return true;
  }

  SceneDocument& document_;
  const size_t& line_;
  std::vector<Level> levels_;
  std::string path_;
};

}  // namespace

SceneDocument read_scene_document(const std::string& path) {
  SceneDocument document;
  document.path = path;
  const std::string text = read_file(path);
  try {
    document.root = json::parse(text, nullptr, true, true);
  } catch (const json::exception& error) {
    const std::string message = error.what();
    throw InputError(path + ": " + message.substr(message.find("] ") + 2));
  }
  size_t line = 1;
  LineRecorder recorder(document, line);
  json::sax_parse(CountingIterator(text.data(), &line), CountingIterator(text.data() + text.size(), &line), &recorder,
                  json::input_format_t::json, true, true);
  return document;
}

}  // namespace clothc_tool
