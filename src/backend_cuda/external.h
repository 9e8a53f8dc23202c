// external.h - what CUDA calls the handles of this operating system.
#pragma once

#include "backend_cuda/driver_api.h"
#include "platform/os_handle.h"

namespace clothc::cuda {

#if defined(_WIN32)
constexpr CUmemAllocationHandleType allocation_handle_type = CU_MEM_HANDLE_TYPE_WIN32;
constexpr CUdevice_attribute allocation_handle_supported = CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED;
constexpr CUexternalMemoryHandleType memory_handle_type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32;
constexpr CUexternalSemaphoreHandleType timeline_handle_type =
    CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32;

inline CUexternalHandle external_handle(platform::OsHandle handle) {
  CUexternalHandle external{};
  external.win32.handle = handle.raw();
  return external;
}
#else
constexpr CUmemAllocationHandleType allocation_handle_type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr CUdevice_attribute allocation_handle_supported =
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED;
constexpr CUexternalMemoryHandleType memory_handle_type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
constexpr CUexternalSemaphoreHandleType timeline_handle_type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;

inline CUexternalHandle external_handle(platform::OsHandle handle) {
  CUexternalHandle external{};
  external.fd = handle.raw();
  return external;
}
#endif

}  // namespace clothc::cuda
