// structs.h - makes structs of clothc.h, clothc_cuda.h and clothc_vulkan.h with their defaults. It needs no test
// framework and no source file, so every program of the tests can use it.
#pragma once

#include <clothc_cuda.h>
#include <clothc_vulkan.h>

#include <stdexcept>

namespace clothc_test {

// Maps the type of a public struct to its kind.
template <class T>
struct StructKind;
#define CLOTHC_STRUCT(type, number)                     \
  template <>                                           \
  struct StructKind<type> {                             \
    static constexpr clothc_struct_kind value = number; \
  };
#include "../src/core/base/structs.def"
#undef CLOTHC_STRUCT

// The kinds of all public structs, in ascending order. Numbers may be missing.
constexpr clothc_struct_kind struct_kinds[] = {
#define CLOTHC_STRUCT(type, number) number,
#include "../src/core/base/structs.def"
#undef CLOTHC_STRUCT
};
constexpr clothc_struct_kind last_struct_kind = struct_kinds[sizeof(struct_kinds) / sizeof(struct_kinds[0]) - 1];
inline bool is_struct_kind(clothc_struct_kind kind) {
  for (const clothc_struct_kind known : struct_kinds) {
    if (known == kind) return true;
  }
  return false;
}

// Returns a struct with its defaults. Throws the library's message if there is none of this size.
template <class T>
T initialised() {
  T value;
  if (clothc_struct_init(StructKind<T>::value, &value, sizeof(value)) != CLOTHC_SUCCESS) {
    throw std::runtime_error(clothc_last_error_message());
  }
  return value;
}

}  // namespace clothc_test
