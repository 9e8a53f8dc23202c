// external.h - the type of handles through which devices of this operating system share memory and semaphores, with the
// capabilities of devices that do, and the messages of devices that do not.
#pragma once

#include "clothc.h"
#include "platform/os_handle.h"

namespace clothc {

#if defined(_WIN32)
#define CLOTHC_BY_HANDLE(name) name##_WIN32
#else
#define CLOTHC_BY_HANDLE(name) name##_FD
#endif
#define CLOTHC_NAME_OF_(name) #name
#define CLOTHC_NAME_OF(name) CLOTHC_NAME_OF_(name)

constexpr clothc_external_type native_external_type = CLOTHC_BY_HANDLE(CLOTHC_EXTERNAL_OPAQUE);
constexpr uint32_t shares_memory = CLOTHC_BY_HANDLE(CLOTHC_CAPABILITY_EXTERNAL_MEMORY);
constexpr uint32_t exports_semaphores = CLOTHC_BY_HANDLE(CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE);
constexpr uint32_t imports_semaphores = CLOTHC_BY_HANDLE(CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE);

constexpr char native_external_name[] = CLOTHC_NAME_OF(CLOTHC_BY_HANDLE(CLOTHC_EXTERNAL_OPAQUE));
constexpr char imports_semaphores_name[] = CLOTHC_NAME_OF(CLOTHC_BY_HANDLE(CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE));
constexpr char no_external_memory[] = "the device shares no memory with others; look for " CLOTHC_NAME_OF(
    CLOTHC_BY_HANDLE(CLOTHC_CAPABILITY_EXTERNAL_MEMORY)) ", or copy through a HOST buffer";
constexpr char no_external_semaphores[] = "the device shares no semaphores with others; look for " CLOTHC_NAME_OF(
    CLOTHC_BY_HANDLE(CLOTHC_CAPABILITY_EXTERNAL_SEMAPHORE)) ", or wait for the fence on the host";

#undef CLOTHC_BY_HANDLE
#undef CLOTHC_NAME_OF
#undef CLOTHC_NAME_OF_

// Returns the handle that a program gives away or shares. is_taken: whether the device takes such handles; if it does not,
// it says so itself. Throws Failure if the handle is of another system, stands for none, or is of something that no device
// exports.
platform::OsHandle checked_handle(const clothc_external_handle& external, bool is_taken);

}  // namespace clothc
