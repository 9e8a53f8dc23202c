// pages.h - pages of memory and memory that can be shared, by the calls of the operating system: mmap and memfd on Linux,
// VirtualAlloc and sections on Windows. Addresses and sizes are whole pages.
#pragma once

#include <cstdint>

namespace clothc::cuda_device {

// What others refer to shared memory by: the descriptor of a memfd, or the NT handle of a section.
#if defined(_WIN32)
using SharedHandle = void*;
constexpr SharedHandle no_handle = nullptr;
#else
using SharedHandle = int;
constexpr SharedHandle no_handle = -1;
#endif

constexpr uint64_t page_size = 4096;
constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Returns the address of new pages at a multiple of unit, which are not accessible, or 0.
uint64_t reserve_pages(uint64_t size, uint64_t unit);
// Makes reserved pages accessible, with zeros.
void allow_pages(uint64_t begin, uint64_t size);
// Makes pages inaccessible and forgets what was in them; their addresses stay reserved. They are whole reservations, parts
// of those that were allowed, or shared memory that was mapped.
void forbid_pages(uint64_t begin, uint64_t size);
// Frees the addresses of a whole reservation that has been forbidden.
void release_pages(uint64_t begin, uint64_t size);
// Returns whether there is memory of the process in all pages.
bool are_pages_used(uint64_t begin, uint64_t size);

// Makes shared memory, or returns no_handle.
SharedHandle create_shared(uint64_t size);
// Returns the size, or 0 if there is no shared memory behind the handle.
uint64_t size_of_shared(SharedHandle handle);
SharedHandle duplicate_shared(SharedHandle handle);
void close_shared(SharedHandle handle);
// Maps shared memory from the byte at offset on, which is at the beginning of a page, and returns its address, or 0.
uint64_t map_shared(SharedHandle handle, uint64_t offset, uint64_t size);
// Maps shared memory in place of a whole reservation, or returns false. On Linux, parts of one will do.
bool map_shared_at(SharedHandle handle, uint64_t begin, uint64_t size);
// Ends what map_shared began.
void unmap_shared(uint64_t begin, uint64_t size);

}  // namespace clothc::cuda_device
