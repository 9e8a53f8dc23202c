// constraint_types.h - the types of constraints as data, from kernels/constraint_types.def.
#pragma once

#include <cstdint>

namespace clothc {

enum class ConstraintType : uint32_t {
#define CLOTHC_CONSTRAINT_TYPE(name, number, particles, moved, stage, kernel, limited_kernel) name = number,
#define CLOTHC_CONSTRAINT_PARAMETER(type, name, least, most, storage)
#include "kernels/constraint_types.def"
#undef CLOTHC_CONSTRAINT_TYPE
#undef CLOTHC_CONSTRAINT_PARAMETER
};

// When constraints are solved: by the phases that name their set, with the tethers, or as points that collide.
enum class ConstraintStage : uint8_t { phase, tether, collision };

// How kernels read a parameter: as it is, or a stiffness s as log2(1 - s).
enum class ParameterStorage : uint8_t { plain, kept };

constexpr uint32_t most_constraint_particles = 4;
constexpr uint32_t most_constraint_parameters = 4;
// Upper bound of rest lengths and tether lengths, in m. No two particles can be this far apart.
constexpr float longest_length = 4e9f;

struct ConstraintParameterInfo {
  const char* name;
  float least, most;
  ParameterStorage storage;
};

struct ConstraintTypeInfo {
  const char* name;
  ConstraintType type;
  // Number of particles, and how many of them, the first ones, are moved.
  uint32_t arity;
  uint32_t moved;
  ConstraintStage stage;
  uint32_t width;
  ConstraintParameterInfo parameters[most_constraint_parameters];
};

// Returns the type with this number, or null if there is none.
const ConstraintTypeInfo* find_constraint_type(uint32_t number);
// Number of the last type. Numbers begin with 1.
uint32_t last_constraint_type();
inline const ConstraintTypeInfo& info_of(ConstraintType type) {
  return *find_constraint_type(static_cast<uint32_t>(type));
}

}  // namespace clothc
