// parameters.cpp - reads and writes clothc_cloth_parameters through the table. Invariant: the table covers the struct
// from its second word to its end, in order and without gaps.
#include "core/base/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "core/base/result.h"
#include "core/base/structs.h"

namespace clothc {
namespace {

// The types of parameters.def.
constexpr clothc_parameter_type type_real = CLOTHC_PARAMETER_FLOAT;
constexpr clothc_parameter_type type_count = CLOTHC_PARAMETER_COUNT;
constexpr clothc_parameter_type type_choice = CLOTHC_PARAMETER_CHOICE;
constexpr clothc_parameter_type type_flags = CLOTHC_PARAMETER_FLAGS;

constexpr Parameter table[] = {
#define CLOTHC_PARAMETER(type, name, least, most, initial, unit, change, hash) \
  {type_##type,                                                                \
   #name,                                                                      \
   offsetof(clothc_cloth_parameters, name),                                    \
   1,                                                                          \
   least,                                                                      \
   most,                                                                       \
   {initial, 0, 0},                                                            \
   #unit,                                                                      \
   ParameterChange::change,                                                    \
   hash},
#define CLOTHC_PARAMETER3(name, least, most, x, y, z, unit, change, hash)                                     \
  {CLOTHC_PARAMETER_FLOAT3, #name, offsetof(clothc_cloth_parameters, name), 3, least, most, {x, y, z}, #unit, \
   ParameterChange::change, hash},
#include "kernels/parameters.def"
#undef CLOTHC_PARAMETER
#undef CLOTHC_PARAMETER3
};

constexpr bool covers_the_struct() {
  size_t offset = sizeof(uint32_t);
  for (const Parameter& parameter : table) {
    if (parameter.offset != offset) return false;
    offset += parameter.words * sizeof(uint32_t);
  }
  return offset == sizeof(clothc_cloth_parameters);
}
static_assert(covers_the_struct(), "parameters.def lists the fields of clothc_cloth_parameters in their order");

bool is_float(const Parameter& parameter) { return parameter.type <= CLOTHC_PARAMETER_FLOAT3; }

uint32_t word_of(const clothc_cloth_parameters& parameters, const Parameter& parameter, uint32_t index) {
  uint32_t word;
  std::memcpy(&word, reinterpret_cast<const char*>(&parameters) + parameter.offset + index * sizeof(word),
              sizeof(word));
  return word;
}

float float_of(uint32_t word) {
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

bool is_zero(const Parameter& parameter, uint32_t word) {
  return is_float(parameter) ? float_of(word) == 0 : word == 0;
}

void check_float(const Parameter& parameter, float value, const char* what) {
  CLOTHC_REQUIRE(in_range(value, static_cast<float>(parameter.least), static_cast<float>(parameter.most)),
                 "%s.%s is %g; want %g to %g", what, parameter.name, static_cast<double>(value), parameter.least,
                 parameter.most);
}

void check_word(const Parameter& parameter, uint32_t word, const char* what) {
  if (parameter.type == CLOTHC_PARAMETER_FLAGS) {
    CLOTHC_REQUIRE((word & ~static_cast<uint32_t>(parameter.most)) == 0, "%s.%s is 0x%x; want %s_... only", what,
                   parameter.name, word, parameter.unit);
  } else if (parameter.type == CLOTHC_PARAMETER_CHOICE) {
    CLOTHC_REQUIRE(word <= parameter.most, "%s.%s is %u; want one of %s_...", what, parameter.name, word,
                   parameter.unit);
  } else {
    CLOTHC_REQUIRE(word >= parameter.least && word <= parameter.most, "%s.%s is %u; want %.0f to %.0f %s", what,
                   parameter.name, word, parameter.least, parameter.most, parameter.unit);
  }
}

}  // namespace

const Parameter* ParameterTable::begin() const { return std::begin(table); }
const Parameter* ParameterTable::end() const { return std::end(table); }

const Parameter& parameter_at(size_t offset) {
  return *std::find_if(std::begin(table), std::end(table),
                       [&](const Parameter& parameter) { return parameter.offset == offset; });
}

void fill_defaults(clothc_cloth_parameters& parameters) {
  for (const Parameter& parameter : table) {
    char* field = reinterpret_cast<char*>(&parameters) + parameter.offset;
    for (uint32_t k = 0; k < parameter.words; ++k, field += sizeof(uint32_t)) {
      const auto number = static_cast<float>(parameter.initial[k]);
      const auto word = static_cast<uint32_t>(std::max(parameter.initial[k], 0.0));
      std::memcpy(field, is_float(parameter) ? static_cast<const void*>(&number) : &word, sizeof(word));
    }
  }
}

void check_parameters(const clothc_cloth_parameters& parameters, const char* what) {
  for (const Parameter& parameter : table) {
    for (uint32_t k = 0; k < parameter.words; ++k) {
      const uint32_t word = word_of(parameters, parameter, k);
      is_float(parameter) ? check_float(parameter, float_of(word), what) : check_word(parameter, word, what);
    }
  }
}

bool changes_jobs(const clothc_cloth_parameters& before, const clothc_cloth_parameters& after) {
  return std::any_of(std::begin(table), std::end(table), [&](const Parameter& parameter) {
    const uint32_t a = word_of(before, parameter, 0);
    const uint32_t b = word_of(after, parameter, 0);
    if (parameter.change == ParameterChange::any) return a != b;
    return parameter.change == ParameterChange::zero && is_zero(parameter, a) != is_zero(parameter, b);
  });
}

clothc_parameter_info describe_parameter(uint32_t index) {
  CLOTHC_REQUIRE(index < std::size(table), "parameter index is %u; there are %zu parameters", index, std::size(table));
  const Parameter& parameter = table[index];
  clothc_parameter_info info = make_default<clothc_parameter_info>();
  info.type = parameter.type;
  info.offset = static_cast<uint32_t>(parameter.offset);
  info.least = parameter.least;
  info.most = parameter.most;
  std::copy(std::begin(parameter.initial), std::end(parameter.initial), info.initial);
  std::strncpy(info.name, parameter.name, sizeof(info.name) - 1);
  std::strncpy(info.unit, parameter.unit, sizeof(info.unit) - 1);
  return info;
}

}  // namespace clothc
