// os_handle.cpp - calls the operating system for handles.
#include "platform/os_handle.h"

#if defined(_WIN32)
#include <windows.h>
#include <winternl.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>
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

// Files are not refused: drivers may know them as sections.
const char* OsHandle::kind_that_is_never_shared() const {
  switch (GetFileType(raw_)) {
    case FILE_TYPE_PIPE:
      return "a pipe or a socket";
    case FILE_TYPE_CHAR:
      return "a console";
    default:
      return nullptr;
  }
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

namespace {

// Linux names what a file without a type is of. Elsewhere nothing is known of it.
const char* known_file_without_type(int descriptor) {
  struct Kind {
    std::string_view name;
    const char* what;
  };
  constexpr Kind kinds[] = {{"anon_inode:[eventfd]", "an eventfd"},
                            {"anon_inode:[timerfd]", "a timer"},
                            {"anon_inode:[signalfd]", "a signalfd"},
                            {"anon_inode:[eventpoll]", "an epoll instance"},
                            {"anon_inode:inotify", "an inotify instance"}};
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  char target[64];
  const ssize_t size = readlink(path.c_str(), target, sizeof(target));
  if (size < 0) return nullptr;
  const std::string_view name(target, static_cast<size_t>(size));
  for (const Kind& kind : kinds)
    if (name == kind.name) return kind.what;
  return nullptr;
}

}  // namespace

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

// Not refused are regular files, which memory of the processor may be; character devices, which NVIDIA's driver exports;
// and files without a type, which buffers and semaphores of the kernel are, unless they are known to be something else.
const char* OsHandle::kind_that_is_never_shared() const {
  struct stat status {};
  if (fstat(raw_, &status) != 0) return nullptr;
  switch (status.st_mode & S_IFMT) {
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    case S_IFDIR:
      return "a folder";
    case S_IFLNK:
      return "a symbolic link";
    case S_IFBLK:
      return "a disk";
    case S_IFCHR:
      return isatty(raw_) != 0 ? "a terminal" : nullptr;
    case 0:
      return known_file_without_type(raw_);
    default:
      return nullptr;
  }
}

void* OsHandle::default_attributes() { return nullptr; }

#endif

}  // namespace clothc::platform
