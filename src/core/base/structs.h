// structs.h - defaults of the public structs, and copies to and from structs of callers that were built with an older
// header. Every such struct begins with its size, struct_size.
#pragma once

#include <cstring>
#include <initializer_list>

#include "clothc_cuda.h"
#include "clothc_vulkan.h"
#include "core/base/result.h"

namespace clothc {

// Fills the first size bytes of a struct with defaults. Returns false if the kind or the size is unknown.
bool init_struct(clothc_struct_kind kind, void* pointer, size_t size);

// Returns the largest size, up to limit bytes, that the struct had in a release, or 0 if there is none.
size_t released_size(clothc_struct_kind kind, size_t limit);

// Fails if the caller's pointer to an output is null.
inline void require_output(const void* pointer, const char* name) {
  CLOTHC_REQUIRE(pointer != nullptr, "the %s pointer is null", name);
}

// Copies the caller's struct, struct_size bytes long, over the defaults in target. Fails if no release had that size.
void adopt_struct(clothc_struct_kind kind, void* target, size_t target_size, const void* source, const char* name);

// Returns struct_size of a caller's struct that is to be filled. Fails if no release had that size.
size_t output_size(clothc_struct_kind kind, const void* target, const char* name);

// Maps the type of a public struct to its kind and its name.
template <class T>
struct StructTraits;
#define CLOTHC_STRUCT(type, number)                    \
  template <>                                          \
  struct StructTraits<type> {                          \
    static constexpr clothc_struct_kind kind = number; \
    static constexpr const char* name = #type;         \
  };
#include "core/base/structs.def"
#undef CLOTHC_STRUCT

// Returns a struct with its defaults.
template <class T>
T make_default() {
  T value;
  init_struct(StructTraits<T>::kind, &value, sizeof(T));
  return value;
}

// Returns a copy of the caller's struct, with defaults for the fields that an older caller does not have.
template <class T>
T adopt(const T* source) {
  T value = make_default<T>();
  adopt_struct(StructTraits<T>::kind, &value, sizeof(T), source, StructTraits<T>::name);
  return value;
}

// Returns the size of a caller's struct that is to be filled. To be called before any output is written, since it may
// fail.
template <class T>
size_t checked_output(const T* target) {
  return output_size(StructTraits<T>::kind, target, StructTraits<T>::name);
}

// Writes value to the caller's struct, up to the size of the latter.
template <class T>
void put(T* target, size_t size, T value) {
  value.struct_size = static_cast<uint32_t>(size);
  std::memcpy(target, &value, size);
}

// Returns element k of a caller's array of structs. The stride is struct_size of the first element.
template <class T>
const T* element(const T* array, size_t k) {
  return reinterpret_cast<const T*>(reinterpret_cast<const char*>(array) + k * array->struct_size);
}
template <class T>
T* element(T* array, size_t stride, size_t k) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(array) + k * stride);
}

}  // namespace clothc
