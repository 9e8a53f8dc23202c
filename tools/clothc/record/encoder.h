// encoder.h - appends the arguments of a call to an event. It visits the structs of capture/generated/calls.h as the
// decoder does (capture/decoder.h), so that both agree.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "capture/format.h"
#include "capture/generated/calls.h"
#include "record/memory.h"
#include "record/symbols.h"

namespace clothc_tool {

class Encoder {
 public:
  // A call that succeeded had arguments that the library has read, so the encoder reads them too. Of others it reads only
  // what can be read.
  Encoder(std::vector<uint8_t>& bytes, clothc_result result) : bytes_(bytes), result_(result) {}

  template <class T>
  void value(const T& value) {
    append(&value, sizeof value);
  }
  template <class Handle>
  void handle(Handle handle) {
    // In structs, handles stand in the bytes themselves.
    if (!in_struct_) value(uint64_t{reinterpret_cast<uintptr_t>(handle)});
    if constexpr (std::is_same_v<Handle, clothc_solver>) solver_ = handle;
  }
  void cloth(clothc_cloth_id id) { value(id); }
  void collider_set(clothc_collider_set_id id) { value(id); }
  void asset(clothc_collider_asset_id id) { value(id); }

  // Handles and ids need no other treatment here than numbers.
  template <class T>
  void array(const T*& array, uint64_t size) {
    pointers_.push_back(&array);
    if (!array) return kind(PointerKind::null);
    if (result_ < 0 && (size > LARGEST_FAILED_ARRAY || !is_readable(array, size))) {
      array = nullptr;
      return kind(PointerKind::unreadable);
    }
    kind(PointerKind::present);
    value(size);
    append(array, size);
  }
  template <class Handle>
  void handles(const Handle*& handles, uint64_t count) {
    array(handles, product({count, sizeof(void*)}));
  }
  template <class Id>
  void cloths(const Id*& ids, uint64_t count) {
    array(ids, product({count, sizeof(Id)}));
  }
  template <class Id>
  void collider_sets(const Id*& ids, uint64_t count) {
    array(ids, product({count, sizeof(Id)}));
  }
  template <class Id>
  void assets(const Id*& ids, uint64_t count) {
    array(ids, product({count, sizeof(Id)}));
  }

  template <class Struct>
  void record(const Struct*& record) {
    const uint32_t size = begin_struct(record);
    if (size != 0) element(*record, size);
    pointers_.push_back(&record);
  }

  // An array of structs, of which the size of the first one is the stride.
  template <class Struct>
  void records(const Struct*& records, uint64_t count) {
    if (count == 0) {
      kind(PointerKind::null);
    } else if (const uint32_t stride = begin_struct(records); stride != 0) {
      const auto* first = reinterpret_cast<const uint8_t*>(records);
      for (uint64_t i = 0; i < count; ++i) element(*reinterpret_cast<const Struct*>(first + i * stride), stride);
    }
    pointers_.push_back(&records);
  }

  template <class T>
  void created(T* object) {
    value(static_cast<uint8_t>(object ? 1 : 0));
    const uint64_t made = object && result_ >= 0 ? uint64_t{reinterpret_cast<uintptr_t>(*object)} : 0;
    value(made);
  }
  void created_cloth(const uint32_t* id) { created_id(id); }
  void created_collider_set(const uint32_t* id) { created_id(id); }
  void created_asset(const uint32_t* id) { created_id(id); }

  // Of what calls write, only whether the program wants it and how long its arrays are.
  template <class T>
  void output(const T* pointer) {
    value(static_cast<uint8_t>(pointer ? 1 : 0));
  }
  template <class T>
  void output_array(const T* pointer, uint64_t) {
    output(pointer);
  }
  template <class T>
  void length(const T* pointer, uint64_t given) {
    output(pointer);
    value(given);
  }

  // Addresses of callbacks and what they receive mean nothing elsewhere.
  template <class T>
  void address(T& address) {
    pointers_.push_back(&address);
  }

  // The particles of what the call names. Where the call failed because of a handle, asking could only fail as well, which
  // would replace the message that the program may read.
  uint64_t particle_count(clothc_fabric fabric) const {
    clothc_fabric_info info = {};
    info.struct_size = sizeof info;
    const bool known = result_ != CLOTHC_ERROR_INVALID_HANDLE && library().fabric_get_info(fabric, &info) >= 0;
    return known ? info.particle_count : UNKNOWN;
  }
  uint64_t particle_count(clothc_cloth_id cloth) const {
    clothc_cloth_info info = {};
    info.struct_size = sizeof info;
    const bool known = result_ != CLOTHC_ERROR_INVALID_HANDLE && library().cloth_get_info(solver_, cloth, &info) >= 0;
    return known ? info.particle_count : UNKNOWN;
  }

 private:
  // An array of so many elements counts as one that cannot be read.
  static constexpr uint64_t UNKNOWN = UINT64_MAX;

  void append(const void* data, uint64_t size) {
    const auto* first = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  void kind(PointerKind kind) { bytes_.push_back(static_cast<uint8_t>(kind)); }

  void created_id(const uint32_t* id) {
    value(static_cast<uint8_t>(id ? 1 : 0));
    value(id && result_ >= 0 ? *id : 0);
  }

  // Writes what kind of pointer it is, and the size of the struct. Returns the size, or 0 if nothing more is to be written.
  template <class Struct>
  uint32_t begin_struct(const Struct* record) {
    if (!record) {
      kind(PointerKind::null);
      return 0;
    }
    uint32_t size = 0;
    if (result_ >= 0 || is_readable(record, sizeof size)) std::memcpy(&size, record, sizeof size);
    if (size < sizeof size || size > sizeof(Struct)) {
      kind(PointerKind::unreadable);
      return 0;
    }
    kind(PointerKind::present);
    value(size);
    return size;
  }

  // Writes the bytes of a struct with zeros in place of its pointers, and then what these refer to.
  template <class Struct>
  void element(const Struct& record, uint32_t size) {
    Struct copy;
    std::memset(static_cast<void*>(&copy), 0, sizeof copy);
    if (result_ >= 0 || is_readable(&record, size)) std::memcpy(static_cast<void*>(&copy), &record, size);
    const size_t position = bytes_.size();
    bytes_.resize(position + size);
    const size_t first_pointer = pointers_.size();
    const bool outer = std::exchange(in_struct_, true);
    visit(*this, copy, size);
    in_struct_ = outer;
    for (size_t i = first_pointer; i < pointers_.size(); ++i) std::memset(pointers_[i], 0, sizeof(void*));
    pointers_.resize(first_pointer);
    std::memcpy(bytes_.data() + position, &copy, size);
  }

  std::vector<uint8_t>& bytes_;
  clothc_result result_;
  clothc_solver solver_ = nullptr;
  bool in_struct_ = false;
  // Where the pointers of the structs that are being written are.
  std::vector<void*> pointers_;
};

}  // namespace clothc_tool
