// memory.cpp - asks the system to copy a byte of every page into a pipe, which fails where the program would crash.
#include "record/memory.h"

#include <unistd.h>

#include <cerrno>

namespace clothc_tool {
namespace {

bool is_readable_byte(const int (&ends)[2], uintptr_t address) {
  ssize_t written = 0;
  do {
    written = write(ends[1], reinterpret_cast<const void*>(address), 1);
  } while (written < 0 && errno == EINTR);
  char byte = 0;
  return written == 1 && read(ends[0], &byte, 1) == 1;
}

}  // namespace

bool is_readable(const void* memory, uint64_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  if (size == 0) return true;
  if (!memory || begin + size < begin) return false;
  int ends[2];
  if (pipe(ends) != 0) return false;
  constexpr uintptr_t page = 4096;
  bool readable = is_readable_byte(ends, begin + size - 1);
  for (uintptr_t address = begin; readable && address < begin + size; address = (address / page + 1) * page) {
    readable = is_readable_byte(ends, address);
  }
  close(ends[0]);
  close(ends[1]);
  return readable;
}

}  // namespace clothc_tool
