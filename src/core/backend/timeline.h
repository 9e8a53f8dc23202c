// timeline.h - timelines, which are 64-bit values that only grow: the host and streams wait for them and raise them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "platform/os_handle.h"

namespace clothc {

// A semaphore of a device, through which other devices, APIs and processes access a timeline.
class SharedTimeline {
 public:
  virtual ~SharedTimeline() = default;
  // Returns the value, or 0 if the device cannot read it.
  virtual uint64_t value() const = 0;
  // Raises the value from the host, unless it is that high already. Never fails.
  virtual void signal(uint64_t value) = 0;
  // Throws Failure if the host may not raise the value to that one while queued work is going to raise it, at first to
  // queued.
  virtual void require_order(uint64_t value, uint64_t queued) const = 0;
  // Throws Failure if the host would never learn that value has been reached, which no queued work signals.
  virtual void require_expected(uint64_t) const {}
  // Returns a new handle, which the caller must close. Throws Failure.
  virtual platform::OsHandle export_handle() const = 0;
};

class Stream;

class Timeline {
 public:
  explicit Timeline(uint64_t value) : value_(value) {}
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  uint64_t value() const;
  // The list of commands that signals a timeline: the stream to which it goes, and the value of that stream's timeline.
  struct Signaller {
    std::weak_ptr<Stream> stream;
    uint64_t list = 0;
  };
  // Reserves value for a later signal. Returns false unless it is above all values signalled or reserved before.
  bool reserve(uint64_t value, Signaller signaller);
  // Takes a reservation back, unless its value has been reached.
  void take_back(uint64_t value);
  // Returns the highest value signalled or reserved so far.
  uint64_t reserved() const;
  // Raises the value and resumes the waiters whose value has been reached.
  void signal(uint64_t value);
  // The same where the semaphore that shares the timeline has that value already.
  void follow(uint64_t value);
  // Raises the value for a program. Throws Failure if it may not be raised to that one now.
  void signal_for_program(uint64_t value);

  // Waits on the host until value is reached, and helps the stream that signals it. Returns false if the time-out passes
  // first. Fails if the timeline is closed or abandoned first.
  bool wait(uint64_t value, uint64_t timeout_ns);
  // Ends every call of wait.
  void end_waits();

  // Identifies one waiter. It is an element of a linked list, so that waiting needs no memory allocation.
  struct Waiter {
    void (*resume)(void*) = nullptr;
    void* argument = nullptr;
    uint64_t value = 0;
    Waiter* next = nullptr;
  };
  // Adds a waiter, so that waiter.resume(waiter.argument) is called once when waiter.value is reached. If that value
  // has been reached already, returns false and does not add the waiter.
  bool call_when(Waiter& waiter);
  // Removes a waiter that call_when added. Returns false if it has been resumed or removed already.
  bool forget(Waiter& waiter);
  // Declares that the value will not be raised any more, because the device that would raise it is lost. Never fails.
  void abandon();

  // Returns the semaphore that shares this timeline with others, or null if it is not shared.
  std::shared_ptr<SharedTimeline> shared() const;
  // Shares the timeline through the semaphore that make(value) returns, unless it is shared already.
  template <class Make>
  std::shared_ptr<SharedTimeline> share(Make make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (shared_ == nullptr) shared_ = make(value_);
    return shared_;
  }

 protected:
  ~Timeline() = default;
  // Destroys the semaphore, which raises the timeline until it is destroyed. Must be called before the destructor.
  void unshare();
  // Must be called before the destructor in a child process made by fork, where no thread waits.
  void forget_waiting_threads();

 private:
  // The lock must be held; it is released.
  void raise(std::unique_lock<std::mutex> lock, uint64_t value, bool raises_semaphore);
  struct Reservation {
    uint64_t value;
    Signaller signaller;
  };
  // Lets the stream that has promised the value use the calling thread.
  void help_signaller(uint64_t value, uint64_t timeout_ns);
  // The lock must be held. Returns the first reservation whose signal reaches the value, or the end.
  std::vector<Reservation>::const_iterator find_reservation(uint64_t value) const;
  // Returns the link in the list that points to the first waiter for which is_wanted holds, or the null link at the
  // end.
  template <class IsWanted>
  Waiter** find_waiter(IsWanted is_wanted);

  mutable std::mutex mutex_;
  std::condition_variable reached_;
  uint64_t value_;
  // Those of values that have not been reached, in the order of their values.
  std::vector<Reservation> reserved_;
  Waiter* waiters_ = nullptr;
  std::shared_ptr<SharedTimeline> shared_;
  bool closed_ = false;
  bool abandoned_ = false;
};

}  // namespace clothc
