// symbols.cpp - finds the library behind the recorder, and puts the recorder between it and programs that load it with
// dlopen. The linker gives programs that are linked to the library the recorder's functions because it is preloaded.
// Programs that ask dlsym for functions of a library that they opened themselves (Python, C#, LuaJIT and others do) get
// the recorder's from the dlsym in this file.
#include "record/symbols.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace clothc_tool {
namespace {

using FindSymbol = void* (*)(void*, const char*) noexcept;

// The C library's dlsym, which dlvsym finds under the versions that it has had.
FindSymbol system_dlsym() noexcept {
  static const FindSymbol found = [] {
    for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"}) {
      if (void* address = dlvsym(RTLD_NEXT, "dlsym", version)) return reinterpret_cast<FindSymbol>(address);
    }
    std::fputs("clothc record: this C library has no dlsym that the recorder knows; use glibc 2.17 or later\n", stderr);
    std::abort();
  }();
  return found;
}

// The handle with which the program opened the library, if it did so itself.
std::atomic<void*> opened_library{nullptr};

Library load_library() {
  Library result;
  void* handle = system_dlsym()(RTLD_NEXT, "clothc_version") ? RTLD_NEXT : opened_library.load();
  for_each_function(result, [&](const char* name, auto& function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(system_dlsym()(handle, name));
  });
  if (result.version) return result;
  std::fputs(
      "clothc record: a function of clothc was called, but the program has not loaded libclothc.so; "
      "programs that contain the library cannot be recorded\n",
      stderr);
  std::abort();
}

// What a program gets that looks for a function through `handle`.
void* find_for_program(void* handle, const char* name) noexcept {
  void* const address = system_dlsym()(handle, name);
  void* const exported = address ? exported_function(name) : nullptr;
  if (!exported) return address;
  if (address != exported && handle != RTLD_DEFAULT && handle != RTLD_NEXT) opened_library = handle;
  return exported;
}

}  // namespace

const Library& library() {
  static const Library loaded = load_library();
  return loaded;
}

}  // namespace clothc_tool

// dlsym(RTLD_NEXT, ...) looks behind the object that called it, so a call for another name must end in a jump, which keeps
// the address of the caller. g++ makes one where it optimises, of calls that do not throw; clang wherever it is told to.
#if defined(__clang__)
#define CLOTHC_WITH_JUMPS
#define CLOTHC_JUMP [[clang::musttail]]
#else
#define CLOTHC_WITH_JUMPS __attribute__((optimize("O2")))
#define CLOTHC_JUMP
#endif

extern "C" __attribute__((visibility("default"))) CLOTHC_WITH_JUMPS void* dlsym(void* __restrict handle,
                                                                                const char* __restrict name) noexcept {
  if (std::strncmp(name, "clothc_", 7) == 0) return clothc_tool::find_for_program(handle, name);
  CLOTHC_JUMP return clothc_tool::system_dlsym()(handle, name);
}
