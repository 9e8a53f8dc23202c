// structs.h - makes structs of clothc.h, clothc_cuda.h and clothc_vulkan.h with their defaults. It needs no test
// framework and no source file, so every program of the tests can use it.
#pragma once

#include <clothc_cuda.h>
#include <clothc_vulkan.h>

#include <algorithm>
#include <iterator>
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

// The kinds of all public structs. Numbers may be missing.
constexpr clothc_struct_kind struct_kinds[] = {
#define CLOTHC_STRUCT(type, number) number,
#include "../src/core/base/structs.def"
#undef CLOTHC_STRUCT
};
inline bool is_struct_kind(clothc_struct_kind kind) {
  return std::find(std::begin(struct_kinds), std::end(struct_kinds), kind) != std::end(struct_kinds);
}
inline clothc_struct_kind last_struct_kind() {
  return *std::max_element(std::begin(struct_kinds), std::end(struct_kinds));
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
