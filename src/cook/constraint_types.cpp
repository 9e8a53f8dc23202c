// constraint_types.cpp - builds the table of the types of constraints from their list.
#include "cook/constraint_types.h"

#include <array>
#include <iterator>

namespace clothc {
namespace {

// A line of the list: a type, or a parameter of the type before it.
struct Line {
  ConstraintTypeInfo type;
  bool is_parameter;
  ConstraintParameterInfo parameter;
};

constexpr Line lines[] = {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited_kernel) \
  {{#name, ConstraintType::name, particles, moved, ConstraintStage::stage, 0, {}}, false, {}},
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage) \
  {{}, true, {#name, least, most, ParameterStorage::storage}},
#include "kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
};

constexpr uint32_t count_types() {
  uint32_t count = 0;
  for (const Line& line : lines) count += line.is_parameter ? 0 : 1;
  return count;
}

constexpr std::array<ConstraintTypeInfo, count_types()> make_types() {
  std::array<ConstraintTypeInfo, count_types()> types{};
  uint32_t count = 0;
  for (const Line& line : lines) {
    if (!line.is_parameter) {
      types[count++] = line.type;
      continue;
    }
    ConstraintTypeInfo& type = types[count - 1];
    type.parameters[type.width++] = line.parameter;
  }
  return types;
}

constexpr auto types = make_types();

constexpr bool numbers_are_consecutive() {
  for (uint32_t k = 0; k < types.size(); ++k) {
    if (static_cast<uint32_t>(types[k].type) != k + 1) return false;
  }
  return true;
}
static_assert(numbers_are_consecutive(), "types are found by their number");

}  // namespace

const ConstraintTypeInfo* find_constraint_type(uint32_t number) {
  return number >= 1 && number <= types.size() ? &types[number - 1] : nullptr;
}

uint32_t last_constraint_type() { return static_cast<uint32_t>(types.size()); }

}  // namespace clothc
