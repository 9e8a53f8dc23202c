// handles.cpp - handles are [generation | kind | index]; the index counts from 0, the generation from 1.
#include "core/handles.h"

#include <algorithm>

#include "core/device.h"

namespace clothc {
namespace {

constexpr bool wide = sizeof(uintptr_t) == 8;
constexpr unsigned index_bits = wide ? 24 : 16;
constexpr unsigned kind_bits = wide ? 8 : 4;
constexpr unsigned generation_bits = wide ? 32 : 12;
constexpr uint32_t last_generation = static_cast<uint32_t>((uint64_t{1} << generation_bits) - 1);
constexpr uintptr_t index_mask = (uintptr_t{1} << index_bits) - 1;
constexpr uintptr_t kind_mask = (uintptr_t{1} << kind_bits) - 1;

}  // namespace

const char* name_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::device:
      return "device";
    case ObjectKind::buffer:
      return "buffer";
    case ObjectKind::fabric:
      return "fabric";
    case ObjectKind::solver:
      return "solver";
    case ObjectKind::fence:
      return "fence";
  }
  return "object";
}

MessageSink Object::message_sink() const { return device_ ? device_->message_sink() : MessageSink{}; }

uintptr_t HandleTable::insert(std::shared_ptr<Object> object) {
  const std::lock_guard<std::mutex> lock(mutex_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, object->device() == nullptr || !object->device()->is_removed(),
                    "the device was destroyed by another thread during the call");
  if (free_.empty()) {
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, slots_.size() <= index_mask,
                      "all %zu handles are in use; destroy some objects", slots_.size());
    free_.reserve(slots_.size() + 1);  // so that removing never allocates
    slots_.emplace_back();
    free_.push_back(static_cast<uint32_t>(slots_.size() - 1));
  }
  const uint32_t index = free_.back();
  free_.pop_back();
  Slot& slot = slots_[index];
  const uintptr_t kind = static_cast<uintptr_t>(object->kind());
  slot.object = std::move(object);
  return static_cast<uintptr_t>(slot.generation) << (index_bits + kind_bits) | kind << index_bits | index;
}

const HandleTable::Slot* HandleTable::slot_of(uintptr_t handle, ObjectKind kind) const {
  const uintptr_t index = handle & index_mask;
  const uintptr_t handle_kind = handle >> index_bits & kind_mask;
  const uintptr_t generation = handle >> (index_bits + kind_bits);
  if (index >= slots_.size() || handle_kind != static_cast<uintptr_t>(kind)) return nullptr;
  const Slot& slot = slots_[index];
  return slot.object != nullptr && slot.generation == generation && slot.object->kind() == kind ? &slot : nullptr;
}

std::shared_ptr<Object> HandleTable::find(uintptr_t handle, ObjectKind kind) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Slot* slot = slot_of(handle, kind);
  return slot != nullptr ? slot->object : nullptr;
}

std::shared_ptr<Object> HandleTable::release(size_t index) {
  Slot& slot = slots_[index];
  std::shared_ptr<Object> object = std::move(slot.object);
  slot.object = nullptr;
  if (slot.generation < last_generation) {
    ++slot.generation;
    free_.push_back(static_cast<uint32_t>(index));
  }
  return object;
}

std::shared_ptr<Object> HandleTable::remove(uintptr_t handle, ObjectKind kind) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Slot* slot = slot_of(handle, kind);
  return slot != nullptr ? release(static_cast<size_t>(slot - slots_.data())) : nullptr;
}

std::vector<std::shared_ptr<Object>> HandleTable::remove_device(uintptr_t handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::shared_ptr<Object>> removed;
  const Slot* device = slot_of(handle, ObjectKind::device);
  if (device == nullptr) return removed;
  const Object* parent = device->object.get();
  const auto is_child = [&](const Slot& s) { return s.object != nullptr && s.object->device().get() == parent; };
  removed.reserve(static_cast<size_t>(std::count_if(slots_.begin(), slots_.end(), is_child)) + 1);
  for (size_t index = 0; index < slots_.size(); ++index) {
    if (is_child(slots_[index])) removed.push_back(release(index));
  }
  removed.push_back(release(static_cast<size_t>(device - slots_.data())));
  static_cast<Device&>(*removed.back()).set_removed();
  return removed;
}

HandleTable& handle_table() {
  // Never destroyed: a program may end, or unload the library, with handles left over.
  static HandleTable* table = new HandleTable;
  return *table;
}

std::shared_ptr<Object> resolve_object(const void* handle, ObjectKind kind, bool remove) {
  const uintptr_t value = reinterpret_cast<uintptr_t>(handle);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, handle != nullptr, "the %s handle is null; pass one that create gave",
                    name_of(kind));
  std::shared_ptr<Object> object = remove ? handle_table().remove(value, kind) : handle_table().find(value, kind);
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_INVALID_HANDLE, object != nullptr,
      "%p is not a living %s: it was destroyed, belongs to a destroyed device, or names another kind of object", handle,
      name_of(kind));
  set_message_sink(object->message_sink());
  return object;
}

}  // namespace clothc
