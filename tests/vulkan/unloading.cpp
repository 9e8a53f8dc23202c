// unloading.cpp - a program loads the library at run time, makes a Vulkan device, unloads the library and loads it
// again. The library is gone each time, and its instance, which keeps the driver loaded, stays.
#include <clothc.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "vulkan/fault_layer.h"

namespace {

bool is_loaded(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(name) != std::string::npos) return true;
  }
  return false;
}

// Loads the library, makes and destroys a device, and unloads it. Returns why there is no device, or an empty text.
std::string use_library() {
  void* const library = dlopen(CLOTHC_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return dlerror();
  const auto find = [&](auto*& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
  };
  decltype(&clothc_struct_init) init;
  decltype(&clothc_device_create) create;
  decltype(&clothc_device_destroy) destroy;
  decltype(&clothc_last_error_message) message;
  find(init, "clothc_struct_init");
  find(create, "clothc_device_create");
  find(destroy, "clothc_device_destroy");
  find(message, "clothc_last_error_message");
  clothc_device_desc desc{};
  init(CLOTHC_STRUCT_DEVICE_DESC, &desc, sizeof(desc));
  desc.backend = CLOTHC_BACKEND_VULKAN;
  clothc_device device = nullptr;
  const std::string reason = create(&desc, &device) == CLOTHC_SUCCESS ? "" : message();
  if (device != nullptr) destroy(device);
  return dlclose(library) == 0 ? reason : dlerror();
}

TEST(VulkanUnloading, of_the_library_leaves_its_instance_and_the_driver) {
  const clothc::faults::Layer layer(CLOTHC_FAULT_LAYER);
  const std::string missing = use_library();
  if (!missing.empty()) GTEST_SKIP() << missing;
  if (layer.count("vkCreateInstance") == 0) GTEST_SKIP() << "VK_INSTANCE_LAYERS does not name the fault layer";
  for (uint64_t loads = 2; loads <= 4; ++loads) {
    EXPECT_FALSE(is_loaded("libclothc.so")) << "something keeps the library";
    EXPECT_TRUE(is_loaded("libvulkan_lvp.so") || is_loaded("libvk_swiftshader.so"));
    EXPECT_EQ(use_library(), "");
    EXPECT_EQ(layer.count("vkCreateInstance"), loads);
    EXPECT_EQ(layer.count("vkCreateDevice"), loads);
    EXPECT_EQ(layer.count("vkDestroyDevice"), loads);
    EXPECT_EQ(layer.count("vkDestroyInstance"), 0u);
  }
}

}  // namespace
