// handles.cpp - implements the handle table. The bits of a handle are [generation | kind | index], from high to low.
// The index counts from 0 and the generation from 1, so no handle is null.
#include "core/objects/handles.h"

#include <new>

#include "core/objects/device.h"

namespace clothc {
namespace {

constexpr bool wide = sizeof(uintptr_t) == 8;
constexpr unsigned index_bits = wide ? 24 : 16;
constexpr unsigned kind_bits = wide ? 8 : 4;
constexpr unsigned generation_bits = wide ? 32 : 12;
constexpr uint32_t last_generation = static_cast<uint32_t>((uint64_t{1} << generation_bits) - 1);
constexpr uintptr_t index_mask = (uintptr_t{1} << index_bits) - 1;
constexpr uintptr_t kind_mask = (uintptr_t{1} << kind_bits) - 1;

const Device& device_of(const Object& object) {
  return object.kind() == ObjectKind::device ? static_cast<const Device&>(object) : *object.device();
}

// Releases an object that has been removed from the table. In a child process, objects of a GPU driver that were made
// before the fork are leaked instead, because the driver may wait for its own threads to destroy them, and these do not
// exist here.
void let_go(std::shared_ptr<Object> object) {
  if (!object->is_left_behind() || device_of(*object).backend().limits().is_freed_after_fork) return;
  alignas(std::shared_ptr<Object>) unsigned char kept[sizeof(std::shared_ptr<Object>)];
  ::new (static_cast<void*>(kept)) std::shared_ptr<Object>(std::move(object));
}

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
    if (slots_.size() == slots_.capacity()) slots_.reserve(2 * slots_.size() + 8);
    // Reserves memory for the index of every slot, so that removing a handle never allocates.
    free_.reserve(slots_.capacity());
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
  if (slot.object == nullptr || slot.generation != generation || slot.object->kind() != kind) return nullptr;
  const Device* device = slot.object->device().get();
  return device == nullptr || !device->is_removed() ? &slot : nullptr;
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
  object->set_removed();
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

size_t HandleTable::next_child(const Device& device, size_t index) const {
  while (index < slots_.size() && (slots_[index].object == nullptr || slots_[index].object->device().get() != &device))
    ++index;
  return index;
}

void HandleTable::close_children(const Device& device) const {
  for (size_t index = 0;; ++index) {
    std::shared_ptr<Object> child;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      index = next_child(device, index);
      if (index == slots_.size()) return;
      child = slots_[index].object;
    }
    child->close();
  }
}

void HandleTable::remove_children(const Device& device) {
  for (const bool of_solvers : {true, false}) {
    for (size_t index = 0;; ++index) {
      std::shared_ptr<Object> child;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        index = next_child(device, index);
        if (index == slots_.size()) break;
        if (!of_solvers || slots_[index].object->kind() == ObjectKind::solver) child = release(index);
      }
      if (child != nullptr) let_go(std::move(child));
    }
  }
}

HandleTable& handle_table() {
  // The table is never destroyed, because a program may end, or unload the library, while it still has handles.
  alignas(HandleTable) static unsigned char storage[sizeof(HandleTable)];
  static HandleTable* table = new (storage) HandleTable;
  return *table;
}

namespace {

// Makes the table when the library is loaded, so that no fork can occur while it is being made.
[[maybe_unused]] const HandleTable& table_at_start = handle_table();

// Returns the failure of a call that was given a handle of no existing object of this kind.
Failure no_such(const void* handle, ObjectKind kind) {
  if (handle == nullptr) {
    return make_failure(CLOTHC_ERROR_INVALID_HANDLE, "the %s handle is null; pass one that create gave", name_of(kind));
  }
  return make_failure(
      CLOTHC_ERROR_INVALID_HANDLE,
      "%p is not a living %s: it was destroyed, belongs to a destroyed device, or names another kind of object", handle,
      name_of(kind));
}

// Returns the object of a handle and sets the message sink to that of its device. Returns null and sets why if there is
// no such object or if it was made before the fork that started this process.
std::shared_ptr<Object> look_up(const void* handle, ObjectKind kind, Failure& why) {
  std::shared_ptr<Object> object = handle_table().find(reinterpret_cast<uintptr_t>(handle), kind);
  if (object == nullptr) {
    why = no_such(handle, kind);
    return nullptr;
  }
  set_message_sink(object->message_sink());
  if (!object->is_left_behind()) return object;
  why = make_failure(CLOTHC_ERROR_DEVICE_LOST,
                     "the %s was made before this process was forked, and the threads of its device are not here; make "
                     "a device in the child, or call exec",
                     name_of(kind));
  return nullptr;
}

}  // namespace

std::shared_ptr<Object> resolve_object(const void* handle, ObjectKind kind) {
  Failure why;
  std::shared_ptr<Object> object = look_up(handle, kind, why);
  if (object == nullptr) throw why;
  return object;
}

clothc_result find_callee(const void* handle, ObjectKind kind, std::shared_ptr<Object>& object) {
  Failure why;
  object = look_up(handle, kind, why);
  return object != nullptr ? CLOTHC_SUCCESS : report(why);
}

clothc_result remove_callee(const void* handle, ObjectKind kind, std::shared_ptr<Object>& object) {
  object = handle_table().remove(reinterpret_cast<uintptr_t>(handle), kind);
  if (object == nullptr) return report(no_such(handle, kind));
  set_message_sink(object->message_sink());
  if (!object->is_left_behind()) return CLOTHC_SUCCESS;
  if (kind == ObjectKind::device) handle_table().remove_children(static_cast<const Device&>(*object));
  let_go(std::move(object));
  object = nullptr;
  return CLOTHC_SUCCESS;
}

}  // namespace clothc
