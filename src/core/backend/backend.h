// backend.h - the interface that every backend implements: memory, and streams that run lists of commands.
//
// Core decides which kernels run and in which order, and passes this to the backend as data. A backend can copy memory
// and run kernels but knows nothing about cloth. Every failure is reported by the call that causes it; only the loss of
// the device shows up later.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "clothc.h"
#include "core/backend/limits.h"
#include "core/backend/memory.h"
#include "core/backend/preparation.h"
#include "core/backend/stream.h"
#include "core/backend/timeline.h"
#include "core/base/external.h"
#include "core/base/float_environment.h"
#include "core/base/result.h"
#include "core/base/wait.h"

namespace clothc {

// Message of devices that lack the capability.
constexpr char no_wrapped_memory[] =
    "the device takes no address for a WRAPPED_DEVICE buffer, which only CUDA devices do; use "
    "clothc_vulkan_buffer_create "
    "on a Vulkan device that was adopted, or copy through a DEVICE buffer";

constexpr char no_native_buffers[] =
    "the device uses no VkBuffer of the program; only devices that clothc_vulkan_device_create makes do";

// A device that core uses through its memory and its streams.
class Backend {
 public:
  virtual ~Backend() = default;
  const clothc_device_info& info() const { return info_; }
  const DeviceLimits& limits() const { return limits_; }
  // Allocates zeroed memory, aligned to 64 bytes. Throws std::bad_alloc, or Failure if the device has no memory with
  // this visibility.
  virtual MemoryPointer allocate(uint64_t size, MemoryVisibility visibility) = 0;
  // Makes memory of the application usable by streams. The application keeps ownership.
  virtual MemoryPointer wrap(void* memory, uint64_t size) = 0;
  // The same for memory at an address of the device. Throws Failure.
  virtual MemoryPointer wrap_device(uint64_t, uint64_t) { fail(CLOTHC_ERROR_UNSUPPORTED, no_wrapped_memory); }
  // The same for a part of a buffer of the application's own API. Throws Failure.
  virtual MemoryPointer wrap_buffer(const NativeBuffer&, uint64_t) {
    fail(CLOTHC_ERROR_UNSUPPORTED, no_native_buffers);
  }
  // Imports memory that was exported. On success it takes ownership of the handle; otherwise it throws Failure and leaves
  // the handle alone.
  virtual MemoryPointer import_memory(const ExternalMemory&) { fail(CLOTHC_ERROR_UNSUPPORTED, no_external_memory); }
  // Makes a semaphore of the device that begins with the timeline's current value, the second argument. From then on
  // each follows the other when its value rises. The timeline owns the semaphore. Throws Failure.
  virtual std::shared_ptr<SharedTimeline> share(Timeline&, uint64_t) {
    fail(CLOTHC_ERROR_UNSUPPORTED, no_external_semaphores);
  }
  // Imports a semaphore that was exported, and connects it to the timeline as share does. On success it takes ownership of
  // the handle; otherwise it throws Failure and leaves the handle alone.
  virtual std::shared_ptr<SharedTimeline> import_timeline(platform::OsHandle, Timeline&) {
    fail(CLOTHC_ERROR_UNSUPPORTED, no_external_semaphores);
  }
  // Number of blocks of memory that the backend has requested from the device or the host so far.
  virtual uint64_t allocation_count() const = 0;
  virtual std::shared_ptr<Stream> create_stream() = 0;

  // Devices that compile nothing leave the following functions as they are. Any thread may call them.

  // Begins to compile these in the background, with what every list of commands may need. Throws Failure.
  virtual void prepare(const Preparation&) {}
  // Waits until everything that prepare began is compiled. Returns false if the time-out passes first. Throws Failure if
  // something could not be compiled, or if end_preparation was called.
  virtual bool wait_prepared(uint64_t, PreparationProgress&) { return true; }
  // Ends what prepare began, and calls of wait_prepared.
  virtual void end_preparation() {}
  // Names the device and driver on which compiled code depends.
  virtual std::string compiler_identity() const { return info_.name; }
  // Returns what has been compiled so far, in the driver's format, and takes what was returned before on a device with
  // the same identity. Throws Failure.
  virtual std::vector<uint8_t> compiled_code() { return {}; }
  virtual void add_compiled_code(const uint8_t*, uint64_t) {}

 protected:
  Backend(const clothc_device_info& info, const DeviceLimits& limits) : info_(info), limits_(limits) {}

 private:
  clothc_device_info info_;
  DeviceLimits limits_;
};

// A kind of backend: functions that list its devices on this machine and make a backend for one of them. Each backend
// defines its own.
struct BackendKind {
  clothc_backend backend;
  // Appends the devices found, whether they are available or not. Where there is none, it appends at least one element
  // that gives the reason.
  void (*enumerate)(std::vector<clothc_device_info>& infos);
  // Makes the backend for the device that desc names. Throws Failure.
  std::unique_ptr<Backend> (*create)(const clothc_device_desc& desc);
  // Makes the backend for the device to which objects of the application belong, or null where there is no such thing.
  // native: the struct of the backend's own header, such as clothc_cuda_device_desc. Throws Failure.
  std::unique_ptr<Backend> (*adopt)(const clothc_device_desc& desc, const void* native) = nullptr;
  // Fills the struct of the backend's own header that tells what such objects must have been created with. Throws
  // Failure.
  void (*require)(const void* native, void* requirements) = nullptr;
};

// Returns all kinds, in the order in which CLOTHC_BACKEND_AUTO tries them.
const std::vector<BackendKind>& backend_kinds();

}  // namespace clothc
