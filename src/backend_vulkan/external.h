// external.h - exports and imports memory and semaphores by handles of the operating system, which Vulkan has a set of
// types and functions for on each system.
#pragma once

#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

#if defined(_WIN32)
constexpr VkExternalMemoryHandleTypeFlagBits memory_handle_type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT;
constexpr VkExternalSemaphoreHandleTypeFlagBits semaphore_handle_type =
    VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_WIN32_BIT;
constexpr const char* memory_extension = VK_KHR_EXTERNAL_MEMORY_WIN32_EXTENSION_NAME;
constexpr const char* semaphore_extension = VK_KHR_EXTERNAL_SEMAPHORE_WIN32_EXTENSION_NAME;
using ImportMemoryInfo = VkImportMemoryWin32HandleInfoKHR;
#else
constexpr VkExternalMemoryHandleTypeFlagBits memory_handle_type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr VkExternalSemaphoreHandleTypeFlagBits semaphore_handle_type = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr const char* memory_extension = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
constexpr const char* semaphore_extension = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
using ImportMemoryInfo = VkImportMemoryFdInfoKHR;
#endif

// Returns what an allocation must be given to import the memory behind the handle.
ImportMemoryInfo import_memory_info(platform::OsHandle handle);
// Return a new handle. Throw Failure.
platform::OsHandle export_handle_of(Gpu& gpu, VkDeviceMemory memory);
platform::OsHandle export_handle_of(Gpu& gpu, VkSemaphore semaphore);
// Gives a semaphore the payload behind the handle. Throws Failure.
void import_payload(Gpu& gpu, VkSemaphore semaphore, platform::OsHandle handle);

}  // namespace clothc::vulkan
