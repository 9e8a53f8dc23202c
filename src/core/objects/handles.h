// handles.h - the table behind the public handles. A handle is an index combined with a generation, never an address,
// so that stale, foreign and null handles are detected. A slot that has run out of generations is never used again.
// Removing a handle needs no memory.
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

// Base class of everything that has a handle. An object exists until its handle is destroyed and the last call that
// uses it has ended.
class Object {
 public:
  virtual ~Object() = default;
  ObjectKind kind() const { return kind_; }
  // Returns the device that the object was made from, or null if it is a device itself.
  const std::shared_ptr<Device>& device() const { return device_; }
  virtual MessageSink message_sink() const;
  // Makes calls of other threads that wait for this object return soon. May be called by any thread.
  virtual void close() {}
  // Returns whether the object was made before the fork that started this process, in which case the threads that
  // served it do not exist here.
  bool is_left_behind() const { return !origin_.is_here(); }
  // Whether the handle has been removed. The handle table sets and reads this under its lock. No object can be made
  // from a removed device.
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

// Maps handles to objects. Any thread may call it.
class HandleTable {
 public:
  // Returns a new handle for the object. Fails if its device has been removed, or with CAPACITY if all handles are in
  // use.
  uintptr_t insert(std::shared_ptr<Object> object);
  // find returns the object of a handle; remove also takes it out of the table. Both return null if the handle does not
  // name an existing object of that kind. Once the handle of a device has been removed, neither finds the objects made
  // from that device.
  std::shared_ptr<Object> find(uintptr_t handle, ObjectKind kind) const;
  std::shared_ptr<Object> remove(uintptr_t handle, ObjectKind kind);
  // For a device whose handle has been removed: close_children closes all objects made from it, and remove_children
  // then removes and releases them. It begins with solvers, so that buffers and fences still exist while solvers use
  // them.
  void close_children(const Device& device) const;
  void remove_children(const Device& device);

 private:
  struct Slot {
    std::shared_ptr<Object> object;
    uint32_t generation = 1;
  };
  // Returns the slot of a valid handle, or null.
  const Slot* slot_of(uintptr_t handle, ObjectKind kind) const;
  // Returns the first slot at or after index whose object was made from the device, or the number of slots if there is
  // none.
  size_t next_child(const Device& device, size_t index) const;
  // Takes the object out of a slot and frees the slot for another generation.
  std::shared_ptr<Object> release(size_t index);

  mutable ForkMutex mutex_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
};

// Returns the only table of the process.
HandleTable& handle_table();

// Returns the object of a handle. Fails with INVALID_HANDLE if there is none, or with DEVICE_LOST if it was made before
// the fork that started this process.
std::shared_ptr<Object> resolve_object(const void* handle, ObjectKind kind);

// Does the same for an object of a known type.
template <class T>
std::shared_ptr<T> resolve(const void* handle) {
  return std::static_pointer_cast<T>(resolve_object(handle, T::object_kind));
}

// Finds the object that an exported function is called on, and selects the message callback of that object's device.
// Unlike resolve_object it does not throw but returns the result of the call, for which it needs no memory. The object
// is null if and only if the result is not SUCCESS.
clothc_result find_callee(const void* handle, ObjectKind kind, std::shared_ptr<Object>& object);
// Does the same and removes the object from the table. If the result is SUCCESS but the object is null, the object was
// made before the fork that started this process and has been released already.
clothc_result remove_callee(const void* handle, ObjectKind kind, std::shared_ptr<Object>& object);

// Implements an exported function that takes a handle: finds the object and returns the result of body(object). Runs
// within guard.
template <class T, class Body>
clothc_result call_on(const void* handle, Body body) {
  return guard([&]() -> clothc_result {
    std::shared_ptr<Object> object;
    const clothc_result found = find_callee(handle, T::object_kind, object);
    return found == CLOTHC_SUCCESS ? body(std::static_pointer_cast<T>(object)) : found;
  });
}

// Implements an exported function that destroys an object: removes the handle and calls body(object), which must not
// fail.
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

// Makes a public handle for an object and stores it in *handle.
template <class Handle, class T>
void publish(Handle* handle, std::shared_ptr<T> object) {
  *handle = reinterpret_cast<Handle>(handle_table().insert(std::move(object)));
}

}  // namespace clothc
