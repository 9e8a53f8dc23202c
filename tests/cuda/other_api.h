// other_api.h - memory of another API, which tests play, and what a program does with the handles of this system.
#pragma once

#include "cuda/device/driver/pages.h"
#include "support/shared_buffers.h"

namespace clothc_test {

using clothc::cuda_device::SharedHandle;

inline int64_t number_of(SharedHandle handle) {
#if defined(_WIN32)
  return reinterpret_cast<intptr_t>(handle);
#else
  return handle;
#endif
}

inline SharedHandle handle_of(const clothc_external_handle& external) {
#if defined(_WIN32)
  return reinterpret_cast<SharedHandle>(static_cast<intptr_t>(external.handle));
#else
  return static_cast<SharedHandle>(external.handle);
#endif
}

// Returns new memory as the other API exports it.
inline clothc_external_handle memory_of_another_api(uint64_t size) {
  clothc_external_handle external = initialised<clothc_external_handle>();
  const SharedHandle handle = clothc::cuda_device::create_shared(size);
  EXPECT_NE(handle, clothc::cuda_device::no_handle);
  external.handle = number_of(handle);
  external.size = size;
  return external;
}

// Returns a handle of something that is no memory.
inline clothc_external_handle handle_of_no_memory() {
  clothc_external_handle external = initialised<clothc_external_handle>();
#if defined(_WIN32)
  external.handle = number_of(CreateEventA(nullptr, FALSE, FALSE, nullptr));
#else
  external.handle = open("/dev/null", O_RDONLY);
#endif
  external.size = 65536;
  return external;
}

// Closes a handle that must be the program's still.
inline void close_own(const clothc_external_handle& external) {
  EXPECT_TRUE(is_open(external.handle)) << "a refused handle stays the program's";
  clothc::cuda_device::close_shared(handle_of(external));
}

}  // namespace clothc_test
