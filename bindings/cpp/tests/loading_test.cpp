// loading_test.cpp - a program loads the library at run time, uses it, unloads it, and loads it again.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <clothc.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

// How many parts of the library's file the process has mapped.
int mapped_parts() {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  int count = 0;
  while (std::getline(maps, line)) count += line.find("libclothc.so") != std::string::npos;
  return count;
}

// Loads a second copy of the library, with its own libraries below it. The first is the one that the tests link.
void* load() { return dlmopen(LM_ID_NEWLM, std::getenv("CLOTHC_LIBRARY"), RTLD_NOW | RTLD_LOCAL); }

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

TEST(CppLoading, the_library_is_unloaded_and_loaded_again) {
  ASSERT_NE(std::getenv("CLOTHC_LIBRARY"), nullptr) << "ctest sets it to the path of the library";
  const int parts = mapped_parts();
  ASSERT_GT(parts, 0);
  for (int round = 0; round < 5; ++round) {
    void* library = load();
    ASSERT_NE(library, nullptr) << dlerror();
    const auto init = find<decltype(&clothc_struct_init)>(library, "clothc_struct_init");
    const auto create = find<decltype(&clothc_device_create)>(library, "clothc_device_create");
    const auto destroy = find<decltype(&clothc_device_destroy)>(library, "clothc_device_destroy");
    ASSERT_NE(init, &clothc_struct_init) << "this is another copy";
    clothc_device_desc desc;
    ASSERT_EQ(init(CLOTHC_STRUCT_DEVICE_DESC, &desc, sizeof desc), CLOTHC_SUCCESS);
    desc.backend = CLOTHC_BACKEND_CPU;
    clothc_device device = nullptr;
    ASSERT_EQ(create(&desc, &device), CLOTHC_SUCCESS);
    EXPECT_EQ(destroy(device), CLOTHC_SUCCESS);
    EXPECT_GT(mapped_parts(), parts);
    EXPECT_EQ(dlclose(library), 0) << dlerror();
    EXPECT_EQ(mapped_parts(), parts) << "the library is still loaded";
  }
}

}  // namespace
