// timeline.h - timelines, which are values that only grow: the interfaces to a fence for streams and for other devices.
#pragma once

#include <cstdint>
#include <memory>

namespace clothc {

// A semaphore of a device, through which other devices, APIs and processes access a timeline.
class SharedTimeline {
 public:
  virtual ~SharedTimeline() = default;
  virtual uint64_t value() const = 0;
  // Raises the value from the host, unless it is that high already. Never fails.
  virtual void signal(uint64_t value) = 0;
  // Returns a new file descriptor, which the caller must close. Throws Failure.
  virtual int export_file_descriptor() const = 0;
};

// A value that only grows. Operations of streams wait for it and raise it. Fences implement this interface.
class Timeline {
 public:
  virtual ~Timeline() = default;
  // Raises the value and resumes the waiters whose value has been reached.
  virtual void signal(uint64_t value) = 0;
  // Identifies one waiter. It is an element of a linked list, so that waiting needs no memory allocation.
  struct Waiter {
    void (*resume)(void*) = nullptr;
    void* argument = nullptr;
    uint64_t value = 0;
    Waiter* next = nullptr;
  };
  // Adds a waiter, so that waiter.resume(waiter.argument) is called once when waiter.value is reached. If that value
  // has been reached already, returns false and does not add the waiter.
  virtual bool call_when(Waiter& waiter) = 0;
  // Removes a waiter that call_when added. Returns false if it has been resumed or removed already.
  virtual bool forget(Waiter& waiter) = 0;
  // Declares that the value will not be raised any more, because the device that would raise it is lost. Never fails.
  virtual void abandon() = 0;
  // Returns the semaphore that shares this timeline with others, or null if it is not shared.
  virtual std::shared_ptr<SharedTimeline> shared() const { return nullptr; }
};

}  // namespace clothc
