// extent.h - the sizes of the arrays that calls refer to, in bytes. A product that exceeds 64 bits becomes the largest
// value, which no array has, so that a wrong count makes no small size.
#pragma once

#include <clothc.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace clothc_tool {

inline uint64_t product(std::initializer_list<uint64_t> factors) {
  uint64_t result = 1;
  for (const uint64_t factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result)) return UINT64_MAX;
  }
  return result;
}

// The bytes from the begin of the first element of count ones to the end of the last, where 0 means no gaps.
inline uint64_t strided(uint64_t count, uint64_t element_size, uint64_t stride) {
  if (stride == 0 || count == 0) return product({count, element_size});
  const uint64_t before_last = product({count - 1, stride});
  uint64_t result = 0;
  return __builtin_add_overflow(before_last, element_size, &result) ? UINT64_MAX : result;
}

// The last of the prefix sums in an array; 0 if there is none.
inline uint64_t last(const uint32_t* ends, uint64_t count) { return ends && count ? ends[count - 1] : 0; }

// Whether a struct of this size, which may be that of an older header, has the field.
template <class Struct, class Field>
bool reaches(size_t size, const Struct& record, const Field& field) {
  const auto end = reinterpret_cast<const char*>(&field + 1) - reinterpret_cast<const char*>(&record);
  return static_cast<size_t>(end) <= size;
}

// How many particles a constraint of a CLOTHC_CONSTRAINT_... type has; 0 for types that this build does not know.
inline uint64_t particles_of_constraint(uint32_t type) {
  switch (type) {
    case CLOTHC_CONSTRAINT_DISTANCE:
    case CLOTHC_CONSTRAINT_STIFF_DISTANCE:
    case CLOTHC_CONSTRAINT_LONG_RANGE:
    case CLOTHC_CONSTRAINT_TETHER:
      return 2;
    case CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE:
    case CLOTHC_CONSTRAINT_TRIANGLE_AREA:
      return 3;
    case CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE:
      return 4;
    default:
      return 0;
  }
}

// How many parameters a constraint of this type has.
inline uint64_t parameters_of_constraint(uint32_t type) {
  switch (type) {
    case CLOTHC_CONSTRAINT_DISTANCE:
    case CLOTHC_CONSTRAINT_LONG_RANGE:
    case CLOTHC_CONSTRAINT_TETHER:
      return 1;
    case CLOTHC_CONSTRAINT_STIFF_DISTANCE:
    case CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE:
    case CLOTHC_CONSTRAINT_TRIANGLE_AREA:
      return 2;
    case CLOTHC_CONSTRAINT_VIRTUAL_PARTICLE:
      return 3;
    default:
      return 0;
  }
}

}  // namespace clothc_tool
