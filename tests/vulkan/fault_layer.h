// fault_layer.h - the functions that a test program calls in the fault layer, and a class that finds them.
//
// Rules are separated by commas. NAME:N=RESULT makes the N-th call from now on return RESULT, a VkResult as a number,
// without being passed on; NAME:N+=RESULT does so for that call and all later ones. RESULT may be `skip`: nothing
// happens, and the call succeeds. If two rules apply to a call, the first counts. Some functions have special rules:
//   vkCreateShaderModule  the name of a fault (module_faults.h): passed on with a module that a wrong driver would run.
//       @FINGERPRINT in place of the number, 16 hexadecimal digits of spirv_module.h, chooses a module wherever it is
//       created.
//   vkEnumeratePhysicalDevices  skip: there are no devices
//   vkGetPhysicalDeviceFeatures2  skip: passed on, but timeline semaphores are reported as missing
//   vkGetPhysicalDeviceProperties2  skip: passed on, but the device is reported as a GPU, whatever it is; unknown: passed
//       on, but the driver is reported as one that nobody knows
//   vkWaitSemaphores  2 (VK_TIMEOUT): returned after the time-out or 10 ms, whichever is shorter
// A function without a result can only be skipped; one that makes an object with a dispatch table (vkCreateInstance,
// vkCreateDevice, vkAllocateCommandBuffers) can only fail. Any other skipped function leaves its outputs unchanged.
// Rules may also be given in the environment variable CLOTHC_FAULTS, which is read when the layer is loaded.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>

extern "C" {
// Replaces the rules and restarts their counts. Returns a value other than 0, and changes nothing, if a rule is wrong.
int clothc_faults_set(const char* rules);
// Returns the number of calls since the program began or the counts were reset, including those that failed. Returns 0
// for an unknown function.
uint64_t clothc_faults_count(const char* function);
void clothc_faults_reset_counts(void);
}

namespace clothc::faults {

// Access to the layer that the loader also opens: a file is loaded only once. The library is never closed, so its
// counts outlive instances.
struct Layer {
  explicit Layer(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(dlerror());
    set = reinterpret_cast<decltype(set)>(dlsym(library, "clothc_faults_set"));
    count = reinterpret_cast<decltype(count)>(dlsym(library, "clothc_faults_count"));
    reset_counts = reinterpret_cast<decltype(reset_counts)>(dlsym(library, "clothc_faults_reset_counts"));
  }

  decltype(&clothc_faults_set) set = nullptr;
  decltype(&clothc_faults_count) count = nullptr;
  decltype(&clothc_faults_reset_counts) reset_counts = nullptr;
};

}  // namespace clothc::faults
