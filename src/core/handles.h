// handles.h - the table behind the public handles: generation-tagged indices, never addresses. Stale, foreign and null
// handles are found out; a slot whose generations are used up is retired.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/result.h"

namespace clothc {

class Device;

enum class ObjectKind : uint8_t { device = 1, buffer, fabric, solver, fence };

const char* name_of(ObjectKind kind);

// Anything a handle names. Lives until its handle is destroyed and the last call that uses it has ended.
class Object {
 public:
  virtual ~Object() = default;
  ObjectKind kind() const { return kind_; }
  // Null for a device itself.
  const std::shared_ptr<Device>& device() const { return device_; }
  virtual MessageSink message_sink() const;
  // Ends what calls of other threads wait for. From any thread.
  virtual void close() {}

 protected:
  Object(ObjectKind kind, std::shared_ptr<Device> device) : kind_(kind), device_(std::move(device)) {}

 private:
  ObjectKind kind_;
  std::shared_ptr<Device> device_;
};

class HandleTable {
 public:
  uintptr_t insert(std::shared_ptr<Object> object);
  // Null if the handle names no living object of that kind.
  std::shared_ptr<Object> find(uintptr_t handle, ObjectKind kind) const;
  std::shared_ptr<Object> remove(uintptr_t handle, ObjectKind kind);
  // Removes a device, which comes last, and all objects made from it; nothing if the handle names no living device.
  // May throw std::bad_alloc before anything has changed.
  std::vector<std::shared_ptr<Object>> remove_device(uintptr_t handle);

 private:
  struct Slot {
    std::shared_ptr<Object> object;
    uint32_t generation = 1;
  };
  // The slot a living handle names, or null.
  const Slot* slot_of(uintptr_t handle, ObjectKind kind) const;
  std::shared_ptr<Object> release(size_t index);

  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
};

// The process's table.
HandleTable& handle_table();

// The object a handle names; fails with INVALID_HANDLE, and routes messages to the object's device.
std::shared_ptr<Object> resolve_object(const void* handle, ObjectKind kind, bool remove);

template <class T>
std::shared_ptr<T> resolve(const void* handle) {
  return std::static_pointer_cast<T>(resolve_object(handle, T::object_kind, false));
}

// Takes the handle out of the table.
template <class T>
std::shared_ptr<T> resolve_and_remove(const void* handle) {
  return std::static_pointer_cast<T>(resolve_object(handle, T::object_kind, true));
}

}  // namespace clothc
