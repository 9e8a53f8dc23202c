// json.h - strict reading of scene files: every value knows its path and line, and every failure names file,
// line, field, the value seen and the remedy.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mesh/vector3.h"

namespace clothc_tool {

// A parsed file with the line of every value. Comments are allowed, fields given twice are not.
struct SceneDocument {  // NOLINT(bugprone-exception-escape): moving json asserts that it is sound
  std::string path;
  nlohmann::json root;
  std::map<std::string, size_t> lines;  // of a value's path, such as "cloths[0].mesh"
};

// Throws InputError.
SceneDocument read_scene_document(const std::string& path);

// A value of a document. The document must outlive it.
class SceneField {
 public:
  explicit SceneField(const SceneDocument& document) : SceneField(document, document.root, "") {}

  // Objects. only() refuses fields of other names; member() is a field that must be there.
  void only(const std::vector<const char*>& names) const;
  bool has(const char* name) const { return object().contains(name); }
  SceneField member(const char* name) const;
  std::optional<SceneField> find(const char* name) const;

  // Arrays.
  std::vector<SceneField> elements(size_t minimum_count = 0) const;

  // Values, checked for type and range. number() is rounded to float.
  float number(double low, double high) const;
  uint32_t integer(uint32_t low, uint32_t high) const;
  int64_t signed_integer(int64_t low, int64_t high) const;
  bool boolean() const;
  std::string text() const;
  Vector3 vector(double limit = 1e6) const;  // [x, y, z], each -limit .. limit
  Vector3 vector_between(double low, double high) const;
  Vector3 direction() const;  // normalised; not zero

  // Fields that may be absent, with their default.
  float number(const char* name, double low, double high, float absent) const;
  uint32_t integer(const char* name, uint32_t low, uint32_t high, uint32_t absent) const;
  Vector3 vector(const char* name, Vector3 absent) const;

  // Throws InputError: "FILE:LINE: PATH is VALUE; want".
  [[noreturn]] void fail(const std::string& want) const;

 private:
  SceneField(const SceneDocument& document, const nlohmann::json& value, std::string path)
      : document_(&document), value_(&value), path_(std::move(path)) {}
  const nlohmann::json& object() const;

  const SceneDocument* document_;
  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace clothc_tool
