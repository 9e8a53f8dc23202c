// windows_pages.cpp - see pages.h. This is the form for Windows.
#if defined(_WIN32)

#include "cuda/device/driver/pages.h"

#include <windows.h>

#include <winternl.h>

namespace clothc::cuda_device {
namespace {

// Views begin at multiples of this.
constexpr uint64_t view_unit = 65536;

void* to_pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

uint64_t to_address(void* pages) { return reinterpret_cast<uint64_t>(pages); }

void* reserve_at(uint64_t begin, uint64_t size) {
  return VirtualAlloc(to_pointer(begin), size, MEM_RESERVE, PAGE_NOACCESS);
}

MEMORY_BASIC_INFORMATION ask(uint64_t address) {
  MEMORY_BASIC_INFORMATION information{};
  VirtualQuery(to_pointer(address), &information, sizeof(information));
  return information;
}

bool is_shared(uint64_t begin) { return ask(begin).Type == MEM_MAPPED; }

// What the kernel says of a section; winternl.h does not declare it.
struct SectionInformation {
  void* base;
  ULONG attributes;
  LARGE_INTEGER size;
};
extern "C" NTSTATUS NTAPI NtQuerySection(HANDLE section, int kind, void* information, SIZE_T size, SIZE_T* written);

}  // namespace

uint64_t reserve_pages(uint64_t size, uint64_t unit) {
  // Another thread may take the addresses between the calls.
  for (int attempt = 0; attempt < 10; ++attempt) {
    void* const pages = reserve_at(0, size + unit);
    if (pages == nullptr) return 0;
    const uint64_t begin = round_up(to_address(pages), unit);
    VirtualFree(pages, 0, MEM_RELEASE);
    if (reserve_at(begin, size) != nullptr) return begin;
  }
  return 0;
}

void allow_pages(uint64_t begin, uint64_t size) {
  DWORD before = 0;
  if (is_shared(begin))
    VirtualProtect(to_pointer(begin), size, PAGE_READWRITE, &before);
  else
    VirtualAlloc(to_pointer(begin), size, MEM_COMMIT, PAGE_READWRITE);
}

void forbid_pages(uint64_t begin, uint64_t size) {
  if (is_shared(begin)) {
    unmap_shared(begin, size);
    reserve_at(begin / view_unit * view_unit, size + begin % view_unit);
  } else {
    VirtualFree(to_pointer(begin), size, MEM_DECOMMIT);
  }
}

void release_pages(uint64_t begin, uint64_t) { VirtualFree(to_pointer(begin / view_unit * view_unit), 0, MEM_RELEASE); }

bool are_pages_used(uint64_t begin, uint64_t size) {
  for (uint64_t next = begin; next < begin + size;) {
    const MEMORY_BASIC_INFORMATION information = ask(next);
    if (information.State != MEM_COMMIT) return false;
    next = to_address(information.BaseAddress) + information.RegionSize;
  }
  return true;
}

SharedHandle create_shared(uint64_t size) {
  return CreateFileMappingA(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, static_cast<DWORD>(size >> 32),
                            static_cast<DWORD>(size), nullptr);
}

uint64_t size_of_shared(SharedHandle handle) {
  SectionInformation information{};
  const NTSTATUS status = NtQuerySection(handle, 0, &information, sizeof(information), nullptr);
  return status == 0 ? static_cast<uint64_t>(information.size.QuadPart) : 0;
}

SharedHandle duplicate_shared(SharedHandle handle) {
  HANDLE copy = no_handle;
  const HANDLE process = GetCurrentProcess();
  DuplicateHandle(process, handle, process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS);
  return copy;
}

void close_shared(SharedHandle handle) { CloseHandle(handle); }

uint64_t map_shared(SharedHandle handle, uint64_t offset, uint64_t size) {
  const uint64_t first = offset / view_unit * view_unit;
  void* const view = MapViewOfFile(handle, FILE_MAP_ALL_ACCESS, static_cast<DWORD>(first >> 32),
                                   static_cast<DWORD>(first), size + offset - first);
  return view == nullptr ? 0 : to_address(view) + offset - first;
}

bool map_shared_at(SharedHandle handle, uint64_t begin, uint64_t size) {
  VirtualFree(to_pointer(begin), 0, MEM_RELEASE);
  if (MapViewOfFileEx(handle, FILE_MAP_ALL_ACCESS, 0, 0, size, to_pointer(begin)) == nullptr) return false;
  DWORD before = 0;
  return VirtualProtect(to_pointer(begin), size, PAGE_NOACCESS, &before) != 0;
}

void unmap_shared(uint64_t begin, uint64_t) { UnmapViewOfFile(to_pointer(begin / view_unit * view_unit)); }

}  // namespace clothc::cuda_device

#endif
