// shared_library.cpp - LoadLibrary on Windows, dlopen elsewhere.
#include "platform/shared_library.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace clothc::platform {

#if defined(_WIN32)

bool SharedLibrary::open(const char* name) {
  handle_ = LoadLibraryA(name);
  return handle_ != nullptr;
}

void SharedLibrary::close() {
  if (handle_ != nullptr) FreeLibrary(static_cast<HMODULE>(handle_));
  handle_ = nullptr;
}

void* SharedLibrary::find_address(const char* name) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

#else

bool SharedLibrary::open(const char* name) {
  handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  return handle_ != nullptr;
}

void SharedLibrary::close() {
  if (handle_ != nullptr) dlclose(handle_);
  handle_ = nullptr;
}

void* SharedLibrary::find_address(const char* name) const { return dlsym(handle_, name); }

#endif

}  // namespace clothc::platform
