// operation.cpp - reads operations on coordinate frames. In the files, operations that come after the targets have
// names with the suffix "_after"; they mean the same as without it.
#include "replay/operation.h"

namespace clothc_tool {
namespace {

struct NamedOperation {
  const char* name;
  ReferenceOperation::Kind kind;
};
constexpr NamedOperation kOperations[] = {
    {"teleport", ReferenceOperation::Teleport},
    {"teleport_to_location", ReferenceOperation::TeleportToLocation},
    {"clear_interpolation", ReferenceOperation::ClearInterpolation},
    {"clear_inertia", ReferenceOperation::ClearInertia},
    {"ignore_velocity_discontinuity", ReferenceOperation::IgnoreDiscontinuity},
};

std::string without_after(const std::string& name) {
  const std::string ending = "_after";
  const bool has_it =
      name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
  return has_it ? name.substr(0, name.size() - ending.size()) : name;
}

std::size_t argument_count(ReferenceOperation::Kind kind) {
  if (kind == ReferenceOperation::Teleport) return 3;
  return kind == ReferenceOperation::TeleportToLocation ? 7 : 0;
}

}  // namespace

std::optional<ReferenceOperation::Kind> operation_kind(const std::string& name) {
  const std::string plain = without_after(name);
  for (const NamedOperation& operation : kOperations)
    if (plain == operation.name) return operation.kind;
  return std::nullopt;
}

ReferenceOperation load_operation(const ReferenceField& field) {
  const ReferenceField name = field.at("op");
  const auto kind = operation_kind(name.text());
  if (!kind) name.fail("want an operation of FORMAT.md");
  ReferenceOperation operation;
  operation.kind = *kind;
  const std::vector<double> numbers = field.has("args") ? field.at("args").numbers() : std::vector<double>{};
  const std::size_t count = argument_count(*kind);
  if (numbers.size() != count) field.at("args").fail("want " + std::to_string(count) + " numbers");
  ReferencePose& pose = operation.pose;
  for (std::size_t i = 0; i < count; ++i)
    (i < 3 ? pose.translation[i] : pose.rotation[i - 3]) = static_cast<float>(numbers[i]);
  return operation;
}

}  // namespace clothc_tool
