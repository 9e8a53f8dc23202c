/* clothc.hpp - C++17 over clothc.h: objects that own their handles, spans, and results that cannot be overlooked.
 *
 * Copyright 2026 The clothc authors. SPDX-License-Identifier: Apache-2.0
 *
 * Everything here is inline and calls clothc.h, whose comments and conventions apply: units, ranges, threads, and what
 * waits. Structs, constants and ids are those of clothc.h.
 *
 * Errors. A call returns a clothc::Status, or a clothc::Result<T> that has a value if the call succeeded. Both can be
 * tested, which needs no exceptions:
 *
 *   if (const clothc::Status status = solver.update(); status.is_error()) std::puts(status.message());
 *
 * check() and value() are for programs that do not want to test: in case of an error they throw a clothc::Error with
 * the library's message. In a program that is compiled without exceptions they call CLOTHC_FAIL(result, message), which
 * prints the message and aborts if the program has not defined it before it includes this file.
 *
 * Lifetime. Device, Buffer, Fabric, Solver and Fence can be moved, not copied, and destroy what they own. The device
 * should be destroyed last; what was made from a destroyed device is invalid, and destroying it then does nothing.
 * Cloth, Group and ColliderSet are names within a solver. They own nothing, can be copied, and are invalid when their
 * solver is destroyed or they are removed. Calls on invalid objects return CLOTHC_ERROR_INVALID_HANDLE. */
#ifndef CLOTHC_HPP
#define CLOTHC_HPP

#include "clothc.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define CLOTHC_THROWS 1
#else
#define CLOTHC_THROWS 0
#endif
#if !CLOTHC_THROWS && !defined(CLOTHC_FAIL)
#define CLOTHC_FAIL(result, message) \
  (std::fprintf(stderr, "%s: %s\n", clothc_result_name(result), message), std::abort())
#endif

namespace clothc {

/* ------------------------------------------------------------------------------------------------------- spans */

/** A pointer to elements and their number, as std::span of C++20. It owns nothing. */
template <class T>
class Span {
 public:
  constexpr Span() noexcept = default;
  constexpr Span(T* data, size_t size) noexcept : data_(data), size_(size) {}
  /** From an array or a container with contiguous elements. */
  template <class Container, class Element = std::remove_pointer_t<decltype(std::data(std::declval<Container&>()))>,
            class = std::enable_if_t<std::is_convertible_v<Element (*)[], T (*)[]>>>
  constexpr Span(Container&& container) noexcept : data_(std::data(container)), size_(std::size(container)) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr T& operator[](size_t index) const noexcept { return data_[index]; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

/* ------------------------------------------------------------------------------------------------------ results */

/** What check() and value() throw. what() is the library's message and the name of the result. */
class Error : public std::runtime_error {
 public:
  Error(clothc_result result, const std::string& message)
      : std::runtime_error(message + " [" + clothc_result_name(result) + "]"), result_(result) {}
  clothc_result result() const noexcept { return result_; }

 private:
  clothc_result result_;
};

/** The result of a call: success, a status such as CLOTHC_NOT_READY, or an error. */
class [[nodiscard]] Status {
 public:
  constexpr Status() noexcept = default;
  /** own_message: for errors that this layer finds itself. It must stay valid, as a literal does. */
  constexpr Status(clothc_result result, const char* own_message = nullptr) noexcept
      : result_(result), own_message_(own_message) {}

  constexpr bool is_success() const noexcept { return result_ == CLOTHC_SUCCESS; }
  constexpr bool is_error() const noexcept { return result_ < 0; }
  constexpr clothc_result result() const noexcept { return result_; }
  const char* name() const noexcept { return clothc_result_name(result_); }

  /** Says what was wrong and what to do about it. Lifetime: until this thread's next failing call. */
  const char* message() const noexcept {
    if (own_message_ != nullptr) return own_message_;
    return is_error() ? clothc_last_error_message() : "";
  }

  /** Throws if this is an error. Returns itself, so that statuses can be tested. */
  const Status& check() const {
    if (is_error()) fail();
    return *this;
  }

  /** Throws in any case. */
  [[noreturn]] void fail() const {
#if CLOTHC_THROWS
    throw Error(result_, message());
#else
    CLOTHC_FAIL(result_, message());
    std::abort();
#endif
  }

 private:
  clothc_result result_ = CLOTHC_SUCCESS;
  const char* own_message_ = nullptr;
};

inline bool operator==(const Status& status, clothc_result result) noexcept { return status.result() == result; }
inline bool operator!=(const Status& status, clothc_result result) noexcept { return status.result() != result; }

/** Throws if the result of a call of clothc.h is an error, and returns it otherwise. */
inline clothc_result check(clothc_result result) { return Status(result).check().result(); }

/** A value, or the status that says why there is none. */
template <class T>
class [[nodiscard]] Result {
 public:
  Result(Status status, T value = T()) : status_(status), value_(std::move(value)) {}

  bool has_value() const noexcept { return status_.is_success(); }
  explicit operator bool() const noexcept { return has_value(); }
  const Status& status() const noexcept { return status_; }

  /** The value. Throws if there is none. */
  T& value() & {
    require();
    return value_;
  }
  const T& value() const& {
    require();
    return value_;
  }
  T value() && {
    require();
    return std::move(value_);
  }

  /** The value, which must be there. */
  T& operator*() noexcept { return value_; }
  const T& operator*() const noexcept { return value_; }
  T* operator->() noexcept { return &value_; }
  const T* operator->() const noexcept { return &value_; }

 private:
  void require() const {
    if (status_.is_error()) status_.fail();
    if (!has_value())
      Status(status_.result(), "the call returned a status in place of a value; test has_value()").fail();
  }

  Status status_;
  T value_;
};

/* ------------------------------------------------------------------------------------------------------ structs */

/** The clothc_struct_kind of each struct of clothc.h. */
template <class Struct>
struct StructKind;
/* begin of what tools/make_bindings writes */
template <>
struct StructKind<clothc_device_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_DEVICE_DESC;
};
template <>
struct StructKind<clothc_buffer_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_BUFFER_DESC;
};
template <>
struct StructKind<clothc_mesh_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_MESH_DESC;
};
template <>
struct StructKind<clothc_solver_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_SOLVER_DESC;
};
template <>
struct StructKind<clothc_update> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_UPDATE;
};
template <>
struct StructKind<clothc_cloth_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CLOTH_DESC;
};
template <>
struct StructKind<clothc_view> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_VIEW;
};
template <>
struct StructKind<clothc_cloth_parameters> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CLOTH_PARAMETERS;
};
template <>
struct StructKind<clothc_phase_config> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_PHASE_CONFIG;
};
template <>
struct StructKind<clothc_cloth_frame> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CLOTH_FRAME;
};
template <>
struct StructKind<clothc_collider_shapes> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_COLLIDER_SHAPES;
};
template <>
struct StructKind<clothc_cloth_status> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CLOTH_STATUS;
};
template <>
struct StructKind<clothc_cloth_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CLOTH_INFO;
};
template <>
struct StructKind<clothc_group_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_GROUP_DESC;
};
template <>
struct StructKind<clothc_group_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_GROUP_INFO;
};
template <>
struct StructKind<clothc_contact> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CONTACT;
};
template <>
struct StructKind<clothc_solver_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_SOLVER_INFO;
};
template <>
struct StructKind<clothc_timers> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_TIMERS;
};
template <>
struct StructKind<clothc_debug_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_DEBUG_DESC;
};
template <>
struct StructKind<clothc_channel_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CHANNEL_INFO;
};
template <>
struct StructKind<clothc_parameter_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_PARAMETER_INFO;
};
template <>
struct StructKind<clothc_buffer_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_BUFFER_INFO;
};
template <>
struct StructKind<clothc_fabric_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_FABRIC_INFO;
};
template <>
struct StructKind<clothc_diagnostic> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_DIAGNOSTIC;
};
template <>
struct StructKind<clothc_device_info> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_DEVICE_INFO;
};
template <>
struct StructKind<clothc_verification> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_VERIFICATION;
};
template <>
struct StructKind<clothc_verification_row> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_VERIFICATION_ROW;
};
template <>
struct StructKind<clothc_external_handle> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_EXTERNAL_HANDLE;
};
template <>
struct StructKind<clothc_constraint_set> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_CONSTRAINT_SET;
};
template <>
struct StructKind<clothc_fabric_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_FABRIC_DESC;
};
template <>
struct StructKind<clothc_collider_mesh_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_COLLIDER_MESH_DESC;
};
template <>
struct StructKind<clothc_sdf_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_SDF_DESC;
};
template <>
struct StructKind<clothc_sdf_cook_desc> {
  static constexpr clothc_struct_kind value = CLOTHC_STRUCT_SDF_COOK_DESC;
};
/* end of what tools/make_bindings writes */

/** Returns a struct with its size and defaults. It throws if the loaded library is older than clothc.h and knows only a
 *  smaller struct. */
template <class Struct>
Struct initialised() {
  Struct value;
  check(clothc_struct_init(StructKind<Struct>::value, &value, sizeof value));
  return value;
}

/** Returns the version of the loaded library, such as "0.1.0". */
inline std::string library_version() {
  const uint32_t version = clothc_version();
  return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 255) + "." + std::to_string(version & 255);
}

namespace detail {

/* Calls function(struct*), which fills a struct. */
template <class Struct, class Function>
Result<Struct> filled(Function function) {
  Result<Struct> result(CLOTHC_SUCCESS, initialised<Struct>());
  const clothc_result code = function(&*result);
  return code == CLOTHC_SUCCESS ? std::move(result) : Result<Struct>(Status(code));
}

/* Calls function(data, count) first without data to learn the count, and then to fill an array of that size. The count
 * is in bytes if element_size is that of T, and in elements if it is 1. */
template <class T, class Count, class Function>
Result<std::vector<T>> listed(Function function, Count element_size = 1, const T& initial = T()) {
  Count count = 0;
  clothc_result code = function(static_cast<T*>(nullptr), &count);
  if (code < 0) return Status(code);
  std::vector<T> values(static_cast<size_t>(count / element_size), initial);
  code = count == 0 ? CLOTHC_SUCCESS : function(values.data(), &count);
  if (code != CLOTHC_SUCCESS) return Status(code);
  /* There may be fewer by now. */
  if (count / element_size < values.size()) values.resize(static_cast<size_t>(count / element_size));
  return {code, std::move(values)};
}

/* Owns a handle and destroys it. It converts to the handle, so that it can be passed to the functions of clothc.h. */
template <class Handle, clothc_result(CLOTHC_CALL* destroy)(Handle)>
class Owned {
 public:
  Owned() noexcept = default;
  explicit Owned(Handle handle) noexcept : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(other.release()) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Owned() { reset(); }

  Handle get() const noexcept { return handle_; }
  operator Handle() const& noexcept { return handle_; }
  operator Handle() const&& = delete;
  explicit operator bool() const noexcept { return handle_ != nullptr; }

  /** Gives up the handle without destroying it. */
  Handle release() noexcept { return std::exchange(handle_, nullptr); }
  /** Destroys the object, and owns another handle or none. */
  void reset(Handle handle = nullptr) noexcept {
    if (handle_ != nullptr) destroy(handle_);
    handle_ = handle;
  }

 private:
  Handle handle_ = nullptr;
};

/* Calls function(handle*), which creates an object. */
template <class Object, class Handle, class Function>
Result<Object> created(Function function) {
  Handle handle = {};
  const clothc_result code = function(&handle);
  if (code != CLOTHC_SUCCESS) return Status(code);
  return {code, Object(handle)};
}

}  // namespace detail

/* ------------------------------------------------------------------------------------------------------ buffers */

/** The elements of a buffer, mapped as T until unmap() or the end of this object. Mapping<const T> only reads. */
template <class T>
class Mapping {
 public:
  Mapping() noexcept = default;
  Mapping(clothc_buffer buffer, Span<T> elements) noexcept : buffer_(buffer), elements_(elements) {}
  Mapping(Mapping&& other) noexcept
      : buffer_(std::exchange(other.buffer_, nullptr)), elements_(std::exchange(other.elements_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    std::swap(elements_, other.elements_);
    return *this;
  }
  ~Mapping() { (void)unmap(); }

  /** Ends the mapping. */
  Status unmap() noexcept {
    if (buffer_ == nullptr) return CLOTHC_SUCCESS;
    elements_ = {};
    return clothc_buffer_unmap(std::exchange(buffer_, nullptr));
  }

  Span<T> span() const noexcept { return elements_; }
  T* data() const noexcept { return elements_.data(); }
  size_t size() const noexcept { return elements_.size(); }
  T* begin() const noexcept { return elements_.begin(); }
  T* end() const noexcept { return elements_.end(); }
  T& operator[](size_t index) const noexcept { return elements_[index]; }

 private:
  clothc_buffer buffer_ = nullptr;
  Span<T> elements_;
};

class Buffer : public detail::Owned<clothc_buffer, clothc_buffer_destroy> {
 public:
  using Owned::Owned;

  static Result<Buffer> create(clothc_device device, const clothc_buffer_desc& desc) {
    return detail::created<Buffer, clothc_buffer>(
        [&](clothc_buffer* b) { return clothc_buffer_create(device, &desc, b); });
  }
  /** A HOST buffer of elements without gaps. */
  static Result<Buffer> create(clothc_device device, clothc_format format, uint64_t count) {
    auto desc = initialised<clothc_buffer_desc>();
    desc.format = format;
    desc.count = count;
    return create(device, desc);
  }

  Result<clothc_buffer_info> info() const {
    return detail::filled<clothc_buffer_info>([&](auto* i) { return clothc_buffer_get_info(get(), i); });
  }

  /** Maps all bytes of the buffer as elements of type T, whatever its format. flags: CLOTHC_MAP_...; 0 = READ if T is
   *  const, and READ and WRITE otherwise. */
  template <class T>
  Result<Mapping<T>> map(uint32_t flags = 0) const {
    static_assert(std::is_trivially_copyable_v<T>, "elements are bytes that are read and written");
    if (std::is_const_v<T> && (flags & CLOTHC_MAP_WRITE) != 0) {
      return Status(CLOTHC_ERROR_INVALID_ARGUMENT, "CLOTHC_MAP_WRITE needs elements that are not const");
    }
    if ((flags & (CLOTHC_MAP_READ | CLOTHC_MAP_WRITE)) == 0) {
      flags |= std::is_const_v<T> ? CLOTHC_MAP_READ : CLOTHC_MAP_READ | CLOTHC_MAP_WRITE;
    }
    if (sized_ != get()) {
      Result<clothc_buffer_info> known = info();
      if (!known) return known.status();
      sized_ = get();
      size_ = known->size;
    }
    void* pointer = nullptr;
    const clothc_result code = clothc_buffer_map(get(), flags, &pointer);
    if (code != CLOTHC_SUCCESS) return Status(code);
    return {code, Mapping<T>(get(), {static_cast<T*>(pointer), static_cast<size_t>(size_ / sizeof(T))})};
  }

  /** Copies elements out of the buffer, from the byte offset on. */
  template <class T>
  Status read(Span<T> elements, uint64_t offset = 0) const {
    return clothc_buffer_read(get(), offset, elements.size() * sizeof(T), elements.data());
  }
  /** Copies elements into the buffer, from the byte offset on. */
  template <class T>
  Status write(Span<const T> elements, uint64_t offset = 0) const {
    return clothc_buffer_write(get(), offset, elements.size() * sizeof(T), elements.data());
  }

  Result<clothc_external_handle> export_memory() const {
    return detail::filled<clothc_external_handle>([&](auto* e) { return clothc_buffer_export(get(), e); });
  }

 private:
  /* The buffer that was mapped last, and its bytes. */
  mutable clothc_buffer sized_ = nullptr;
  mutable uint64_t size_ = 0;
};

/* ------------------------------------------------------------------------------------------------ fabrics, fences */

class Fabric : public detail::Owned<clothc_fabric, clothc_fabric_destroy> {
 public:
  using Owned::Owned;

  static Result<Fabric> cook(clothc_device device, const clothc_mesh_desc& mesh) {
    return detail::created<Fabric, clothc_fabric>(
        [&](clothc_fabric* f) { return clothc_fabric_cook(device, &mesh, f); });
  }
  static Result<Fabric> create(clothc_device device, const clothc_fabric_desc& desc) {
    return detail::created<Fabric, clothc_fabric>(
        [&](clothc_fabric* f) { return clothc_fabric_create(device, &desc, f); });
  }
  static Result<Fabric> load(clothc_device device, Span<const char> blob) {
    return detail::created<Fabric, clothc_fabric>(
        [&](clothc_fabric* f) { return clothc_fabric_load(device, blob.data(), blob.size(), f); });
  }

  Result<std::vector<char>> save() const {
    return detail::listed<char, uint64_t>(
        [&](char* data, uint64_t* size) { return clothc_fabric_save(get(), data, size); });
  }
  Result<clothc_fabric_info> info() const {
    return detail::filled<clothc_fabric_info>([&](auto* i) { return clothc_fabric_get_info(get(), i); });
  }
  /** One array, whose elements are uint32_t or float as the comments of clothc_fabric_array say. */
  template <class T>
  Result<std::vector<T>> read(clothc_fabric_array array) const {
    return detail::listed<T, uint64_t>(
        [&](T* data, uint64_t* size) { return clothc_fabric_read(get(), array, data, size); }, sizeof(T));
  }
  /** Everything that the cooker reported about the mesh, sorted by kind. */
  Result<std::vector<clothc_diagnostic>> diagnostics() const {
    Result<clothc_fabric_info> known = info();
    if (!known) return known.status();
    std::vector<clothc_diagnostic> found(known->diagnostic_count, initialised<clothc_diagnostic>());
    for (uint32_t i = 0; i < found.size(); ++i) {
      const clothc_result code = clothc_fabric_get_diagnostic(get(), i, &found[i]);
      if (code != CLOTHC_SUCCESS) return Status(code);
    }
    return {CLOTHC_SUCCESS, std::move(found)};
  }
};

class Fence : public detail::Owned<clothc_fence, clothc_fence_destroy> {
 public:
  using Owned::Owned;

  static Result<Fence> create(clothc_device device, uint64_t value = 0) {
    return detail::created<Fence, clothc_fence>([&](clothc_fence* f) { return clothc_fence_create(device, value, f); });
  }
  static Result<Fence> import(clothc_device device, const clothc_external_handle& external) {
    return detail::created<Fence, clothc_fence>(
        [&](clothc_fence* f) { return clothc_fence_import(device, &external, f); });
  }

  Result<clothc_external_handle> export_semaphore() const {
    return detail::filled<clothc_external_handle>([&](auto* e) { return clothc_fence_export(get(), e); });
  }
  Status signal(uint64_t value) const { return clothc_fence_signal(get(), value); }
  Status wait(uint64_t value, uint64_t timeout_ns = CLOTHC_WAIT_FOREVER) const {
    return clothc_fence_wait(get(), value, timeout_ns);
  }
  Result<uint64_t> value() const {
    uint64_t value = 0;
    const clothc_result code = clothc_fence_get_value(get(), &value);
    return {code, value};
  }
};

/* ------------------------------------------------------------------------------------------------------ cloths */

/** Names a collider set of a solver. */
class ColliderSet {
 public:
  ColliderSet() noexcept = default;
  ColliderSet(clothc_solver solver, clothc_collider_set_id id) noexcept : solver_(solver), id_(id) {}

  static Result<ColliderSet> create(clothc_solver solver) {
    clothc_collider_set_id id = 0;
    const clothc_result code = clothc_collider_set_create(solver, &id);
    return {code, ColliderSet(solver, id)};
  }
  clothc_collider_set_id id() const noexcept { return id_; }
  Status write(const clothc_collider_shapes& shapes) const { return clothc_collider_set_write(solver_, id_, &shapes); }
  Status destroy() const { return clothc_collider_set_destroy(solver_, id_); }

 private:
  clothc_solver solver_ = nullptr;
  clothc_collider_set_id id_ = 0;
};

/** Names a cloth of a solver. */
class Cloth {
 public:
  Cloth() noexcept = default;
  Cloth(clothc_solver solver, clothc_cloth_id id) noexcept : solver_(solver), id_(id) {}

  static Result<Cloth> add(clothc_solver solver, const clothc_cloth_desc& desc) {
    clothc_cloth_id id = 0;
    const clothc_result code = clothc_cloth_add(solver, &desc, &id);
    return {code, Cloth(solver, id)};
  }
  clothc_cloth_id id() const noexcept { return id_; }
  clothc_solver solver() const noexcept { return solver_; }
  Status remove() const { return clothc_cloth_remove(solver_, id_); }

  Result<clothc_cloth_info> info() const {
    return detail::filled<clothc_cloth_info>([&](auto* i) { return clothc_cloth_get_info(solver_, id_, i); });
  }
  Result<clothc_cloth_status> status() const {
    return detail::filled<clothc_cloth_status>([&](auto* s) { return clothc_cloth_get_status(solver_, id_, s); });
  }
  Result<clothc_cloth_parameters> parameters() const {
    return detail::filled<clothc_cloth_parameters>(
        [&](auto* p) { return clothc_cloth_get_parameters(solver_, id_, p); });
  }
  Status set_parameters(const clothc_cloth_parameters& parameters) const {
    return clothc_cloth_set_parameters(solver_, id_, &parameters);
  }
  Result<clothc_cloth_frame> frame() const {
    return detail::filled<clothc_cloth_frame>([&](auto* f) { return clothc_cloth_get_frame(solver_, id_, f); });
  }
  Status set_frame(const clothc_cloth_frame& frame) const { return clothc_cloth_set_frame(solver_, id_, &frame); }
  Result<std::vector<clothc_phase_config>> phases() const {
    return detail::listed<clothc_phase_config, uint32_t>(
        [&](clothc_phase_config* c, uint32_t* count) { return clothc_cloth_get_phases(solver_, id_, c, count); }, 1,
        initialised<clothc_phase_config>());
  }
  Status set_phases(Span<const clothc_phase_config> configs) const {
    return clothc_cloth_set_phases(solver_, id_, configs.data(), static_cast<uint32_t>(configs.size()));
  }
  Status set_collider_sets(Span<const clothc_collider_set_id> sets) const {
    return clothc_cloth_set_collider_sets(solver_, id_, sets.data(), static_cast<uint32_t>(sets.size()));
  }
  /** particles: empty = all. */
  Status set_self_collision_particles(Span<const uint32_t> particles) const {
    return clothc_cloth_set_self_collision_particles(solver_, id_, particles.empty() ? nullptr : particles.data(),
                                                     static_cast<uint32_t>(particles.size()));
  }

  /** Copies all elements of a per-particle channel from or to a buffer. Each call asks where the cloth's particles are;
   *  a program that knows it can pass a region to Solver::set and get.
   *  first_element: the element of the buffer that belongs to the cloth's first particle. */
  Status set(clothc_channel channel, clothc_buffer buffer, uint32_t first_element = 0, uint32_t flags = 0) const {
    Result<clothc_cloth_info> known = info();
    if (!known) return known.status();
    const clothc_region region = {first_element, known->first_particle, known->particle_count};
    return clothc_solver_set(solver_, channel, buffer, nullptr, &region, 1, flags);
  }
  Status get(clothc_channel channel, clothc_buffer buffer, uint32_t first_element = 0) const {
    Result<clothc_cloth_info> known = info();
    if (!known) return known.status();
    const clothc_region region = {known->first_particle, first_element, known->particle_count};
    return clothc_solver_get(solver_, channel, buffer, nullptr, &region, 1, 0);
  }

  /** Reads all elements of a per-particle channel in this format as values of type T, several of which may be one
   *  element: FLOAT4 has four floats. It waits for everything queued so far, and uses a buffer of its own each time. To
   *  read often, keep a buffer and get() into it. */
  template <class T>
  Result<std::vector<T>> read(clothc_device device, clothc_channel channel, clothc_format format) const {
    const Result<clothc_cloth_info> known = info();
    if (!known) return known.status();
    const Result<Buffer> buffer = Buffer::create(device, format, known->particle_count);
    if (!buffer) return buffer.status();
    const clothc_region region = {known->first_particle, 0, known->particle_count};
    const clothc_result code = clothc_solver_get(solver_, channel, *buffer, nullptr, &region, 1, 0);
    if (code != CLOTHC_SUCCESS) return Status(code);
    const Result<Mapping<const T>> mapping = buffer->map<const T>();
    if (!mapping) return mapping.status();
    return {code, std::vector<T>(mapping->begin(), mapping->end())};
  }

  /** positions: x y z and inverse mass of every particle; empty = the fabric's. */
  Status reset(Span<const float> positions = {}) const {
    if (positions.empty()) return clothc_cloth_reset(solver_, id_, nullptr);
    Result<clothc_cloth_info> known = info();
    if (!known) return known.status();
    if (positions.size() != size_t{4} * known->particle_count) {
      return Status(CLOTHC_ERROR_INVALID_ARGUMENT, "positions must have four values for each particle of the cloth");
    }
    return clothc_cloth_reset(solver_, id_, positions.data());
  }
  Result<Cloth> clone() const {
    clothc_cloth_id id = 0;
    const clothc_result code = clothc_cloth_clone(solver_, id_, &id);
    return {code, Cloth(solver_, id)};
  }
  Status clear(clothc_channel channel) const { return clothc_cloth_clear(solver_, id_, channel); }
  /** buffer: null ends the binding. */
  Status bind(clothc_channel channel, clothc_buffer buffer, const clothc_view* view = nullptr) const {
    return clothc_cloth_bind(solver_, id_, channel, buffer, view);
  }

 private:
  clothc_solver solver_ = nullptr;
  clothc_cloth_id id_ = 0;
};

/** Names a group of a solver, which is a cloth in all other respects. */
class Group : public Cloth {
 public:
  using Cloth::Cloth;

  static Result<Group> add(clothc_solver solver, const clothc_group_desc& desc) {
    clothc_group_id id = 0;
    const clothc_result code = clothc_group_add(solver, &desc, &id);
    return {code, Group(solver, id)};
  }
  Status remove() const { return clothc_group_remove(solver(), id()); }
  Result<clothc_group_info> group_info() const {
    return detail::filled<clothc_group_info>([&](auto* i) { return clothc_group_get_info(solver(), id(), i); });
  }
  Status set_springs(clothc_buffer indices, clothc_buffer rest_lengths, clothc_buffer stiffness, uint32_t count) const {
    return clothc_group_set_springs(solver(), id(), indices, rest_lengths, stiffness, count);
  }
  Status set_active(clothc_buffer particles, uint32_t count) const {
    return clothc_group_set_active(solver(), id(), particles, count);
  }
  Result<std::vector<uint32_t>> active() const {
    return detail::listed<uint32_t, uint32_t>([&](uint32_t* particles, uint32_t* count) {
      return clothc_group_get_active(solver(), id(), particles, count);
    });
  }
};

/* ------------------------------------------------------------------------------------------------------ solver */

class Solver : public detail::Owned<clothc_solver, clothc_solver_destroy> {
 public:
  using Owned::Owned;
  /* The handle; get() with a channel is further down. */
  using Owned::get;

  static Result<Solver> create(clothc_device device,
                               const clothc_solver_desc& desc = initialised<clothc_solver_desc>()) {
    return detail::created<Solver, clothc_solver>(
        [&](clothc_solver* s) { return clothc_solver_create(device, &desc, s); });
  }

  Status update(const clothc_update& update, uint64_t* value = nullptr) const {
    return clothc_solver_update(get(), &update, value);
  }
  /** An update of 1/60 s. */
  Status update() const { return update(initialised<clothc_update>()); }
  Status wait(uint64_t value = UINT64_MAX, uint64_t timeout_ns = CLOTHC_WAIT_FOREVER) const {
    return clothc_solver_wait(get(), value, timeout_ns);
  }
  Status poll(uint64_t value = UINT64_MAX, uint64_t* completed = nullptr) const {
    return clothc_solver_poll(get(), value, completed);
  }

  /** regions: empty = the buffer's elements to the channel's first ones. */
  Status set(clothc_channel channel, clothc_buffer buffer, Span<const clothc_region> regions = {}, uint32_t flags = 0,
             const clothc_view* view = nullptr) const {
    return clothc_solver_set(get(), channel, buffer, view, regions.data(), static_cast<uint32_t>(regions.size()),
                             flags);
  }
  /** regions: empty = the channel's first elements to the buffer's. */
  Status get(clothc_channel channel, clothc_buffer buffer, Span<const clothc_region> regions = {},
             const clothc_view* view = nullptr) const {
    return clothc_solver_get(get(), channel, buffer, view, regions.data(), static_cast<uint32_t>(regions.size()), 0);
  }

  Result<Cloth> add(const clothc_cloth_desc& desc) const { return Cloth::add(get(), desc); }
  Result<Group> add(const clothc_group_desc& desc) const { return Group::add(get(), desc); }
  Result<std::vector<clothc_cloth_id>> cloths() const {
    return detail::listed<clothc_cloth_id, uint32_t>(
        [&](clothc_cloth_id* ids, uint32_t* count) { return clothc_cloth_list(get(), ids, count); });
  }
  Result<ColliderSet> create_collider_set() const { return ColliderSet::create(get()); }
  Result<clothc_collider_asset_id> create_asset(const clothc_collider_mesh_desc& mesh) const {
    clothc_collider_asset_id id = 0;
    const clothc_result code = clothc_collider_mesh_create(get(), &mesh, &id);
    return {code, id};
  }
  Result<clothc_collider_asset_id> create_asset(const clothc_sdf_desc& sdf) const {
    clothc_collider_asset_id id = 0;
    const clothc_result code = clothc_collider_sdf_create(get(), &sdf, &id);
    return {code, id};
  }
  Status destroy_asset(clothc_collider_asset_id asset) const { return clothc_collider_asset_destroy(get(), asset); }

  Result<clothc_solver_info> info() const {
    return detail::filled<clothc_solver_info>([&](auto* i) { return clothc_solver_get_info(get(), i); });
  }
  Result<clothc_timers> timers() const {
    return detail::filled<clothc_timers>([&](auto* t) { return clothc_solver_get_timers(get(), t); });
  }
  /** Draws cloths as lines, for development. It waits for everything queued so far. */
  Result<std::vector<clothc_debug_line>> debug_lines(
      const clothc_debug_desc& desc = initialised<clothc_debug_desc>()) const {
    return detail::listed<clothc_debug_line, uint32_t>([&](clothc_debug_line* lines, uint32_t* count) {
      return clothc_solver_get_debug_lines(get(), &desc, lines, count);
    });
  }
  Result<clothc_channel_info> describe(clothc_channel channel) const {
    return detail::filled<clothc_channel_info>([&](auto* i) { return clothc_channel_describe(get(), channel, i); });
  }
  Result<uint64_t> state_hash() const {
    uint64_t hash = 0;
    const clothc_result code = clothc_solver_state_hash(get(), &hash);
    return {code, hash};
  }
  Result<std::vector<char>> snapshot() const {
    return detail::listed<char, uint64_t>(
        [&](char* data, uint64_t* size) { return clothc_solver_snapshot(get(), data, size); });
  }
  Status restore(Span<const char> snapshot, Span<const clothc_fabric> fabrics) const {
    return clothc_solver_restore(get(), snapshot.data(), snapshot.size(), fabrics.data(),
                                 static_cast<uint32_t>(fabrics.size()));
  }
  /** Returns the cloths that moved. */
  Result<std::vector<clothc_move>> compact() const {
    Result<clothc_solver_info> known = info();
    if (!known) return known.status();
    std::vector<clothc_move> moves(known->cloth_count);
    uint32_t count = known->cloth_count;
    const clothc_result code = clothc_solver_compact(get(), moves.data(), &count);
    moves.resize(count < moves.size() ? count : moves.size());
    return {code, std::move(moves)};
  }
};

/* ------------------------------------------------------------------------------------------------------ device */

/** How many kernels and programs a device was asked to compile, with verifications, and how many of them are done. */
struct Progress {
  uint32_t done = 0;
  uint32_t total = 0;
};

class Device : public detail::Owned<clothc_device, clothc_device_destroy> {
 public:
  using Owned::Owned;

  static Result<Device> create(const clothc_device_desc& desc = initialised<clothc_device_desc>()) {
    return detail::created<Device, clothc_device>([&](clothc_device* d) { return clothc_device_create(&desc, d); });
  }
  /** Lists all devices of this machine, absent ones included with their reason. */
  static Result<std::vector<clothc_device_info>> enumerate() {
    return detail::listed<clothc_device_info, uint32_t>(
        [](clothc_device_info* infos, uint32_t* count) { return clothc_device_enumerate(infos, count); }, 1,
        initialised<clothc_device_info>());
  }
  Result<clothc_device_info> info() const {
    return detail::filled<clothc_device_info>([&](auto* i) { return clothc_device_get_info(get(), i); });
  }

  /** Begins to compile what updates need, in a thread of the library. stages: bits 1 << CLOTHC_STAGE_...; 0 = all that
   *  updates with CLOTHC_SCHEDULE_AUTO may need. */
  Status prepare(uint32_t stages = 0) const { return clothc_device_prepare(get(), stages); }
  /** Waits until everything that prepare() began is compiled, and what verify() began has ended. */
  Status wait_prepared(uint64_t timeout_ns = CLOTHC_WAIT_FOREVER) const {
    return clothc_device_wait(get(), timeout_ns, nullptr, nullptr);
  }
  /** How far that has come, without waiting. */
  Result<Progress> progress() const {
    Progress progress;
    const clothc_result code = clothc_device_wait(get(), 0, &progress.done, &progress.total);
    return {code == CLOTHC_TIMEOUT ? CLOTHC_SUCCESS : code, progress};
  }
  /** What the driver has compiled so far, for load_cache() in the next run of the program. */
  Result<std::vector<char>> save_cache() const {
    for (;;) {
      Result<std::vector<char>> cache = detail::listed<char, uint64_t>(
          [&](char* data, uint64_t* size) { return clothc_device_save_cache(get(), data, size); });
      /* The only invalid argument can be a size that was enough before another thread had more compiled. */
      if (cache.status() != CLOTHC_ERROR_INVALID_ARGUMENT) return cache;
    }
  }
  /** Takes what save_cache() has returned. An error means that it is of no use here, and does no harm. */
  Status load_cache(Span<const char> cache) const {
    return clothc_device_load_cache(get(), cache.data(), cache.size());
  }

  /** Finds out whether the device gives the bits of all others. flags: CLOTHC_VERIFY_...; in the background,
   *  wait_prepared() waits for the end. That bits differ is no error: ask verification(). */
  Status verify(uint32_t flags = 0) const { return clothc_device_verify(get(), flags); }
  Result<clothc_verification> verification() const {
    return detail::filled<clothc_verification>(
        [&](auto* v) { return clothc_device_get_verification(get(), v, nullptr, nullptr); });
  }
  /** The results by kernel and form. Empty unless the device was verified here. */
  Result<std::vector<clothc_verification_row>> verification_rows() const {
    return detail::listed<clothc_verification_row, uint32_t>(
        [&](clothc_verification_row* rows, uint32_t* count) {
          return clothc_device_get_verification(get(), nullptr, rows, count);
        },
        1, initialised<clothc_verification_row>());
  }

  Result<Buffer> create_buffer(const clothc_buffer_desc& desc) const { return Buffer::create(get(), desc); }
  Result<Buffer> create_buffer(clothc_format format, uint64_t count) const {
    return Buffer::create(get(), format, count);
  }
  Result<Fabric> cook(const clothc_mesh_desc& mesh) const { return Fabric::cook(get(), mesh); }
  Result<Fabric> create_fabric(const clothc_fabric_desc& desc) const { return Fabric::create(get(), desc); }
  Result<Fabric> load_fabric(Span<const char> blob) const { return Fabric::load(get(), blob); }
  Result<Solver> create_solver(const clothc_solver_desc& desc = initialised<clothc_solver_desc>()) const {
    return Solver::create(get(), desc);
  }
  Result<Fence> create_fence(uint64_t value = 0) const { return Fence::create(get(), value); }
};

/* --------------------------------------------------------------------------------- descriptions, distance fields */

/** Describes the parameter of cloths with this index, counted from 0 in the order of clothc_cloth_parameters. */
inline Result<clothc_parameter_info> describe_parameter(uint32_t index) {
  return detail::filled<clothc_parameter_info>([&](auto* i) { return clothc_parameter_describe(index, i); });
}
/** Describes what does not depend on a solver of a channel. */
inline Result<clothc_channel_info> describe_channel(clothc_channel channel) {
  return detail::filled<clothc_channel_info>([&](auto* i) { return clothc_channel_describe(nullptr, channel, i); });
}

/** A signed distance field and its values, to which desc() points. */
class DistanceField {
 public:
  DistanceField() = default;
  DistanceField(const clothc_sdf_desc& grid, std::vector<float> values) : grid_(grid), values_(std::move(values)) {}

  /** Computes the field of a mesh. */
  static Result<DistanceField> cook(const clothc_sdf_cook_desc& desc) {
    auto grid = initialised<clothc_sdf_desc>();
    Result<std::vector<float>> values = detail::listed<float, uint64_t>(
        [&](float* data, uint64_t* size) { return clothc_sdf_cook(&desc, &grid, data, size); }, sizeof(float));
    if (!values) return values.status();
    return {CLOTHC_SUCCESS, DistanceField(grid, std::move(*values))};
  }

  clothc_sdf_desc desc() const noexcept {
    clothc_sdf_desc desc = grid_;
    desc.values = values_.data();
    return desc;
  }
  const std::vector<float>& values() const noexcept { return values_; }

 private:
  clothc_sdf_desc grid_ = {};
  std::vector<float> values_;
};

}  // namespace clothc
#endif
