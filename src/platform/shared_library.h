// shared_library.h - a library that is loaded at run time. There is one if `open` succeeds, and it stays loaded until
// `close`, not until the object is destroyed: some drivers have threads that run their code until the process ends.
#pragma once

namespace clothc::platform {

class SharedLibrary {
 public:
  // Loads the library and returns whether there is one of this name.
  bool open(const char* name);
  // Unloads the library, if it is loaded.
  void close();
  // Returns the function of this name as a pointer of the wanted type, or null.
  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(find_address(name));
  }

 private:
  void* find_address(const char* name) const;

  void* handle_ = nullptr;
};

}  // namespace clothc::platform
