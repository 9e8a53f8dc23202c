// handles.h - the table behind the public handles: generation-tagged indices, never addresses. Stale, foreign and null
// handles are found out; a slot whose generations are used up is retired. Taking a handle out of the table needs no memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/process.h"
#include "core/base/result.h"

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
  // Whether it was made before the fork that began this process: the threads that worked for it are not here.
  bool is_left_behind() const { return !origin_.is_here(); }
  // Of the handle table, under its lock: its handle is gone. A device then gets no more children.
  bool is_removed() const { return removed_; }
  void set_removed() { removed_ = true; }

 protected:
  Object(ObjectKind kind, std::shared_ptr<Device> device) : kind_(kind), device_(std::move(device)) {}

 private:
  ObjectKind kind_;
  Origin origin_;
  bool removed_ = false;
  std::shared_ptr<Device> device_;
};

class HandleTable {
 public:
  uintptr_t insert(std::shared_ptr<Object> object);
  // Null if the handle names no living object of that kind. Those made from a device go out of reach with its handle.
  std::shared_ptr<Object> find(uintptr_t handle, ObjectKind kind) const;
  std::shared_ptr<Object> remove(uintptr_t handle, ObjectKind kind);
  // Of a device whose handle has been removed: closes all objects made from it; lets go of them, solvers first, while the
  // buffers and fences that their work uses are still there.
  void close_children(const Device& device) const;
  void remove_children(const Device& device);

 private:
  struct Slot {
    std::shared_ptr<Object> object;
    uint32_t generation = 1;
  };
  // The slot a living handle names, or null.
  const Slot* slot_of(uintptr_t handle, ObjectKind kind) const;
  // The first slot from index on with an object made from the device; their number if there is none.
  size_t next_child(const Device& device, size_t index) const;
  std::shared_ptr<Object> release(size_t index);

  mutable ForkMutex mutex_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
};

// The process's table.
HandleTable& handle_table();

// The object a handle names; fails with INVALID_HANDLE, or with DEVICE_LOST if it was left behind by fork.
std::shared_ptr<Object> resolve_object(const void* handle, ObjectKind kind);

template <class T>
std::shared_ptr<T> resolve(const void* handle) {
  return std::static_pointer_cast<T>(resolve_object(handle, T::object_kind));
}

// The same for the object that a call is about, whose device's messages are: instead of failing, says what the call
// returns, without needing memory. Null object: not SUCCESS.
clothc_result find_callee(const void* handle, ObjectKind kind, std::shared_ptr<Object>& object);
// Takes the object out of the table, likewise. Null object and SUCCESS: it was left behind by fork, and is gone.
clothc_result remove_callee(const void* handle, ObjectKind kind, std::shared_ptr<Object>& object);

// What an export with a handle returns: body(object) within guard.
template <class T, class Body>
clothc_result call_on(const void* handle, Body body) {
  return guard([&]() -> clothc_result {
    std::shared_ptr<Object> object;
    const clothc_result found = find_callee(handle, T::object_kind, object);
    return found == CLOTHC_SUCCESS ? body(std::static_pointer_cast<T>(object)) : found;
  });
}

// What an export returns that destroys: the handle is gone, then body(object) does the rest and never fails.
template <class T, class Body>
clothc_result destroy_with(const void* handle, Body body) {
  return guard([&]() -> clothc_result {
    std::shared_ptr<Object> object;
    const clothc_result removed = remove_callee(handle, T::object_kind, object);
    std::shared_ptr<T> last = std::static_pointer_cast<T>(object);
    object = nullptr;
    if (last != nullptr) body(std::move(last));
    return removed;
  });
}

// Gives an object its public handle.
template <class Handle, class T>
void publish(Handle* handle, std::shared_ptr<T> object) {
  *handle = reinterpret_cast<Handle>(handle_table().insert(std::move(object)));
}

}  // namespace clothc
