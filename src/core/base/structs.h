// structs.h - defaults of the public structs, and copies to and from structs of callers that were built with an older
// header. Every such struct begins with its size, struct_size.
#pragma once

#include <cstring>
#include <initializer_list>

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
#define CLOTHC_STRUCT_TRAITS(type, number)             \
  template <>                                          \
  struct StructTraits<type> {                          \
    static constexpr clothc_struct_kind kind = number; \
    static constexpr const char* name = #type;         \
  };
CLOTHC_STRUCT_TRAITS(clothc_device_desc, CLOTHC_STRUCT_DEVICE_DESC)
CLOTHC_STRUCT_TRAITS(clothc_device_info, CLOTHC_STRUCT_DEVICE_INFO)
CLOTHC_STRUCT_TRAITS(clothc_buffer_desc, CLOTHC_STRUCT_BUFFER_DESC)
CLOTHC_STRUCT_TRAITS(clothc_buffer_info, CLOTHC_STRUCT_BUFFER_INFO)
CLOTHC_STRUCT_TRAITS(clothc_mesh_desc, CLOTHC_STRUCT_MESH_DESC)
CLOTHC_STRUCT_TRAITS(clothc_fabric_desc, CLOTHC_STRUCT_FABRIC_DESC)
CLOTHC_STRUCT_TRAITS(clothc_fabric_info, CLOTHC_STRUCT_FABRIC_INFO)
CLOTHC_STRUCT_TRAITS(clothc_solver_desc, CLOTHC_STRUCT_SOLVER_DESC)
CLOTHC_STRUCT_TRAITS(clothc_solver_info, CLOTHC_STRUCT_SOLVER_INFO)
CLOTHC_STRUCT_TRAITS(clothc_cloth_desc, CLOTHC_STRUCT_CLOTH_DESC)
CLOTHC_STRUCT_TRAITS(clothc_cloth_info, CLOTHC_STRUCT_CLOTH_INFO)
CLOTHC_STRUCT_TRAITS(clothc_cloth_parameters, CLOTHC_STRUCT_CLOTH_PARAMETERS)
CLOTHC_STRUCT_TRAITS(clothc_cloth_status, CLOTHC_STRUCT_CLOTH_STATUS)
CLOTHC_STRUCT_TRAITS(clothc_phase_config, CLOTHC_STRUCT_PHASE_CONFIG)
CLOTHC_STRUCT_TRAITS(clothc_collider_shapes, CLOTHC_STRUCT_COLLIDER_SHAPES)
CLOTHC_STRUCT_TRAITS(clothc_channel_info, CLOTHC_STRUCT_CHANNEL_INFO)
CLOTHC_STRUCT_TRAITS(clothc_view, CLOTHC_STRUCT_VIEW)
CLOTHC_STRUCT_TRAITS(clothc_update, CLOTHC_STRUCT_UPDATE)
CLOTHC_STRUCT_TRAITS(clothc_external_handle, CLOTHC_STRUCT_EXTERNAL_HANDLE)
CLOTHC_STRUCT_TRAITS(clothc_diagnostic, CLOTHC_STRUCT_DIAGNOSTIC)
CLOTHC_STRUCT_TRAITS(clothc_cloth_frame, CLOTHC_STRUCT_CLOTH_FRAME)
CLOTHC_STRUCT_TRAITS(clothc_collider_mesh_desc, CLOTHC_STRUCT_COLLIDER_MESH_DESC)
CLOTHC_STRUCT_TRAITS(clothc_sdf_cook_desc, CLOTHC_STRUCT_SDF_COOK_DESC)
CLOTHC_STRUCT_TRAITS(clothc_sdf_desc, CLOTHC_STRUCT_SDF_DESC)
CLOTHC_STRUCT_TRAITS(clothc_contact, CLOTHC_STRUCT_CONTACT)
CLOTHC_STRUCT_TRAITS(clothc_parameter_info, CLOTHC_STRUCT_PARAMETER_INFO)

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
