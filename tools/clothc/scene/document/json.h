// json.h - strict access to the values of a scene file. Every value knows its path and line, and every error names the
// file, the line, the field, the value found and what is expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mesh/vector3.h"

namespace clothc_tool {

// A parsed file with the line number of every value. Comments are allowed; a field given twice is an error.
struct SceneDocument {  // NOLINT(bugprone-exception-escape): moving json asserts that it is sound
  std::string path;
  nlohmann::json root;

  // Line of each value by its path, for example "cloths[0].mesh".
  std::map<std::string, size_t> lines;
};

// Throws InputError.
SceneDocument read_scene_document(const std::string& path);

// One value of a document. The document must outlive it.
class SceneField {
 public:
  explicit SceneField(const SceneDocument& document) : SceneField(document, document.root, "") {}

  // For objects: only() rejects all fields with other names, member() returns a field that must exist, and find()
  // returns one that may be absent.
  void only(const std::vector<const char*>& names) const;
  bool has(const char* name) const { return object().contains(name); }
  SceneField member(const char* name) const;
  std::optional<SceneField> find(const char* name) const;

  // For arrays.
  std::vector<SceneField> elements(size_t minimum_count = 0) const;

  // For single values, which are checked for type and range. number() rounds to float.
  float number(double low, double high) const;
  uint32_t integer(uint32_t low, uint32_t high) const;
  int64_t signed_integer(int64_t low, int64_t high) const;
  bool boolean() const;
  std::string text() const;

  // Vectors [x, y, z]; each component is in -limit .. limit, or in low .. high.
  Vector3 vector(double limit = 1e6) const;
  Vector3 vector_between(double low, double high) const;

  // A vector that is not zero, normalised.
  Vector3 direction() const;

  // For fields of an object that may be absent; `absent` is their default.
  float number(const char* name, double low, double high, float absent) const;
  uint32_t integer(const char* name, uint32_t low, uint32_t high, uint32_t absent) const;
  Vector3 vector(const char* name, Vector3 absent) const;

  // Throws InputError with the message "FILE:LINE: PATH is VALUE; " followed by `want`.
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
