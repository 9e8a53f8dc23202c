// timeline.h - values that only grow: what a stream and other devices see of a fence.
#pragma once

#include <cstdint>
#include <memory>

namespace clothc {

// A timeline as other devices, APIs and processes see it: a semaphore of a device.
class SharedTimeline {
 public:
  virtual ~SharedTimeline() = default;
  virtual uint64_t value() const = 0;
  // Raises it from the host, unless it has come that far; never fails.
  virtual void signal(uint64_t value) = 0;
  // A new file descriptor, which the caller closes; throws Failure.
  virtual int export_file_descriptor() const = 0;
};

// A value that only grows, which work waits for and raises: what a stream sees of a fence.
class Timeline {
 public:
  virtual ~Timeline() = default;
  // Raises the value and resumes who waits for it.
  virtual void signal(uint64_t value) = 0;
  // One who waits; a link of a list, so that waiting allocates nothing.
  struct Waiter {
    void (*resume)(void*) = nullptr;
    void* argument = nullptr;
    uint64_t value = 0;
    Waiter* next = nullptr;
  };
  // Calls waiter.resume(waiter.argument) once, when waiter.value has been reached. Returns false, without keeping the
  // waiter, if it has been.
  virtual bool call_when(Waiter& waiter) = 0;
  // Forgets a waiter that call_when kept; true if it was still kept.
  virtual bool forget(Waiter& waiter) = 0;
  // The value will not be raised any more: the device that was to do it is lost. Never fails.
  virtual void abandon() = 0;
  // What others see of it; null if nobody does.
  virtual std::shared_ptr<SharedTimeline> shared() const { return nullptr; }
};

}  // namespace clothc
