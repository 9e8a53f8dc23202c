// parameters.h - the table of a cloth's parameters, from kernels/parameters.def: defaults, checks and descriptions.
#pragma once

#include <cstddef>
#include <cstdint>

#include <clothc.h>

namespace clothc {

// When a new value of a parameter rebuilds the cloth's list of jobs.
enum class ParameterChange : uint8_t { never, zero, any };

// Marks a parameter that is not hashed as a word of its own.
constexpr uint32_t unhashed = UINT32_MAX;

struct Parameter {
  clothc_parameter_type type;
  const char* name;
  // Bytes from the begin of clothc_cloth_parameters.
  size_t offset;
  // Number of 4-byte words: 1 or 3.
  uint32_t words;
  double least;
  double most;
  double initial[3];
  // The prefix of the enumerators for choices and flags.
  const char* unit;
  ParameterChange change;
  // Number of the first word in the state hash.
  uint32_t hash;
};

// All parameters, in the order of clothc_cloth_parameters.
struct ParameterTable {
  const Parameter* begin() const;
  const Parameter* end() const;
};

// The table's row of the parameter at this offset of clothc_cloth_parameters.
const Parameter& parameter_at(size_t offset);

// Sets all parameters to their defaults.
void fill_defaults(clothc_cloth_parameters& parameters);

// Fails if a parameter is out of its range. what: how messages call the struct.
void check_parameters(const clothc_cloth_parameters& parameters, const char* what);

// Returns whether a change of these parameters rebuilds the list of jobs.
bool changes_jobs(const clothc_cloth_parameters& before, const clothc_cloth_parameters& after);

// Describes the parameter with this index; fails if there is none.
clothc_parameter_info describe_parameter(uint32_t index);

}  // namespace clothc
