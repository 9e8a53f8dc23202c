// os_handle.h - a handle of the operating system through which devices, APIs and processes share memory or a semaphore: a
// file descriptor, or an NT handle on Windows. It is a plain value, and what it refers to stays open until `close`.
#pragma once

#include <cstdint>

namespace clothc::platform {

class OsHandle {
 public:
#if defined(_WIN32)
  using Raw = void*;
  // Whether a driver that imports a handle takes it over, so that nobody else closes it.
  static constexpr bool is_taken_by_drivers = false;
#else
  using Raw = int;
  static constexpr bool is_taken_by_drivers = true;
#endif

  OsHandle() = default;
  // number: the handle as clothc_external_handle holds it.
  explicit OsHandle(int64_t number);
  int64_t number() const;
  // Whether it may be a handle: it is not one of the values that stand for none.
  bool is_set() const;
  Raw raw() const { return raw_; }
  // Where a driver writes a new handle.
  Raw* address() { return &raw_; }

  // Returns a new handle of the same object, or one that is not set if this one is not open.
  OsHandle duplicate() const;
  // Whether this duplicate is still open after a driver has refused it: some close a file descriptor that they refuse.
  bool is_left(OsHandle original) const;
  void close() const;
  // Returns what the handle is of, such as "a pipe", if that can be neither memory nor a semaphore of any driver, and null
  // otherwise. Drivers that read from such a handle may wait for ever.
  const char* kind_that_is_never_shared() const;
  // Returns what says that new handles are for this user only (an OBJECT_ATTRIBUTES of Windows), or null where the system
  // has no such thing.
  static void* default_attributes();

 private:
#if defined(_WIN32)
  Raw raw_ = nullptr;
#else
  Raw raw_ = -1;
#endif
};

}  // namespace clothc::platform
