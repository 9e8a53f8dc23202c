// file_descriptor.h - hands file descriptors of memory and semaphores to drivers, which take over those that they
// accept.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/backend/backend.h"

namespace clothc::gpu {

inline bool is_same_file(int a, int b) {
  struct stat of_a {
  }, of_b{};
  return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

// Returns what import(copy) makes of a duplicate of the descriptor, which import takes over. Then the descriptor is
// closed; if import throws, it stays as it is. A duplicate is needed because some drivers close a descriptor that they
// refuse.
template <class Import>
auto import_descriptor(int descriptor, Import import) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  CLOTHC_REQUIRE(copy >= 0, "external_handle.handle is %d, which is no open file descriptor", descriptor);
  try {
    auto imported = import(copy);
    close(descriptor);
    return imported;
  } catch (...) {
    if (is_same_file(copy, descriptor)) close(copy);
    throw;
  }
}

}  // namespace clothc::gpu
