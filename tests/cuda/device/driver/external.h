// external.h - memory and semaphores of other APIs, and what the device knows about the order that semaphores make.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "cuda/device/driver/context.h"
#include "cuda/device/driver/semaphore.h"
#include "cuda/device/driver/virtual_memory.h"

namespace clothc::cuda_device {

// What the device shares memory and semaphores by. It takes a file descriptor over, and leaves an NT handle to the program.
#if defined(_WIN32)
constexpr CUmemAllocationHandleType allocation_handle_type = CU_MEM_HANDLE_TYPE_WIN32;
constexpr CUdevice_attribute allocation_handle_supported = CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED;
constexpr CUexternalMemoryHandleType memory_handle_type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32;
constexpr CUexternalSemaphoreHandleType semaphore_handle_type =
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32;
inline SharedHandle handle_in(const CUexternalHandle& handle) { return handle.win32.handle; }
inline SharedHandle taken_over(const CUexternalHandle& handle) { return duplicate_shared(handle.win32.handle); }
#else
constexpr CUmemAllocationHandleType allocation_handle_type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr CUdevice_attribute allocation_handle_supported =
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED;
constexpr CUexternalMemoryHandleType memory_handle_type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
constexpr CUexternalSemaphoreHandleType semaphore_handle_type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
inline SharedHandle handle_in(const CUexternalHandle& handle) { return handle.fd; }
inline SharedHandle taken_over(const CUexternalHandle& handle) { return handle.fd; }
#endif

struct ExternalMemory {
  ContextPointer context;
  std::shared_ptr<const Descriptor> memory;
  uint64_t size = 0;
};

// The signals that operations have given to one semaphore: what was known to have ended at each value.
struct SignalHistory {
  std::mutex mutex;
  std::map<uint64_t, Clock> known_at;
};

struct ExternalSemaphore {
  ContextPointer context;
  std::shared_ptr<SharedSemaphore> semaphore;
  std::shared_ptr<SignalHistory> history;
};

}  // namespace clothc::cuda_device
