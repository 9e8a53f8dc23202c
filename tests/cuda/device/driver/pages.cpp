// pages.cpp - see pages.h. This is the form for Linux.
#include "cuda/device/driver/pages.h"

#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

namespace clothc::cuda_device {
namespace {

constexpr int reserving = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* to_pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

uint64_t to_address(void* pages) { return pages == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(pages); }

}  // namespace

uint64_t reserve_pages(uint64_t size, uint64_t unit) {
  const uint64_t first = to_address(mmap(nullptr, size + unit, PROT_NONE, reserving, -1, 0));
  if (first == 0) return 0;
  const uint64_t begin = round_up(first, unit);
  if (begin > first) munmap(to_pointer(first), begin - first);
  if (begin < first + unit) munmap(to_pointer(begin + size), first + unit - begin);
  return begin;
}

void allow_pages(uint64_t begin, uint64_t size) { mprotect(to_pointer(begin), size, PROT_READ | PROT_WRITE); }

void forbid_pages(uint64_t begin, uint64_t size) {
  mmap(to_pointer(begin), size, PROT_NONE, reserving | MAP_FIXED, -1, 0);
}

void release_pages(uint64_t begin, uint64_t size) { munmap(to_pointer(begin), size); }

bool are_pages_used(uint64_t begin, uint64_t size) {
  std::vector<unsigned char> pages(size / page_size);
  return mincore(to_pointer(begin), size, pages.data()) == 0;
}

SharedHandle create_shared(uint64_t size) {
  const int memory = memfd_create("clothc CUDA memory", MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, static_cast<off_t>(size)) == 0) return memory;
  close(memory);
  return no_handle;
}

uint64_t size_of_shared(SharedHandle handle) {
  struct stat status = {};
  const bool is_file = fstat(handle, &status) == 0 && S_ISREG(status.st_mode);
  return is_file ? static_cast<uint64_t>(status.st_size) : 0;
}

SharedHandle duplicate_shared(SharedHandle handle) { return fcntl(handle, F_DUPFD_CLOEXEC, 0); }

void close_shared(SharedHandle handle) { close(handle); }

uint64_t map_shared(SharedHandle handle, uint64_t offset, uint64_t size) {
  return to_address(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, handle, static_cast<off_t>(offset)));
}

bool map_shared_at(SharedHandle handle, uint64_t begin, uint64_t size) {
  return to_address(mmap(to_pointer(begin), size, PROT_NONE, MAP_SHARED | MAP_FIXED, handle, 0)) != 0;
}

void unmap_shared(uint64_t begin, uint64_t size) { munmap(to_pointer(begin), size); }

}  // namespace clothc::cuda_device

#endif
