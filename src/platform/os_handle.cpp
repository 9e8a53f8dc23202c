// os_handle.cpp - calls the operating system for handles.
#include "platform/os_handle.h"

#if defined(_WIN32)
#include <windows.h>
#include <winternl.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace clothc::platform {

#if defined(_WIN32)

OsHandle::OsHandle(int64_t number) : raw_(reinterpret_cast<void*>(static_cast<intptr_t>(number))) {}

int64_t OsHandle::number() const { return reinterpret_cast<intptr_t>(raw_); }

bool OsHandle::is_set() const { return raw_ != nullptr && raw_ != INVALID_HANDLE_VALUE; }

OsHandle OsHandle::duplicate() const {
  OsHandle copy;
  const HANDLE process = GetCurrentProcess();
  if (!is_set() || DuplicateHandle(process, raw_, process, copy.address(), 0, FALSE, DUPLICATE_SAME_ACCESS) == 0)
    return {};
  return copy;
}

bool OsHandle::is_left(OsHandle) const { return true; }

void OsHandle::close() const {
  if (is_set()) CloseHandle(raw_);
}

void* OsHandle::default_attributes() {
  static OBJECT_ATTRIBUTES attributes = [] {
    OBJECT_ATTRIBUTES defaults;
    InitializeObjectAttributes(&defaults, nullptr, 0, nullptr, nullptr);
    return defaults;
  }();
  return &attributes;
}

#else

OsHandle::OsHandle(int64_t number) : raw_(number >= 0 && number <= INT32_MAX ? static_cast<int>(number) : -1) {}

int64_t OsHandle::number() const { return raw_; }

bool OsHandle::is_set() const { return raw_ >= 0; }

OsHandle OsHandle::duplicate() const {
  OsHandle copy;
  copy.raw_ = fcntl(raw_, F_DUPFD_CLOEXEC, 0);
  return copy;
}

// Another thread may have got the number of the closed duplicate for another file.
bool OsHandle::is_left(OsHandle original) const {
  struct stat a {
  }, b{};
  return fstat(raw_, &a) == 0 && fstat(original.raw_, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void OsHandle::close() const { ::close(raw_); }

void* OsHandle::default_attributes() { return nullptr; }

#endif

}  // namespace clothc::platform
