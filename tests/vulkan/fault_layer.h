// fault_layer.h - what a test program calls in the fault layer, and a class that finds these functions.
//
// Rules are separated by commas. NAME:N=RESULT has the N-th call from now on give RESULT, a VkResult as a number, without
// being passed on; NAME:N+=RESULT that call and all later ones. RESULT may be `skip`: nothing happens, and the call
// succeeds. Of two rules for a call the first counts. What goes further:
//   vkEnumeratePhysicalDevices  skip: there are no devices
//   vkGetPhysicalDeviceFeatures2  skip: passed on, but there are no timeline semaphores
//   vkGetPhysicalDeviceProperties2  skip: passed on, but the device is a GPU, whatever it says
//   vkWaitSemaphores  2 (VK_TIMEOUT): after the time-out or 10 ms, whichever is shorter
// A function without a result can only be skipped; one that makes an object with a dispatch table (vkCreateInstance,
// vkCreateDevice, vkAllocateCommandBuffers) can only fail. Another function skipped leaves what it writes as it was.
// Rules may also stand in the environment, in CLOTHC_FAULTS, which is read when the layer is loaded.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>

extern "C" {
// Replaces the rules; their counts start anew. Not 0, and nothing changed, where a rule is wrong.
int clothc_faults_set(const char* rules);
// Calls since the program began or the counts were reset, those that failed included. 0 for an unknown function.
uint64_t clothc_faults_count(const char* function);
void clothc_faults_reset_counts(void);
}

namespace clothc::faults {

// The layer that the loader also opens: one file is loaded once. Never closed, so that its counts outlive instances.
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
