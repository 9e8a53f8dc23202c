// process_counts.h - how many files this process has open, and how much memory it has allocated.
#pragma once

#if !defined(_WIN32)
#include <dirent.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cstdint>

#include "support/sanitized.h"

namespace clothc_test {

// Returns 0 where the system does not tell.
inline int open_file_count() {
  int count = 0;
#if !defined(_WIN32)
  DIR* directory = opendir("/proc/self/fd");
  if (directory == nullptr) return 0;
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
#endif
  return count;
}

// Returns the size in bytes of what malloc has given and was not freed, to libraries too, or 0 where that is unknown.
inline int64_t allocated_size() {
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
  if (is_sanitized) return 0;
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
#endif
#endif
  return 0;
}

}  // namespace clothc_test
