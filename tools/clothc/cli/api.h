// api.h - a thin C++ layer over clothc.h: error results become exceptions, objects own their handles, and structs are
// created with their defaults.
#pragma once

#include <clothc.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace clothc_tool {

// Thrown when a clothc call fails; what() returns the library's own message.
class ApiError : public std::runtime_error {
 public:
  ApiError(clothc_result result, const std::string& message) : std::runtime_error(message), result_(result) {}
  clothc_result result() const { return result_; }

 private:
  clothc_result result_;
};

// Throws ApiError if the result is an error, and returns it if it is a status (>= 0), so that callers can test for
// NOT_READY and TIMEOUT.
inline clothc_result check(clothc_result result) {
  if (result < 0)
    throw ApiError(result, std::string(clothc_last_error_message()) + " [" + clothc_result_name(result) + "]");
  return result;
}

// Returns the version of the loaded library, for example "0.1.0".
inline std::string library_version() {
  const uint32_t version = clothc_version();
  return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 255) + "." + std::to_string(version & 255);
}

// Maps each struct of clothc.h to its clothc_struct_kind, for initialised<T>().
template <typename T>
struct StructKind;
#define CLOTHC_TOOL_STRUCT_KIND(type, kind)           \
  template <>                                         \
  struct StructKind<type> {                           \
    static constexpr clothc_struct_kind value = kind; \
  };
CLOTHC_TOOL_STRUCT_KIND(clothc_device_desc, CLOTHC_STRUCT_DEVICE_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_device_info, CLOTHC_STRUCT_DEVICE_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_buffer_desc, CLOTHC_STRUCT_BUFFER_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_buffer_info, CLOTHC_STRUCT_BUFFER_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_mesh_desc, CLOTHC_STRUCT_MESH_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_fabric_desc, CLOTHC_STRUCT_FABRIC_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_constraint_set, CLOTHC_STRUCT_CONSTRAINT_SET)
CLOTHC_TOOL_STRUCT_KIND(clothc_fabric_info, CLOTHC_STRUCT_FABRIC_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_diagnostic, CLOTHC_STRUCT_DIAGNOSTIC)
CLOTHC_TOOL_STRUCT_KIND(clothc_solver_desc, CLOTHC_STRUCT_SOLVER_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_solver_info, CLOTHC_STRUCT_SOLVER_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_timers, CLOTHC_STRUCT_TIMERS)
CLOTHC_TOOL_STRUCT_KIND(clothc_group_desc, CLOTHC_STRUCT_GROUP_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_group_info, CLOTHC_STRUCT_GROUP_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_cloth_desc, CLOTHC_STRUCT_CLOTH_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_cloth_info, CLOTHC_STRUCT_CLOTH_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_cloth_parameters, CLOTHC_STRUCT_CLOTH_PARAMETERS)
CLOTHC_TOOL_STRUCT_KIND(clothc_cloth_status, CLOTHC_STRUCT_CLOTH_STATUS)
CLOTHC_TOOL_STRUCT_KIND(clothc_cloth_frame, CLOTHC_STRUCT_CLOTH_FRAME)
CLOTHC_TOOL_STRUCT_KIND(clothc_phase_config, CLOTHC_STRUCT_PHASE_CONFIG)
CLOTHC_TOOL_STRUCT_KIND(clothc_collider_shapes, CLOTHC_STRUCT_COLLIDER_SHAPES)
CLOTHC_TOOL_STRUCT_KIND(clothc_collider_mesh_desc, CLOTHC_STRUCT_COLLIDER_MESH_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_sdf_cook_desc, CLOTHC_STRUCT_SDF_COOK_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_sdf_desc, CLOTHC_STRUCT_SDF_DESC)
CLOTHC_TOOL_STRUCT_KIND(clothc_channel_info, CLOTHC_STRUCT_CHANNEL_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_parameter_info, CLOTHC_STRUCT_PARAMETER_INFO)
CLOTHC_TOOL_STRUCT_KIND(clothc_view, CLOTHC_STRUCT_VIEW)
CLOTHC_TOOL_STRUCT_KIND(clothc_update, CLOTHC_STRUCT_UPDATE)
#undef CLOTHC_TOOL_STRUCT_KIND

// Returns a struct whose size and defaults are filled in: auto desc = initialised<clothc_solver_desc>();
template <typename T>
T initialised() {
  T value;
  check(clothc_struct_init(StructKind<T>::value, &value, sizeof value));
  return value;
}

// Owns a handle and destroys it in its destructor with the given function; movable but not copyable.
template <typename T, clothc_result(CLOTHC_CALL* destroy)(T)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_) destroy(handle_);
  }
  T get() const { return handle_; }

 private:
  T handle_ = nullptr;
};

using Device = Owned<clothc_device, clothc_device_destroy>;
using Buffer = Owned<clothc_buffer, clothc_buffer_destroy>;
using Fabric = Owned<clothc_fabric, clothc_fabric_destroy>;
using Solver = Owned<clothc_solver, clothc_solver_destroy>;
using Fence = Owned<clothc_fence, clothc_fence_destroy>;

inline Device create_device(const clothc_device_desc& desc) {
  clothc_device handle = nullptr;
  check(clothc_device_create(&desc, &handle));
  return Device(handle);
}

inline clothc_device_info device_info(clothc_device device) {
  auto info = initialised<clothc_device_info>();
  check(clothc_device_get_info(device, &info));
  return info;
}

inline Fabric cook_fabric(clothc_device device, const clothc_mesh_desc& mesh) {
  clothc_fabric handle = nullptr;
  check(clothc_fabric_cook(device, &mesh, &handle));
  return Fabric(handle);
}

inline Fabric create_fabric(clothc_device device, const clothc_fabric_desc& desc) {
  clothc_fabric handle = nullptr;
  check(clothc_fabric_create(device, &desc, &handle));
  return Fabric(handle);
}

inline Fabric load_fabric(clothc_device device, const std::string& blob) {
  clothc_fabric handle = nullptr;
  check(clothc_fabric_load(device, blob.data(), blob.size(), &handle));
  return Fabric(handle);
}

inline std::string save_fabric(clothc_fabric fabric) {
  uint64_t size = 0;
  check(clothc_fabric_save(fabric, nullptr, &size));
  std::string blob(size, '\0');
  check(clothc_fabric_save(fabric, blob.data(), &size));
  return blob;
}

inline clothc_fabric_info fabric_info(clothc_fabric fabric) {
  auto info = initialised<clothc_fabric_info>();
  check(clothc_fabric_get_info(fabric, &info));
  return info;
}

// Returns everything that the cooker reported about the mesh, sorted by kind.
inline std::vector<clothc_diagnostic> fabric_diagnostics(clothc_fabric fabric) {
  std::vector<clothc_diagnostic> diagnostics(fabric_info(fabric).diagnostic_count, initialised<clothc_diagnostic>());
  for (uint32_t i = 0; i < diagnostics.size(); ++i) check(clothc_fabric_get_diagnostic(fabric, i, &diagnostics[i]));
  return diagnostics;
}

// Reads one array of a fabric whose elements have type T (uint32_t or float, as the array's comment in clothc.h says).
template <typename T>
std::vector<T> read_fabric(clothc_fabric fabric, clothc_fabric_array array) {
  uint64_t size = 0;
  check(clothc_fabric_read(fabric, array, nullptr, &size));
  std::vector<T> values(size / sizeof(T));
  if (!values.empty()) check(clothc_fabric_read(fabric, array, values.data(), &size));
  return values;
}

inline Solver create_solver(clothc_device device, const clothc_solver_desc& desc) {
  clothc_solver handle = nullptr;
  check(clothc_solver_create(device, &desc, &handle));
  return Solver(handle);
}

inline Buffer create_buffer(clothc_device device, clothc_format format, uint64_t count) {
  auto desc = initialised<clothc_buffer_desc>();
  desc.format = format;
  desc.count = count;
  clothc_buffer handle = nullptr;
  check(clothc_buffer_create(device, &desc, &handle));
  return Buffer(handle);
}

// Keeps a buffer mapped during its lifetime; operator[] accesses the buffer's elements as T.
template <typename T>
class Mapped {
 public:
  Mapped(clothc_buffer buffer, uint32_t flags) : buffer_(buffer) {
    void* pointer = nullptr;
    check(clothc_buffer_map(buffer, flags, &pointer));
    data_ = static_cast<T*>(pointer);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  ~Mapped() { clothc_buffer_unmap(buffer_); }
  T* data() const { return data_; }
  T& operator[](size_t index) const { return data_[index]; }

 private:
  clothc_buffer buffer_;
  T* data_ = nullptr;
};

inline clothc_cloth_info cloth_info(clothc_solver solver, clothc_cloth_id cloth) {
  auto info = initialised<clothc_cloth_info>();
  check(clothc_cloth_get_info(solver, cloth, &info));
  return info;
}

// Reads a per-particle channel of one cloth, values_per_particle values each. Waits for all work queued so far.
template <class Value>
std::vector<Value> read_channel(clothc_device device, clothc_solver solver, clothc_cloth_id cloth,
                                clothc_channel channel, clothc_format format, size_t values_per_particle) {
  const clothc_cloth_info info = cloth_info(solver, cloth);
  const Buffer buffer = create_buffer(device, format, info.particle_count);
  const clothc_region region = {info.first_particle, 0, info.particle_count};
  check(clothc_solver_get(solver, channel, buffer.get(), nullptr, &region, 1, 0));
  std::vector<Value> values(info.particle_count * values_per_particle);
  check(clothc_buffer_read(buffer.get(), 0, values.size() * sizeof(Value), values.data()));
  return values;
}

// The same as [particle_count][4] floats, and of channels of words.
inline std::vector<float> read_particles(clothc_device device, clothc_solver solver, clothc_cloth_id cloth,
                                         clothc_channel channel) {
  return read_channel<float>(device, solver, cloth, channel, CLOTHC_FORMAT_FLOAT4, 4);
}
inline std::vector<uint32_t> read_words(clothc_device device, clothc_solver solver, clothc_cloth_id cloth,
                                        clothc_channel channel) {
  return read_channel<uint32_t>(device, solver, cloth, channel, CLOTHC_FORMAT_UINT, 1);
}

inline uint64_t state_hash(clothc_solver solver) {
  uint64_t hash = 0;
  check(clothc_solver_state_hash(solver, &hash));
  return hash;
}

}  // namespace clothc_tool
