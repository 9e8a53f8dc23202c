// memory.cpp - asks the C library for its statistics.
#include "bench/memory.h"

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#define CLOTHC_TOOL_HAS_MALLINFO2
#include <malloc.h>
#endif
#endif

namespace clothc_tool {

std::optional<uint64_t> bytes_in_use() {
#ifdef CLOTHC_TOOL_HAS_MALLINFO2
  const struct mallinfo2 info = mallinfo2();
  return uint64_t{info.uordblks} + info.hblkhd;
#else
  return std::nullopt;
#endif
}

}  // namespace clothc_tool
