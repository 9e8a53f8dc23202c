// json.cpp - typed access to the values of a scene file.
#include "scene/document/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/errors.h"
#include "cli/similar_name.h"

namespace clothc_tool {
namespace {

using nlohmann::json;

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string range_text(double low, double high) { return short_text(low) + " .. " + short_text(high); }

}  // namespace

void SceneField::only(const std::vector<const char*>& names) const {
  std::string known;
  for (const char* name : names) {
    if (!known.empty()) known += ", ";
    known += name;
  }
  for (const auto& [key, value] : object().items()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    std::string path = path_, what = "unknown field '";
    if (!path.empty()) path += ".";
    path += key;
    what += key;
    what += "'";
    what += did_you_mean(key, {names.begin(), names.end()});
    what += "; known are ";
    what += known;
    SceneField(*document_, value, path).fail(what);
  }
}

const json& SceneField::object() const {
  if (!value_->is_object()) fail("want an object { ... }");
  return *value_;
}

SceneField SceneField::member(const char* name) const {
  if (auto field = find(name)) return *field;
  fail(std::string("the field '") + name + "' is missing; add it");
}

std::optional<SceneField> SceneField::find(const char* name) const {
  const json& fields = object();
  const auto found = fields.find(name);
  if (found == fields.end()) return std::nullopt;
  return SceneField(*document_, *found, path_.empty() ? name : path_ + "." + name);
}

std::vector<SceneField> SceneField::elements(size_t minimum_count) const {
  if (!value_->is_array()) fail("want an array [ ... ]");
  if (value_->size() < minimum_count) fail("want at least " + std::to_string(minimum_count) + " element(s)");
  std::vector<SceneField> fields;
  for (size_t i = 0; i < value_->size(); ++i) {
    fields.push_back(SceneField(*document_, (*value_)[i], path_ + "[" + std::to_string(i) + "]"));
  }
  return fields;
}

float SceneField::number(double low, double high) const {
  const std::string want = "want a number in " + range_text(low, high);
  if (!value_->is_number()) fail(want);
  const double number = value_->get<double>();
  if (!(number >= low && number <= high)) fail(want);
  return static_cast<float>(number);
}

int64_t SceneField::signed_integer(int64_t low, int64_t high) const {
  const std::string want = "want a whole number in " + std::to_string(low) + " .. " + std::to_string(high);
  if (!value_->is_number_integer()) fail(want);
  // Checked as a double, because the conversion to int64_t below would wrap around.
  const double number = value_->get<double>();
  if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high))) fail(want);
  return value_->get<int64_t>();
}

uint32_t SceneField::integer(uint32_t low, uint32_t high) const {
  return static_cast<uint32_t>(signed_integer(low, high));
}

bool SceneField::boolean() const {
  if (!value_->is_boolean()) fail("want true or false");
  return value_->get<bool>();
}

std::string SceneField::text() const {
  if (!value_->is_string()) fail("want a text in quotes");
  return value_->get<std::string>();
}

Vector3 SceneField::vector(double limit) const { return vector_between(-limit, limit); }

Vector3 SceneField::vector_between(double low, double high) const {
  if (!value_->is_array() || value_->size() != 3) fail("want three numbers [x, y, z]");
  const std::vector<SceneField> parts = elements();
  return {parts[0].number(low, high), parts[1].number(low, high), parts[2].number(low, high)};
}

Vector3 SceneField::direction() const {
  const Vector3 v = vector();
  if (!(length(v) > 1e-6f)) fail("want a direction that is not zero");
  return normalised(v);
}

float SceneField::number(const char* name, double low, double high, float absent) const {
  const auto field = find(name);
  return field ? field->number(low, high) : absent;
}

uint32_t SceneField::integer(const char* name, uint32_t low, uint32_t high, uint32_t absent) const {
  const auto field = find(name);
  return field ? field->integer(low, high) : absent;
}

Vector3 SceneField::vector(const char* name, Vector3 absent) const {
  const auto field = find(name);
  return field ? field->vector() : absent;
}

void SceneField::fail(const std::string& want) const {
  std::string seen = value_->dump(-1, ' ', false, json::error_handler_t::replace);
  if (seen.size() > 60) seen = seen.substr(0, 57) + "...";
  const auto line = document_->lines.find(path_);
  const std::string line_number = line == document_->lines.end() ? "" : ":" + std::to_string(line->second);
  throw InputError(document_->path + line_number + ": " + (path_.empty() ? "the file" : path_) + " is " + seen + "; " +
                   want);
}

}  // namespace clothc_tool
